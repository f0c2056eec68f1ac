"""Finds planted faults with the tools alone: faults.py TOOL LOGS FOLDER ARTICLE [--update]

Each fault is in a sample feature, or in the build that recorded a log. The script knows the log and, where a user has complained, the complaint.
It has one way to look for all faults, sees no source, and has to name the action, the place and the cause within eight calls and 20,000 tokens.
"""

import asyncio
import json
import os
import sys

from session import HANDSHAKE, STATELESS, session

TOOL, LOGS, FOLDER, ARTICLE = (os.path.realpath(path) for path in sys.argv[1:5])
MOST_CALLS, MOST_TOKENS = 8, 20_000
FAULTS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "faults")


class Fault:
    def __init__(self, name, log, action, place, cause, complaint=None, comes_and_goes=False):
        self.name, self.log, self.complaint = name, log, complaint
        self.comes_and_goes = comes_and_goes
        # The truth, which the script compares its finding with, and does not look for.
        self.action, self.place, self.cause = action, place, cause


ALL = [
    Fault(
        "another build adds in another way",
        "SampleLogs/counter-diverged.jsonl",
        3, "count", "recorded 3, replayed 2",
    ),
    Fault(
        "another build cancels by another id",
        "SampleLogs/search-effects.jsonl",
        2, "2.0/cancelID", "recorded",
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
        complaint='$.state.currency == "GBP" && $.state.rate > 100',
    ),
    Fault(
        "a save that ends late takes back a newer one",
        "SampleLogs/draft.jsonl",
        None, "savedRevision", ".saved(revision: 2)",
        comes_and_goes=True,
    ),
    Fault(
        "the song that plays is none of the list",
        "faults/playlist-playing.jsonl",
        4, "playing", ".played(2)",
        complaint="$.state.playing >= length($.state.songs)",
    ),
    Fault(
        "a song is in the list twice",
        "faults/playlist-twice.jsonl",
        4, "songs", ".undoButtonTapped",
        complaint="$.state.songs[0].id == $.state.songs[1].id",
    ),
    Fault(
        "an average of no songs",
        "faults/playlist-average.jsonl",
        4, "Playlist", "Division by zero",
    ),
    Fault(
        "a time that no dependency gave",
        "faults/receipt-clock.jsonl",
        2, "printedAt", "date",
    ),
    Fault(
        "a random number that no dependency gave",
        "faults/receipt-ticket.jsonl",
        2, "ticket", "recorded",
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
        causes = [f"recorded {first.get('recorded')}, replayed {first.get('replayed')}"]
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
        places = [change["place"] for change in found["changes"]]
        asked = [name for name in members(complaint) if name in places]
        place = asked[0] if asked else members(complaint)[-1]
        for name in members(complaint):
            if any(place_.split("[")[0] == name for place_ in places):
                place = name
                break
        else:
            place = members(complaint)[0]
        blame = await tools("who_changed", log=log, path=place, action=action)
        value = blame["values"][0]
        return Finding(action, place, f"{chain(found['causes'])}; {place} was set by {chain(value['causes'])}")
    assert comes_and_goes
    found = await tools("explore_orders", log=log, seconds=10)
    moves = "; ".join(f"{move['action']} {move['text']} comes after {move.get('after')}" for move in found["moves"])
    return Finding(None, found["place"], f"{found.get('text')}: {moves}")


def members(condition):
    """The members of the state that a condition names."""
    import re

    names = re.findall(r"\$\.state\.(\w+)", condition)
    return list(dict.fromkeys(reversed(names)))


async def main():
    rows, transcript = [], []
    version = STATELESS
    async with session(TOOL, [LOGS, FAULTS], FOLDER, version, "faults") as (client, _, _):
        for fault in ALL:
            tools = Tools(client)
            found = await investigate(tools, fault.log, fault.complaint, fault.comes_and_goes)
            assert tools.calls <= MOST_CALLS, (fault.name, tools.calls)
            assert tools.tokens <= MOST_TOKENS, (fault.name, tools.tokens)
            assert fault.action is None or found.action == fault.action, (fault.name, found.action)
            assert fault.place in found.place, (fault.name, found.place)
            assert fault.cause in found.cause, (fault.name, found.cause)
            print(f"{fault.name}: {tools.calls} calls, {tools.tokens} tokens: "
                  f"action {found.action}, {found.place[:60]}, {found.cause[:120]}")
            rows.append((fault, tools))
            transcript += [f"# {fault.name}", "", *tools.transcript]
    check_article(rows, transcript)


def check_article(rows, transcript):
    """Compares the article with the transcript, or writes it anew."""
    with open(ARTICLE, encoding="utf-8") as file:
        article = file.read()
    text = "\n".join(line.rstrip() for line in transcript).strip()
    start, end = "<!-- transcript of .ci/mcp -->\n\n```text\n", "\n```\n\n<!-- end -->"
    before, _, rest = article.partition(start)
    _, _, after = rest.partition(end)
    assert after or rest, "the article has no place for the transcript"
    wanted = before + start + text + end + after
    if "--update" in sys.argv:
        with open(ARTICLE, "w", encoding="utf-8") as file:
            file.write(wanted)
    elif wanted != article:
        with open(f"{FOLDER}/article.md", "w", encoding="utf-8") as file:
            file.write(wanted)
        os.system(f"diff {ARTICLE} {FOLDER}/article.md | head -40")
        sys.exit("the transcript in the article is another one; .ci/mcp TOOL --update writes it anew")


asyncio.run(main())
