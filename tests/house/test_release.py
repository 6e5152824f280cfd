"""The generated files of a release: recipes of package managers, and the bill of materials."""

from __future__ import annotations

import re
import runpy
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "scripts" / "make-release").read_text()
FIELD = re.compile(r"@([A-Z0-9]+)@")
OPTION = re.compile(r"-D(STREW_\w+)=")


class Recipes(unittest.TestCase):
    def setUp(self) -> None:
        names = re.search(r"^for recipe in (.*); do$", SCRIPT, re.M)
        self.assertIsNotNone(names)
        self.recipes = {name: (ROOT / "packaging" / name).read_text() for name in names[1].split()}

    def test_every_recipe_is_filled_in(self) -> None:
        there = {path.relative_to(ROOT / "packaging") for path in (ROOT / "packaging").glob("*/*") if path.is_file()}
        self.assertEqual(there - {Path("conan/conanfile.py")}, set(map(Path, self.recipes)))

    def test_the_script_knows_every_field(self) -> None:
        for name, text in self.recipes.items():
            self.assertLessEqual(set(FIELD.findall(text)), set(FIELD.findall(SCRIPT)), name)

    def test_their_options_are_those_there_are(self) -> None:
        known = (ROOT / "CMakeLists.txt").read_text()
        for name, text in self.recipes.items():
            for option in OPTION.findall(text):
                self.assertIn(f"option({option} ", known, name)


class BillOfMaterials(unittest.TestCase):
    @unittest.skipUnless((ROOT / ".git").exists(), "the date is that of a commit")
    def test_it_lists_what_wheels_contain(self) -> None:
        bill = runpy.run_path(str(ROOT / "scripts" / "write-sbom"))["bill"]("https://example.org/strew.tar.gz")
        self.assertEqual(
            [part["name"] for part in bill["packages"]], ["strew", "strew-wheels", "FXdiv", "pthreadpool"]
        )
        parts = {part["SPDXID"] for part in bill["packages"]} | {bill["SPDXID"]}
        for relation in bill["relationships"]:
            self.assertLessEqual({relation["spdxElementId"], relation["relatedSpdxElement"]}, parts)


if __name__ == "__main__":
    unittest.main()
