"""The output of `make share`, and the schema of kept results."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import sys
import unittest
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import fake_results
import schema
import share

FACTS = {
    "date": "2026-11-23T11:23:38+02:00",
    "cpu": "Example 1; avx2",
    "active_isa": "avx2",
    "data_caches": "L1 48 KiB, L2 1 MiB",
    "threads": "1 of 2 CPUs",
    "strew": "0.3.0",
    "compiler": "GNU 12.2.0, build type Release",
    "flags": "-O3 -ffile-prefix-map=/home/somebody=. -I/home/somebody/include",
    "suite": "quick",
}
PRIVATE = {"host_name": "secret-host", "executable": "/home/somebody/strew-bench", "num_cpus": 2}


class Sharing(fake_results.FolderTest):
    def share(self, **facts: str) -> tuple[int, str]:
        content = fake_results.results() | {"context": PRIVATE | FACTS | facts}
        measured = fake_results.write(self.folder, "measured", content)
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            status = share.main([str(measured), "--folder", str(self.folder / "share")])
        return status, out.getvalue()

    def test_a_file_is_written_that_is_valid_and_names_nobody(self) -> None:
        status, printed = self.share()
        path = self.folder / "share" / "example-1-avx2-2-cpus.json"
        self.assertEqual(status, 0, printed)
        text = path.read_text()
        self.assertEqual(list(schema.faults(json.loads(text))), [])
        for private in ("secret", "somebody", "/home", "11:23"):
            self.assertNotIn(private, text)
        self.assertEqual(json.loads(text)["context"]["flags"], "-O3")

    def test_three_steps_are_printed(self) -> None:
        _, printed = self.share()
        for step in ("  1. ", "  2. ", "  3. "):
            self.assertIn(step, printed)
        self.assertNotIn("  4. ", printed)

    def test_facts_that_the_schema_does_not_know_are_refused(self) -> None:
        for facts in ({"compiler": "/home/somebody/gcc"}, {"strew": "mine"}, {"suite": "some"}):
            with self.subTest(facts):
                status, printed = self.share(**facts)
                self.assertEqual(status, 1)
                self.assertIn(f"result.context.{next(iter(facts))}", printed)
                self.assertFalse((self.folder / "share").exists())


class Schema(unittest.TestCase):
    kept = json.loads(sorted((ROOT / "bench" / "results").glob("*.json"))[0].read_text())

    def faults_after(self, *path: Any, value: Any = None) -> list[str]:
        """The faults of a kept result with one value changed or removed."""
        changed = copy.deepcopy(self.kept)
        place = changed
        for key in path[:-1]:
            place = place[key]
        if value is None:
            del place[path[-1]]
        else:
            place[path[-1]] = value
        return list(schema.faults(changed))

    def test_kept_results_are_valid(self) -> None:
        for path in (ROOT / "bench" / "results").glob("*.json"):
            with self.subTest(path.name):
                self.assertEqual(list(schema.faults(json.loads(path.read_text()))), [])

    def test_each_kind_of_fault_is_found(self) -> None:
        for path, value, found in (
            (("context",), None, "result lacks context"),
            (("context", "cpu"), None, "result.context lacks cpu"),
            (("context", "host_name"), "mine", "result.context has the unknown field host_name"),
            (("context", "date"), "yesterday", "result.context.date is 'yesterday', which does not match"),
            (("context", "strew"), 3, "result.context.strew is not of type string"),
            (("benchmarks",), [], "result.benchmarks has fewer than 1 items"),
            (("benchmarks",), {}, "result.benchmarks is not of type array"),
            (("benchmarks", 0, "cpu_time"), -1.5, "result.benchmarks[0].cpu_time is -1.5, which is not above 0"),
            (("benchmarks", 0, "cpu_time"), True, "result.benchmarks[0].cpu_time is not of type number"),
            (("benchmarks", 0, "name"), "row of /home/me", "result.benchmarks[0].name is 'row of /home/me', which"),
        ):
            with self.subTest(found):
                faults = self.faults_after(*path, value=value)
                self.assertEqual(len(faults), 1, faults)
                self.assertIn(found, faults[0])

    def test_the_checker_knows_every_word_of_the_schema(self) -> None:
        known = {"$schema", "title", "description", "type", "required", "additionalProperties", "properties", "items"}
        self.assertEqual(self.words(schema.SCHEMA) - known, {"pattern", "minItems", "exclusiveMinimum"})

    def words(self, part: dict[str, Any]) -> set[str]:
        inside = [*part.get("properties", {}).values(), *([part["items"]] if "items" in part else [])]
        return set(part).union(*map(self.words, inside))


if __name__ == "__main__":
    unittest.main()
