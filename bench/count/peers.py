"""Counts the instructions of NumPy and PyTorch on 64-bit ARM under QEMU, on calls of strew-count-calls.

    peers.py --work DIRECTORY

unpacks Python and the wheels in DIRECTORY (120 MB to download), counts peer_calls.py, and writes
recorded-peers-aarch64.tsv and the table of docs/arm.md. One thread calls.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import page
from count import ENTRIES, HERE, build_plugin

PYTHON = "3.11"  # Debian 12's
PEERS = {"numpy": "2.2.6", "torch": "2.6.0"}
NEEDED = ("typing_extensions", "sympy", "mpmath", "networkx", "jinja2", "markupsafe", "filelock", "fsspec")  # by torch
PACKAGES = (f"python{PYTHON}-minimal", f"libpython{PYTHON}-minimal", f"libpython{PYTHON}-stdlib", "libc6", "libgcc-s1",
            "libstdc++6", "zlib1g", "libexpat1", "libffi8", "libcrypt1", "libssl3", "libbz2-1.0", "liblzma5", "libuuid1")


def unpack(work: Path) -> tuple[Path, Path]:
    """A system with Python, and the folder of the wheels, made once."""
    system, wheels = work / "system", work / "wheels"
    if not system.exists():
        subprocess.run([page.ROOT / "scripts/make-sysroot", "arm64", system, *PACKAGES], check=True)
    if not wheels.exists():
        platforms = [f"--platform={name}" for name in ("manylinux_2_28_aarch64", "manylinux2014_aarch64", "any")]
        wanted = [f"{name}=={version}" for name, version in PEERS.items()]
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary=:all:", "--target", wheels,
                        "--implementation=cp", f"--python-version={PYTHON}", *platforms, *wanted, *NEEDED], check=True)
    return system, wheels


def count(work: Path, peer: str) -> dict[str, int]:
    """The instructions of each call, without those of an empty one."""
    system, wheels = unpack(work)
    counts = work / f"{peer}.counts"
    command = ["qemu-aarch64", "-L", system, "-cpu", "neoverse-n1", "-plugin", f"{build_plugin(work)},counts={counts}",
               "-E", f"PYTHONPATH={wheels}", system / f"usr/bin/python{PYTHON}", "-W", "ignore", HERE / "peer_calls.py",
               peer, str(ENTRIES)]
    names = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    empty, *instructions = (int(line.split()[0]) for line in counts.read_text().splitlines())
    return {name: number - empty for name, number in zip(names[1:], instructions, strict=True)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", required=True, type=Path)
    work = parser.parse_args().work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    page.write_peers([f"{name} {version}" for name, version in PEERS.items()], [count(work, peer) for peer in PEERS])
    page.write()


main()
