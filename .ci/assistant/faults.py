"""Finds planted faults with the tools alone: faults.py TOOL LOGS FOLDER ARTICLES [--update]

Each fault is in a sample feature, or in the build that recorded a log. The script knows the log and, where a user has complained, the complaint.
It has one way to look for all faults, sees no source, and has to name the action, the place and the cause within eight calls and 20,000 tokens.
"""

import asyncio
import json
import os
import re
import subprocess
import sys

from session import STATELESS, session

TOOL, LOGS, FOLDER, ARTICLES = (os.path.realpath(path) for path in sys.argv[1:5])
MOST_CALLS, MOST_TOKENS = 8, 20_000
FAULTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "faults")


class Fault:
    def __init__(self, name, log, action, place, cause, complaint=None, comes_and_goes=False, repeats=True, is_shown=True):
        self.name, self.log, self.complaint = name, log, complaint
        self.comes_and_goes = comes_and_goes
        # Whether the article shows the calls.
        self.is_shown = is_shown
        # Whether each replay has the same values.
        self.repeats = repeats
        # The truth, which the script compares its finding with, and does not look for.
        self.action, self.place, self.cause = action, place, cause


ALL = [
    Fault(
        "another build adds in another way",
        "SampleLogs/counter-diverged.jsonl",
        3, "count", "recorded 3, replayed 1",
    ),
    Fault(
        "another build cancels by another id",
        "SampleLogs/search-effects.jsonl",
        2, "effect 2.0: cancelID", "recorded",
        is_shown=False,
    ),
    Fault(
        "a row is deleted that is not there",
        "SampleLogs/todos-trap.jsonl",
        4, "Todos", "Index out of range",
    ),
    Fault(
        "an old answer replaces a newer one",
        "SampleLogs/exchange.jsonl",
        7, "rate", '.currencyPicked("JPY")',
        complaint='currency == "GBP" && rate > 100',
    ),
    Fault(
        "a save that ends late takes back a newer one",
        "SampleLogs/draft.jsonl",
        7, "savedRevision", ".saved(revision: 2)",
        comes_and_goes=True,
    ),
    Fault(
        "the song that plays is none of the list",
        "faults/playlist-playing.jsonl",
        4, "playing", ".played(2)",
        complaint="playing >= songs.count",
    ),
    Fault(
        "a song is in the list twice",
        "faults/playlist-twice.jsonl",
        4, "songs", ".undoButtonTapped",
        complaint="songs[1] && songs[0].id == songs[1].id",
        is_shown=False,
    ),
    Fault(
        "an average of no songs",
        "faults/playlist-average.jsonl",
        4, "Playlist", "Division by zero",
        is_shown=False,
    ),
    Fault(
        "a day in the time zone of the machine",
        "faults/receipt-day.jsonl",
        2, "day", "recorded 15, replayed 14; each replay has this value",
    ),
    Fault(
        "a random number that no dependency gave",
        "faults/receipt-ticket.jsonl",
        2, "ticket", "each replay has another value",
        repeats=False,
        is_shown=False,
    ),
]


class Tools:
    """The tools, with what they cost and a transcript."""

    def __init__(self, client):
        self.client, self.calls, self.tokens, self.transcript = client, 0, 0, []

    async def __call__(self, name, **arguments):
        result = await self.client.call_tool(name, arguments)
        assert not result.is_error, (name, arguments, result.content)
        self.calls += 1
        text = result.content[0].text
        whole = len(text.encode()) + len(json.dumps(result.structured_content).encode())
        self.tokens += whole // 4
        given = ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in arguments.items())
        self.transcript += [f"> {name}({given})", *text.splitlines(), ""]
        return result.structured_content


class Finding:
    def __init__(self, action, place, cause):
        self.action, self.place, self.cause = action, place, cause


def chain(causes):
    return " because of ".join(f"{link['action']} {link['text']}" for link in causes)


async def investigate(tools, log, complaint, comes_and_goes):
    """The way of a person who debugs: replay, then who and why."""
    replay = await tools("replay_log", log=log)
    if not replay["isSame"]:
        action, first = replay["action"], replay["differences"][0]
        await tools("list_actions", log=log, **{"from": action, "to": action, "details": True})
        again = (await tools("replay_log", log=log))["differences"][0]
        repeats = again.get("replayed") == first.get("replayed")
        causes = [f"recorded {first.get('recorded')}, replayed {first.get('replayed')}"]
        causes.append("each replay has this value" if repeats else "each replay has another value")
        causes.append(replay.get("suspicion", ""))
        causes.append(chain(replay["causes"]))
        return Finding(action, first["place"], "; ".join(cause for cause in causes if cause))
    if "signal" in replay:
        action = replay["action"]
        await tools("list_actions", log=log, **{"from": action - 1, "to": action, "details": True})
        said = " ".join(line.strip() for line in replay["hostOutput"])
        return Finding(action, said, f"{said}; {chain(replay['causes'])}")
    if complaint:
        found = await tools("find_first", log=log, condition=complaint)
        action = found["action"]
        causes = [chain(found["causes"])]
        # What the complaint names does not fit together: who set each of the values?
        for place in members(complaint):
            blame = await tools("who_changed", log=log, path=place, action=action)
            causes.append(f"{place} was set by {chain(blame['values'][0]['causes'])}")
        return Finding(action, ", ".join(members(complaint)), "; ".join(causes))
    assert comes_and_goes
    found = await tools("explore_orders", log=log, seconds=10)
    moves = "; ".join(f"{move['action']} {move['text']} comes after {move.get('after')}" for move in found["moves"])
    return Finding(found["moves"][0]["action"], found["place"], f"{found.get('text')}: {moves}")


def members(condition):
    """The members of the state that a condition names."""
    return list(dict.fromkeys(re.findall(r'(?<![\w."])[A-Za-z]\w*', condition)))


# A call of each tool that the faults do not need.
EXAMPLES = [
    ("summarize_log", {"log": "SampleLogs/exchange.jsonl"}),
    ("state_at", {"log": "SampleLogs/todos.jsonl", "action": 6, "path": "todos[*].title"}),
    ("picture_at", {"log": "SampleLogs/todos.jsonl", "action": 6}),
    ("compare_logs", {"log": "SampleLogs/counter.jsonl", "other": "SampleLogs/counter-diverged.jsonl"}),
    ("minimize_log", {"log": "SampleLogs/todos-trap.jsonl", "keep": "trap"}),
    ("what_if", {"log": "SampleLogs/exchange.jsonl", "edits": ["skip 4"]}),
    ("write_test", {"log": "faults/playlist-twice.jsonl", "style": "store"}),
    ("list_logs", {}),
]


async def main():
    transcript = []
    async with session(TOOL, [LOGS, FAULTS], FOLDER, STATELESS, "faults") as (client, _, _):
        for fault in ALL:
            tools = Tools(client)
            found = await investigate(tools, fault.log, fault.complaint, fault.comes_and_goes)
            assert tools.calls <= MOST_CALLS, (fault.name, tools.calls)
            assert tools.tokens <= MOST_TOKENS, (fault.name, tools.tokens)
            assert found.action == fault.action, (fault.name, found.action)
            assert fault.place in found.place, (fault.name, found.place)
            assert fault.cause in found.cause, (fault.name, found.cause)
            print(f"{fault.name}: {tools.calls} calls, {tools.tokens} tokens: "
                  f"action {found.action}, {found.place[:60]}, {found.cause[:120]}")
            # The frames of a trap are those of the machine.
            lines = [re.sub(r"\(\d+ more lines\)", "(… more lines)", line) for line in tools.transcript]
            if not fault.repeats:
                lines = [re.sub("replayed: .*", "replayed: …", line) for line in lines]
            complaint = f"# The complaint: {fault.complaint}" if fault.complaint else None
            complaint = "# The complaint: it comes and goes" if fault.comes_and_goes else complaint
            if not fault.is_shown:
                continue
            transcript += [f"# Planted: {fault.name}", *filter(None, [complaint]), "", *lines]
        examples = Tools(client)
        for name, arguments in EXAMPLES:
            await examples(name, **arguments)
    stale = [
        name for name, block, lines in [
            ("Assistants.md", "examples", examples.transcript), ("AssistantFaults.md", "transcript", transcript),
        ] if not is_current(name, block, lines)
    ]
    if stale:
        sys.exit(f"the server answers otherwise than {', '.join(stale)} shows; .ci/mcp TOOL --update writes it anew")


def is_current(name, block, lines):
    """Whether an article shows lines in a block; with --update it does afterwards."""
    path = f"{ARTICLES}/{name}"
    with open(path, encoding="utf-8") as file:
        article = file.read()
    wanted = with_block(article, block, lines)
    if wanted == article:
        return True
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write(wanted)
        return True
    with open(f"{FOLDER}/{name}", "w", encoding="utf-8") as file:
        file.write(wanted)
    subprocess.run(["diff", path, f"{FOLDER}/{name}"], check=False)
    return False


def with_block(article, name, lines):
    """The article with lines in a block that a comment names."""
    text = "\n".join(line.rstrip() for line in lines).strip()
    start, end = f"<!-- {name} of .ci/mcp -->\n\n```text\n", "\n```\n\n<!-- end -->"
    before, found, rest = article.partition(start)
    _, ended, after = rest.partition(end)
    assert found and ended, f"the article has no block '{name}'"
    return before + start + text + end + after


asyncio.run(main())
