# SPDX-License-Identifier: MIT
"""A page as headless Chromium shows it, at a width, in light or dark."""

import html
import json
import re
import subprocess
import tempfile
from pathlib import Path

from paper import HANG_SECONDS

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
         "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync", "--hide-scrollbars",
         "--virtual-time-budget=4000"]
DARK = "--blink-settings=preferredColorScheme=0"
# The narrowest window that Chromium opens is wider than a telephone: so the
# page is shown in a frame of the wanted width.
FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe id="f" style="border:0;width:{width}px;height:{height}px"
 src="{page}"></iframe>
<pre id="answer"></pre><script>
document.getElementById("f").onload = event => {{
  const page = event.target.contentDocument;
  document.getElementById("answer").textContent =
    JSON.stringify((page => {{ {question} }})(page));
}};
</script>"""


def ask(page, question, width, dark=False):
    """What the JavaScript `question` returns about the page as shown."""
    with tempfile.TemporaryDirectory() as folder:
        frame = Path(folder) / "frame.html"
        frame.write_text(FRAME.format(width=width, height=2000,
                                      page=Path(page).resolve().as_uri(),
                                      question=question))
        result = _chromium(folder, *([DARK] if dark else []), "--dump-dom",
                           frame.as_uri())
    found = re.search(r'<pre id="answer">(.+?)</pre>', result.stdout, re.S)
    assert found, f"Chromium gave no answer:\n{result.stderr[-2000:]}"
    return json.loads(html.unescape(found.group(1)))


def pages_printed(page):
    """Sheets of A4, when it is printed."""
    with tempfile.TemporaryDirectory() as folder:
        paper = Path(folder) / "paper.pdf"
        _chromium(folder, f"--print-to-pdf={paper}", Path(page).resolve().as_uri())
        return len(re.findall(rb"/Type\s*/Page\b", paper.read_bytes()))


def _chromium(folder, *words):
    return subprocess.run(
        ["chromium", *FLAGS, f"--user-data-dir={folder}/profile",
         "--allow-file-access-from-files", *words], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        timeout=HANG_SECONDS)
