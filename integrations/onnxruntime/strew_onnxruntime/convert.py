"""The command that rewrites a model for strew's custom operators:

python -m strew_onnxruntime.convert model.onnx converted.onnx
"""

from __future__ import annotations

import argparse
import sys

import onnx.parser
from google.protobuf import json_format, text_format
from google.protobuf.message import DecodeError

from strew_onnxruntime.conversion import convert_file

# The errors for a file that is no model, in each of the formats.
NO_MODEL = (DecodeError, json_format.ParseError, text_format.ParseError, onnx.parser.ParseError, UnicodeDecodeError)


def main() -> int:
    description = (
        "Rewrites a model of ONNX so that strew runs its scatters and gathers in any ONNX Runtime from 1.18 on."
    )
    parser = argparse.ArgumentParser(prog="python -m strew_onnxruntime.convert", description=description)
    parser.add_argument("model", help="the model to read; tensors in files of their own are not read")
    parser.add_argument("converted", help="the model to write; in another folder, those files are copied to it")
    parser.add_argument("--exact", action="store_true", help="strew runs also small nodes that the runtime does as well")
    arguments = parser.parse_args()
    try:
        count = convert_file(arguments.model, arguments.converted, exact=arguments.exact)
    except NO_MODEL:
        print(f"strew_onnxruntime.convert: {arguments.model} is not a model of ONNX", file=sys.stderr)
        return 1
    except (OSError, ValueError) as error:
        print(f"strew_onnxruntime.convert: {error}", file=sys.stderr)
        return 1
    print(f"{arguments.converted}: nodes for strew: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
