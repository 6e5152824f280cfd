"""A headless Chromium for pages: Debian's, without a network, and without files left behind."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

ARGUMENTS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip


class Browser:
    """One window. It only loads the pages that it is given."""

    def __init__(self) -> None:
        self._profile = tempfile.mkdtemp()
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in (*ARGUMENTS, f"--user-data-dir={self._profile}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self._driver = webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)

    def close(self) -> None:
        """Ends it."""
        self._driver.quit()
        shutil.rmtree(self._profile, ignore_errors=True)

    def open(self, page: Path | str, width: int = 1280, scheme: str = "light") -> None:
        """Opens a file or an address in a window of this width, with a preference for light or dark."""
        self.resize(width)
        self.prefer(scheme)
        self._driver.get(page if isinstance(page, str) else page.as_uri())

    def resize(self, width: int) -> None:
        """Shows the page that is open in a window so many pixels wide."""
        self._command("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)

    def prefer(self, scheme: str) -> None:
        """Changes the preference of the open page to light or dark."""
        self._command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def _command(self, name: str, **parameters: Any) -> None:
        self._driver.execute_cdp_cmd(name, parameters)

    def run(self, script: str, *arguments: Any) -> Any:
        """Runs the body of a JavaScript function and returns its result."""
        return self._driver.execute_script(script, *arguments)

    def messages(self) -> list[str]:
        """The messages on the console since the last call."""
        return [entry["message"] for entry in self._driver.get_log("browser")]
