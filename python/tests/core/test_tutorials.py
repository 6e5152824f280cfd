"""The tutorials run as notebooks, and print the output that their pages show."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from required import ROOT, missing

sys.path.insert(0, str(ROOT / "site"))
import notebooks  # noqa: E402

TUTORIALS = sorted((ROOT / "docs/tutorials").glob("*.md"))
NEEDED = re.compile(r"^(?:import|from) (torch_geometric|torch)\b", re.MULTILINE)


def test_there_are_tutorials() -> None:
    assert len(TUTORIALS) >= 4


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda path: path.stem)
def test_a_tutorial_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    for package in ["nbclient", "ipykernel", *NEEDED.findall(text)]:
        try:
            __import__(package)
        except ImportError as error:
            missing(str(error))
    import nbclient
    import nbformat

    (tmp_path / "strew").symlink_to(ROOT)  # as on the pages
    said = notebooks.notebook(text)
    notebook = nbformat.from_dict(said)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    for before, after in zip(said["cells"], notebook.cells):
        if before["cell_type"] == "code":
            printed = "".join(output.get("text", "") for output in after.outputs)
            for output in before["outputs"]:
                assert output["text"] in printed
