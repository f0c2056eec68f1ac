"""Takes pictures of pages, to look at: screenshots.py FOLDER takes the sample logs in all sizes and both color schemes, and
screenshots.py --documentation those that the documentation shows."""
import os
import pathlib
import subprocess
import sys
import tempfile

from playwright.sync_api import sync_playwright

root = pathlib.Path(__file__).resolve().parent.parent.parent
tool = os.environ.get("TCA_REPLAY", str(root / ".build" / "debug" / "tca-replay"))
sizes = ((1440, 900), (1024, 768), (390, 844))
# Logs with the options of `view` and the place that is looked at.
pages = {
    "todos": (["todos.jsonl"], ""), "memos": (["memos.jsonl"], "#a=64&h=%2Fdeletion"), "board": (["board.jsonl"], "#a=17"),
    "inspections": (["inspections.jsonl"], ""), "signup": (["signup.jsonl"], ""), "cut": (["todos-cut.jsonl"], ""), "trap": (["todos-trap.jsonl"], ""),
    "trap-replayed": (["todos-trap.jsonl", "--replay"], ""), "diverged": (["counter-diverged.jsonl", "--replay"], ""),
    "effects-diverged": (["search-effects.jsonl", "--replay"], ""), "compared": (["search.jsonl", "search-effects.jsonl"], ""),
}


def main():
    is_documentation = "--documentation" in sys.argv
    folder = root / "Documentation" if is_documentation else pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    shots = [(name, f"{name}-{width}-{scheme}", size, scheme) for name in pages for size in sizes for scheme in ("light", "dark") for width in size[:1]]
    if is_documentation:
        shots = [("memos", "page-light", (1280, 760), "light"), ("diverged", "page-dark", (1280, 560), "dark")]
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        for name, file, (width, height), scheme in shots:
            arguments, fragment = pages[name]
            page = pathlib.Path(place) / f"{name}.html"
            if not page.exists():
                logs = [str(root / "SampleLogs" / part) if part.endswith(".jsonl") else part for part in arguments]
                subprocess.run([tool, "view", *logs, "-o", str(page)], check=True, capture_output=True)
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            tab = context.new_page()
            tab.goto(page.as_uri() + fragment)
            tab.wait_for_selector("html[data-ready]", state="attached")
            tab.wait_for_timeout(200)
            tab.screenshot(path=str(folder / f"{file}.png"))
            context.close()
        browser.close()


if __name__ == "__main__":
    main()
