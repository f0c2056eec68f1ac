"""Takes pictures of pages, to look at: screenshots.py FOLDER [NAME...] takes the sample logs, and logs that are not as most are, in all sizes
and both color schemes, and screenshots.py --documentation those that the documentation shows."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import sync_playwright

from page_test import replace, root, tool, write_log

sizes = ((2560, 1300), (1440, 900), (1024, 768), (768, 1024), (720, 900), (390, 844), (360, 780))
# Logs with the options of `view` and the place that is looked at.
pages = {
    "todos": (["todos.jsonl"], ""), "memos": (["memos.jsonl"], "#a=64&h=%2Fdeletion"), "board": (["board.jsonl"], "#a=17"),
    "inspections": (["inspections.jsonl"], ""), "signup": (["signup.jsonl"], ""), "account": (["account.jsonl"], ""), "draft": (["draft.jsonl"], ""),
    "counter": (["counter.jsonl"], ""), "search": (["search.jsonl"], ""), "cut": (["todos-cut.jsonl"], ""), "trap": (["todos-trap.jsonl"], ""),
    "trap-replayed": (["todos-trap.jsonl", "--replay"], ""), "diverged": (["counter-diverged.jsonl", "--replay"], ""),
    "same": (["counter.jsonl", "--replay"], ""), "effects-diverged": (["search-effects.jsonl", "--replay"], ""),
    "compared": (["search.jsonl", "search-effects.jsonl"], ""), "columns": (["todos.jsonl", "todos-cut.jsonl"], "#c=2"),
    "chart": (["counter.jsonl"], "#a=5&h=%2Fcount&m=3,9&p=2"), "window": (["memos.jsonl"], "#a=30&q=20..45"), "range": (["memos.jsonl", "--range", "40..60"], ""),
    "empty": (["empty"], ""), "short": (["short"], ""), "masked": (["masked"], "#a=1"), "gaps": (["gaps"], "#a=3"), "filtered": (["todos.jsonl"], "#q=nothing+like+that"),
    "live": (["live", "--follow"], ""), "pictures": (["board.jsonl", "--pictures"], "#a=40"), "pictures-replayed": (["counter-diverged.jsonl", "--pictures", "--replay"], "#a=3"),
}


def made_logs(folder):
    """Logs that no sample is like."""
    state = {"email": "masked5d79b2e0bf06c886bd", "token": {"$masked": "masked19aa0e21c4d0217fe3"}, "node": {"$opaque": "Node"}, "name": "abc\u202edef", "count": 0}
    write_log(folder / "empty", {"count": 0, "title": "Nothing yet"}, [])
    write_log(folder / "short", {"count": 0}, [{"action": {"incrementButtonTapped": {}}, "patch": [replace("/count", 1)]}, {"kind": "end", "seq": 1, "reason": "closed"}])
    write_log(folder / "masked", state, [
        {"action": {"emailChanged": {"_0": "masked77b1f02e5d3c4a90d8"}}, "patch": [replace("/email", "masked77b1f02e5d3c4a90d8")]},
        {"action": {"signInButtonTapped": {}}, "patch": [replace("/count", 1), replace("/token", {"$masked": "masked2207b1c95ea3d1f40b"})]},
        {"kind": "end", "seq": 2, "reason": "closed"},
    ], masked={"state": ["/email", "/token"], "action": ["/emailChanged"], "read": []})
    write_log(folder / "gaps", {"count": 0}, [
        {"action": {"tap": {}}, "patch": [replace("/count", 1)]}, {"kind": "note", "seq": 1, "at": 1500, "text": "the phone was shaken"},
        {"kind": "external", "seq": 1, "patch": [replace("/count", 5)]},
        {"kind": "excluded", "seq": 2, "at": 2000, "origin": "view", "patch": [replace("/count", 6)]},
        {"kind": "gap", "seq": 3, "dropped": 12, "reason": "the disk was full"}, {"kind": "checkpoint", "seq": 3, "state": {"count": 9}, "effects": []},
        {"kind": "action", "seq": 4, "at": 5203, "origin": "view", "action": {"tap": {}}}, {"kind": "change", "seq": 4, "patch": [replace("/count", 10)]},
        {"kind": "end", "seq": 4, "reason": "closed"},
    ])
    # An action that the app handles, with an effect that goes on.
    effect = {"id": "1.0", "op": "run", "name": "timer"}
    write_log(folder / "live", {"count": 0}, [
        {"action": {"startButtonTapped": {}}, "patch": [], "effects": [effect]},
        {"action": {"ticked": {}}, "origin": {"effect": "1.0"}, "patch": [replace("/count", 1)]}, {"action": {"saveButtonTapped": {}}},
    ])


def main():
    is_documentation = "--documentation" in sys.argv
    folder = root / "Documentation" if is_documentation else pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[2:] or pages
    shots = [(name, f"{name}-{size[0]}-{scheme}", size, scheme) for name in wanted for size in sizes for scheme in ("light", "dark")]
    if is_documentation:
        shots = [
            ("memos", "page-light", (1280, 760), "light"), ("diverged", "page-dark", (1280, 560), "dark"), ("pictures", "pictures-light", (1280, 900), "light"),
        ]
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        place = pathlib.Path(temporary)
        made_logs(place)
        browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        commands = []
        for name, file, (width, height), scheme in shots:
            arguments, fragment = pages[name]
            page = place / f"{name}.html"
            if not page.exists():
                logs = [str(root / "SampleLogs" / part) if part.endswith(".jsonl") else str(place / part) if (place / part).exists() else part for part in arguments]
                command = subprocess.Popen([tool, "view", *logs, "-o", str(page)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if "--follow" in arguments:
                    commands.append(command)
                    while not page.exists():
                        time.sleep(0.05)
                elif command.wait() != 0:
                    sys.exit(f"view fails on {name}")
            context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            tab = context.new_page()
            tab.goto(page.as_uri() + fragment)
            tab.wait_for_selector("html[data-ready]", state="attached")
            # Pictures come one after the other.
            tab.wait_for_timeout(2500 if "--pictures" in arguments else 200)
            tab.screenshot(path=str(folder / f"{file}.png"))
            context.close()
        browser.close()
        for command in commands:
            command.send_signal(signal.SIGINT)
            command.wait()


if __name__ == "__main__":
    main()
