"""Logs of a fleet for the tests, and what a plain run finds in them."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOST = Path(__file__).resolve().with_name("faulty_host.py")
TOOL = os.environ.get("TCA_REPLAY", str(ROOT / ".build/release/tca-replay"))
# What hosts need beside what the tests' own environment has.
ENVIRONMENT = {"FAULTY_HOST": TOOL, "TCA_REPLAY_HOST": "", "SWIFT_BACKTRACE": "enable=no"}
OPTIONS = ["--host", str(HOST), "--timeout", "6"]
# Commands that a shell starts in the background ignore Ctrl-C, and hand that on. With a handler here, children begin as at a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Most logs of a fleet pass; each fault that a log can have is there.
SAMPLES = ["counter", "exchange", "search", "counter-diverged", "draft", "search-effects", "todos-cut"]


def make(folder, count):
    """Writes logs: copies of the samples, and faulty ones among them."""
    texts = {name: (ROOT / "SampleLogs" / (name + ".jsonl")).read_bytes() for name in SAMPLES + ["todos-trap", "todos"]}
    faults = {
        50: ("corrupt", texts["counter"][:1500] + b"\x00\xff" + texts["counter"][1500:]),
        51: ("torn", texts["exchange"][:-40]),
        52: ("empty", b""),
        53: ("no-log", b"no log\n"),
        54: ("unknown-feature", texts["counter"].replace(b'"Counter"', b'"Kounter"')),
        55: ("two", texts["counter"] + texts["counter-diverged"]),
        56: ("crash", texts["counter"]),
        57: ("trap", texts["todos-trap"]),
        # In an order in which neither a path nor a pattern is what it looks like.
        58: ("[a]{b}*? %20é#", texts["search"]),
    }
    hanging = {count // 3, count // 2}
    for number in range(count):
        name, text = SAMPLES[number % len(SAMPLES)], None
        text = texts[name]
        if number % 250 in faults:
            name, text = faults[number % 250]
        if number in hanging:
            name, text = "hang", texts["counter"]
        path = Path(folder) / ("%02d" % (number % 20)) / ("%05d-%s.jsonl" % (number, name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def run_tool(*arguments, **options):
    """Runs the tool to its end, and gives the process with what it wrote."""
    return subprocess.run(
        [TOOL] + [str(argument) for argument in arguments], env={**os.environ, **ENVIRONMENT}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def plain_run(logs, results):
    """What `run` finds in a folder."""
    return run_tool("run", logs, "--results", results, *OPTIONS)


def essence(lines):
    """Result lines without what differs from run to run, in an order of their own."""
    found = []
    for line in lines:
        result = json.loads(line)
        for member in ["seconds", "finishedAt"]:
            del result[member]
        found.append(json.dumps(result, sort_keys=True, ensure_ascii=False))
    return sorted(found)


def lines_of(path):
    # Other ends of lines than a line feed are no ends of result lines.
    return [line for line in Path(path).read_text(encoding="utf-8").split("\n") if line]


def difference(expected, found):
    """The first lines that only one of two has, for messages."""
    expected, found = set(expected), set(found)
    return "\n".join(
        ["only expected: " + line for line in sorted(expected - found)[:5]]
        + ["only found: " + line for line in sorted(found - expected)[:5]])


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
