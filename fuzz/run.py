#!/usr/bin/env python3
"""Runs fuzz targets, from the corpora that are kept in fuzz/corpora, one input in hexadecimal a line.

    fuzz/run.py build/fuzz                           each target for a minute
    fuzz/run.py build/fuzz --seconds 1800 calls      one of them for half an hour
    fuzz/run.py build/fuzz-coverage --keep build/fuzz  keep the inputs that reach code that no other reaches
    fuzz/run.py build/fuzz --unpack DIRECTORY        only write a zip of each corpus, for fuzzing services

On a finding it prints it, leaves the input in the build's fuzz/ and ends with status 1.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = {"npy": 4096}  # an input, in bytes; 400 otherwise
TARGETS = re.findall(r"^strew_fuzzer\((\w+)", (HERE / "CMakeLists.txt").read_text(), re.M)


def kept(target):
    """The inputs that are kept, shortest first."""
    path = HERE / "corpora" / f"{target}.txt"
    return [bytes.fromhex(line) for line in path.read_text().split("\n")] if path.exists() else []


def put_kept(target, corpus):
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(kept(target)):
        (corpus / f"kept-{number}").write_bytes(data)


def command(build, target):
    dictionary = HERE / f"{target}.dict"
    return [str(build / "fuzz" / f"fuzz_{target}"), f"-max_len={LONGEST.get(target, 400)}", "-len_control=10",
            *([f"-dict={dictionary}"] if dictionary.exists() else [])]


def fuzz(build, target, seconds):
    """True if there is no finding. New inputs stay in the build's corpus."""
    corpus = build / "corpora" / target
    put_kept(target, corpus)
    line = [*command(build, target), f"-max_total_time={seconds}", "-print_final_stats=1",
            f"-artifact_prefix={build}/fuzz/{target}-", str(corpus)]
    done = subprocess.run(line, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    runs = re.findall(r"^stat::number_of_executed_units: +(\d+)", done.stderr, re.M)
    print(f"{target}: {runs[0] if runs else 'no'} runs in {seconds} s", "" if done.returncode == 0 else "A FINDING")
    if done.returncode != 0:
        print(done.stderr[-4000:])
    return done.returncode == 0


def keep(build, target, corpus):
    """Keeps the fewest inputs that reach all code that the corpus reaches, however often."""
    put_kept(target, corpus)
    chosen = build / "corpora" / f"{target}-chosen"
    shutil.rmtree(chosen, ignore_errors=True)
    chosen.mkdir(parents=True)
    subprocess.run([*command(build, target), "-set_cover_merge=1", "-use_counters=0", "-use_cmp=0", str(chosen),
                    str(corpus)],
                   check=True, stderr=subprocess.DEVNULL, env={**os.environ, "LLVM_PROFILE_FILE": os.devnull})
    inputs = sorted((path.read_bytes() for path in chosen.iterdir()), key=lambda data: (len(data), data))
    path = HERE / "corpora" / f"{target}.txt"
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join(data.hex() for data in inputs))
    print(f"{target}: {len(inputs)} inputs are kept")


def unpack(directory):
    for target in TARGETS:
        with zipfile.ZipFile(directory / f"fuzz_{target}_seed_corpus.zip", "w") as archive:
            for number, data in enumerate(kept(target)):
                archive.writestr(f"kept-{number}", data)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="where the targets were built")
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}; all of them if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (60)")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--keep", type=pathlib.Path, metavar="BUILD", help="write fuzz/corpora anew from what it found")
    instead.add_argument("--unpack", type=pathlib.Path, metavar="DIRECTORY", help="zip the corpora")
    given = parser.parse_intermixed_args()
    if unknown := set(given.targets) - set(TARGETS):
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    if given.unpack:
        unpack(given.unpack)
        return 0
    build, targets = given.build.resolve(), given.targets or TARGETS
    if given.keep:
        for target in targets:
            keep(build, target, given.keep / "corpora" / target)
        return 0
    right = [fuzz(build, target, given.seconds) for target in targets]
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
