#!/usr/bin/env python3
"""Reads logs of tca-replay and checks that they are consistent: reader.py LOG...

This is the reference for tools in other languages. It follows LogFormat.md, section by section, and nothing else; it needs Python 3.9
and no packages. '-' is standard input.

Ends with 0 if all logs are consistent, with 1 and the line and reason of the first problem of each other one, and with 64 if it was
called in another way.
"""
import json
import sys
from decimal import Decimal, InvalidOperation

VERSION = 1
KNOWN_FEATURES = {"splice", "withheld"}
MOST_LEVELS = 512
MOST_BYTES = 512 * 1024 * 1024
MOST_COPIED = 4 * 1024 * 1024
LARGEST_NUMBER = 2**53 - 1

# Nested values are read and compared by nested calls.
sys.setrecursionlimit(10_000)


class Problem(Exception):
    """What is wrong with a log."""


def expect(condition, reason):
    if not condition:
        raise Problem(reason)


# Reading


def number(text):
    return Decimal(text)


def refuse(text):
    raise ValueError(f"{text} is no number")


def parse(line):
    """The event of a line: an object whose first member is 'kind'. Of members with the same name the last one counts."""
    expect(len(line) <= MOST_BYTES, f"the line has more than {MOST_BYTES} bytes")
    try:
        event = json.loads(line.decode("utf-8"), parse_float=number, parse_int=number, parse_constant=refuse)
    except (ValueError, InvalidOperation) as error:
        raise Problem(f"the line is not JSON: {error}") from None
    except RecursionError:
        raise Problem(f"the line is nested in more than {MOST_LEVELS} levels") from None
    expect(isinstance(event, dict), "the line is not an object")
    expect(next(iter(event), None) == "kind" and isinstance(event["kind"], str), "the first member is not 'kind' with a string")
    expect(levels(event) <= MOST_LEVELS, f"the line is nested in more than {MOST_LEVELS} levels")
    return event


def events(file):
    """The events of a file with the numbers of their lines. The end of a file whose writer was killed is left out."""
    for index, line in enumerate(file, 1):
        is_whole = line.endswith(b"\n")
        try:
            yield index, parse(line)
        except Problem as problem:
            # Only the last line can be without a line feed.
            if not is_whole:
                return
            if not line.strip(b"\0\n") and not file.read().strip(b"\0"):
                return
            yield index, problem


# Values


def levels(value):
    """How many arrays and objects are inside one another."""
    deepest, stack = 0, [(value, 1)]
    while stack:
        value, depth = stack.pop()
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
        if parts is not None:
            deepest = max(deepest, depth)
            stack.extend((part, depth + 1) for part in parts)
    return deepest


def is_opaque(value):
    return isinstance(value, dict) and isinstance(value.get("$opaque"), str)


def are_equal(first, second):
    """Whether two values agree: numbers as exact decimals with the sign of zero, members whatever their order, and nothing that is not in the log."""
    if is_opaque(first) or is_opaque(second):
        if first is None or second is None:
            return False
        return not (is_opaque(first) and is_opaque(second)) or first["$opaque"] == second["$opaque"]
    if type(first) is not type(second):
        return False
    if isinstance(first, Decimal):
        return first == second and (first != 0 or first.is_signed() == second.is_signed())
    if isinstance(first, list):
        return len(first) == len(second) and all(map(are_equal, first, second))
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(are_equal(value, second[name]) for name, value in first.items())
    return first == second


def copied(value):
    if isinstance(value, dict):
        return {name: copied(part) for name, part in value.items()}
    return [copied(part) for part in value] if isinstance(value, list) else value


def whole(value, name, least=0, most=LARGEST_NUMBER):
    """A whole number."""
    is_whole = isinstance(value, Decimal) and value == value.to_integral_value() and least <= value <= most
    expect(is_whole, f"'{name}' is not a whole number from {least} to {most}")
    return int(value)


def array(value, name, of=object):
    expect(isinstance(value, list) and all(isinstance(part, of) for part in value), f"'{name}' is not an array of its kind")
    return value


def text(value, name):
    expect(isinstance(value, str), f"'{name}' is not a string")
    return value


# Patches (RFC 6902) with pointers (RFC 6901)


def tokens(pointer):
    text(pointer, "path")
    if pointer == "":
        return []
    expect(pointer.startswith("/"), f"the pointer {pointer!r} does not begin with '/'")
    parts = pointer[1:].split("/")
    expect(len(parts) <= MOST_LEVELS, f"the pointer has more than {MOST_LEVELS} levels")
    for part in parts:
        expect("~" not in part.replace("~0", "").replace("~1", ""), f"the pointer {pointer!r} has '~' without 0 or 1 after it")
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def position(token, count):
    """The position in an array that a token names; those before `count` exist."""
    is_number = token.isascii() and token.isdigit() and (token == "0" or token[0] != "0")
    expect(is_number and int(token) < count, f"the array has no element {token!r}")
    return int(token)


def member(container, token):
    if isinstance(container, list):
        return container[position(token, len(container))]
    expect(isinstance(container, dict) and token in container, f"there is no {token!r}")
    return container[token]


class Document:
    """A state to which patches are applied."""

    def __init__(self, value):
        self.value = copied(value)

    def get(self, path):
        value = self.value
        for token in path:
            value = member(value, token)
        return value

    def add(self, path, value, is_replacing=False):
        expect(len(path) + levels(value) <= MOST_LEVELS - 1, f"the patch nests the state in more than {MOST_LEVELS - 1} levels")
        if not path:
            self.value = value
            return
        container, last = self.get(path[:-1]), path[-1]
        if is_replacing:
            member(container, last)
        if isinstance(container, dict):
            container[last] = value
            return
        expect(isinstance(container, list), f"what should hold {last!r} is no array or object")
        if is_replacing:
            container[position(last, len(container))] = value
        else:
            container.insert(len(container) if last == "-" else position(last, len(container) + 1), value)

    def remove(self, path):
        expect(path, "the patch removes the whole state")
        container, last = self.get(path[:-1]), path[-1]
        value = member(container, last)
        if isinstance(container, dict):
            del container[last]
        else:
            del container[int(last)]
        return value

    def apply(self, patch, may_splice):
        size = 0
        for operation in array(patch, "patch", dict):
            name, path = operation.get("op"), tokens(operation.get("path"))
            needed = {"add": "value", "replace": "value", "test": "value", "move": "from", "copy": "from"}.get(name)
            expect(needed is None or needed in operation, f"an operation '{name}' has no '{needed}'")
            if name == "add":
                self.add(path, copied(operation["value"]))
            elif name == "replace":
                self.add(path, copied(operation["value"]), is_replacing=True)
            elif name == "remove":
                self.remove(path)
            elif name == "move":
                start = tokens(operation["from"])
                expect(path[: len(start)] != start or path == start, "the patch moves a value into itself")
                if path != start:
                    self.add(path, self.remove(start))
            elif name == "copy":
                value = self.get(tokens(operation["from"]))
                size += len(json.dumps(value, default=str))
                expect(size <= MOST_COPIED, f"the copies of the patch take more than {MOST_COPIED} bytes")
                self.add(path, copied(value))
            elif name == "test":
                expect(are_equal(self.get(path), operation["value"]), "the patch tests for another value")
            elif name == "splice":
                expect(may_splice, "the header does not require 'splice'")
                self.splice(path, operation)
            else:
                raise Problem(f"the patch has the unknown operation {name!r}")

    def splice(self, path, operation):
        old = self.get(path)
        expect(isinstance(old, str), "the patch splices what is no text")
        data = old.encode("utf-8")
        at, count = whole(operation.get("at"), "at"), whole(operation.get("remove"), "remove")
        expect(at + count <= len(data), "the patch splices beyond the end of the text")
        borders = [data[:at], data[at : at + count], data[at + count :]]
        try:
            for part in borders:
                part.decode("utf-8")
        except UnicodeDecodeError:
            raise Problem("the patch splices within a Unicode scalar") from None
        insert = text(operation.get("insert"), "insert").encode("utf-8")
        self.add(path, (borders[0] + insert + borders[2]).decode("utf-8"), is_replacing=True)


# Effects


class Effect:
    """An effect of the feature's own, as it was described."""

    def __init__(self, description, has_begun, is_known=True):
        self.description = description
        self.has_begun = has_begun
        self.is_cancelled = description.get("cancelled") is True
        self.has_ended = False
        # How many actions it has sent; unknown for one that was there before what is read.
        self.sent = 0 if is_known else None

    @property
    def is_send(self):
        return self.description["op"] == "send"


OPERATIONS = {"run", "send", "cancel", "merge", "concatenate"}


def leaves(descriptions, has_begun=True):
    """The effects of descriptions in the order of the tree, each with whether it begins with its action."""
    for effect in array(descriptions, "effects", dict):
        expect(effect.get("op") in OPERATIONS, "an effect has no 'op' that is known")
        name = effect["op"]
        if name in ("merge", "concatenate"):
            is_next = has_begun
            for part in array(effect.get("effects", []), "effects", dict):
                parts = list(leaves([part], is_next))
                yield from parts
                # A part that runs holds up those after it; a `send` takes no time.
                if name == "concatenate" and any(leaf["op"] == "run" for leaf, _ in parts):
                    is_next = False
        else:
            if name == "cancel":
                expect(isinstance(effect.get("cancelID"), dict), "a 'cancel' has no 'cancelID'")
            yield effect, has_begun


def own(descriptions):
    """The effects that the feature returned and that have a name in the log."""
    return [(leaf, begun) for leaf, begun in leaves(descriptions) if leaf["op"] in ("run", "send") and leaf.get("internal") is not True]


def names(description):
    """The texts of the cancellation ids of a description, each with its number, and those of the elements of paths."""
    found = description.get("cancelID")
    if isinstance(found, dict):
        key = json.dumps([found.get("type"), found.get("value")], default=str, sort_keys=True)
        yield ("id", key), found.get("n", Decimal(1))
        for element in array(found.get("path", []), "path", dict):
            rest = {name: value for name, value in element.items() if name != "n"}
            yield ("element", json.dumps(rest, default=str, sort_keys=True)), element.get("n", Decimal(1))
    for part in array(description.get("effects", []), "effects", dict):
        yield from names(part)


# Logs


class Log:
    """Follows one log from its header on."""

    def __init__(self, header):
        expect(header.get("format") == "tca-replay", "'format' is not \"tca-replay\"")
        version = whole(header.get("version"), "version")
        expect(version <= VERSION, f"the log has version {version}; this reader knows {VERSION}")
        required = header.get("requires")
        unknown = [name for name in array(required, "requires", str) if name not in KNOWN_FEATURES]
        expect(not unknown, f"the log requires {', '.join(unknown)}, which this reader does not know")
        for name in ("id", "feature", "stateType", "startedAt", "recorder"):
            text(header.get(name), name)
        self.required = set(required)
        self.state = None
        self.seq = None
        self.open = None
        self.withheld = None
        self.effects = {}
        self.ever = set()
        self.follows_effects = False
        self.after_gap = False
        self.is_closed = False
        self.actions = 0

    def read(self, event):
        kind = event["kind"]
        expect(not self.is_closed, f"'{kind}' comes after the end")
        method = getattr(self, f"read_{kind}", None)
        if method is None:
            return
        if self.seq is None:
            expect(kind in ("checkpoint", "gap"), f"'{kind}' comes before the first checkpoint")
        expect(not self.after_gap or kind in ("checkpoint", "gap", "note", "end"), f"'{kind}' comes after a gap; expected a checkpoint")
        method(event)

    def is_idle(self):
        expect(self.open is None, f"action {self.open} has no change")
        expect(self.withheld is None, f"withheld action {self.withheld} has not come")

    def patch(self, event):
        if self.state is not None:
            self.state.apply(event.get("patch"), "splice" in self.required)

    def read_checkpoint(self, event):
        self.is_idle()
        seq = whole(event.get("seq"), "seq")
        expect("state" in event, "the checkpoint has no 'state'")
        if self.seq is not None and not self.after_gap:
            expect(seq == self.seq, f"the checkpoint is after action {seq}; expected {self.seq}")
            expect(self.state is None or are_equal(self.state.value, event["state"]), "the checkpoint has another state than the changes before it lead to")
        self.seq, self.state, self.after_gap = seq, Document(event["state"]), False
        self.check_shared(event.get("shared", []))
        effects = array(event.get("effects", []), "effects", dict)
        self.check_numbers(effects)
        self.compare_effects(own(effects))

    def check_shared(self, places):
        """Of each value the places that hold the whole of it agree."""
        values = {}
        for place in array(places, "shared", dict):
            value = self.state.get(tokens(place.get("at")))
            if "part" not in place:
                other = values.setdefault(str(place.get("root")), value)
                expect(are_equal(value, other), f"the shared value at {place['at']} differs from others with its root")

    def check_numbers(self, descriptions):
        """A checkpoint numbers the ids that print alike anew, in their order."""
        last = {}
        for description in descriptions:
            for key, found in names(description):
                whole(found, "n", least=1)
                expect(found <= last.get(key, 0) + 1, f"an id has the number {found} in the checkpoint; expected at most {last.get(key, 0) + 1}")
                last[key] = max(last.get(key, 0), found)

    def compare_effects(self, listed):
        """The effects that a checkpoint lists are those that are alive by the events before it."""
        current = {}
        for leaf, begun in listed:
            name = text(leaf.get("id"), "id")
            expect(name not in current, f"the checkpoint lists effect {name} twice")
            effect = self.effects.get(name)
            if self.follows_effects:
                expect(effect is not None, f"the checkpoint lists effect {name}, which no action has returned or which has ended")
                is_cancelled = leaf.get("cancelled") is True
                expect(effect.is_cancelled == is_cancelled, f"the checkpoint has effect {name} as {'' if is_cancelled else 'not '}canceled, the events before it do not")
                for part in ("op", "name", "input"):
                    same = are_equal(effect.description.get(part), leaf.get(part))
                    expect(same, f"the checkpoint describes effect {name} with another '{part}'")
                current[name] = effect
            else:
                current[name] = Effect(leaf, begun, is_known=False)
        if self.follows_effects:
            for name, effect in self.effects.items():
                # What waits, or was sent and has not come, may have been dropped with an effect that was canceled.
                expect(name in current or effect.is_send or not effect.has_begun, f"the checkpoint does not list effect {name}, which is alive")
        self.effects = current
        self.ever |= current.keys()
        self.follows_effects = True

    def begin(self, event):
        """Checks number and sender of an action."""
        self.is_idle_before(event)
        seq = whole(event.get("seq"), "seq")
        expect(seq == self.seq + 1, f"the action has the number {seq}; expected {self.seq + 1}")
        self.check_origin(event.get("origin"), seq)
        return seq

    def is_idle_before(self, event):
        expect(self.open is None, f"action {self.open} has no change")
        if self.withheld is not None:
            expect(event["kind"] == "action" and event.get("seq") == self.withheld, f"withheld action {self.withheld} has not come")

    def check_origin(self, origin, seq):
        if origin in ("view", "parent"):
            return
        expect(isinstance(origin, dict), "'origin' is neither \"view\" nor \"parent\" nor an object")
        if "reentrant" in origin:
            expect(whole(origin["reentrant"], "reentrant") < seq, "'reentrant' names a later action")
            return
        name = text(origin.get("effect"), "effect")
        expect(not self.follows_effects or name in self.ever, f"effect {name} has sent the action, and no action has returned it")
        effect = self.effects.get(name)
        if not self.follows_effects or "via" in origin:
            return
        # A fork may have moved an action behind the end of its effect.
        if effect is None:
            return
        expect(not effect.is_cancelled, f"effect {name} has sent the action and was canceled before")
        effect.has_begun = True
        if effect.is_send:
            del self.effects[name]
        elif effect.sent is not None:
            effect.sent += 1

    def start(self, event, seq):
        """Takes note of the effects that an action has returned: numbered from 0 in the order of the tree."""
        for index, (leaf, begun) in enumerate(own(event.get("effects", []))):
            name = f"{seq}.{index}"
            expect(leaf.get("id") == name, f"an effect is named {leaf.get('id')!r}; expected {name!r}")
            self.effects[name] = Effect(leaf, begun)
            self.ever.add(name)

    def read_withheld(self, event):
        expect("withheld" in self.required, "the header does not require 'withheld'")
        self.is_idle()
        array(event.get("cases"), "cases", str)
        seq = whole(event.get("seq"), "seq")
        expect(seq == self.seq + 1, f"the action has the number {seq}; expected {self.seq + 1}")
        self.withheld = seq

    def read_action(self, event):
        expect("action" in event, "the event has no 'action'")
        self.seq = self.open = self.begin(event)
        self.withheld = None
        self.actions += 1

    def read_read(self, event):
        text(event.get("key"), "key")
        expect("value" in event, "the read has no 'value'")
        expect(self.open is not None and event.get("seq") == self.open, f"the read is of action {event.get('seq')}, which is not the open one")

    def read_change(self, event):
        expect(self.open is not None and event.get("seq") == self.open, f"the change is of action {event.get('seq')}, which is not the open one")
        self.patch(event)
        self.start(event, self.open)
        self.open = None

    def read_excluded(self, event):
        self.seq = self.begin(event)
        self.patch(event)
        self.start(event, self.seq)
        self.actions += 1

    def read_external(self, event):
        self.is_idle()
        expect(event.get("seq") == self.seq, f"the change from outside is after action {event.get('seq')}; expected {self.seq}")
        self.patch(event)

    def read_effect(self, event):
        name, kind = text(event.get("id"), "id"), event.get("event")
        expect(not self.follows_effects or name in self.ever, f"no action has returned effect {name}")
        expect(kind in ("started", "finished", "failed", "cancelled"), f"'event' is {kind!r}")
        effect = self.effects.get(name)
        if not self.follows_effects:
            return
        expect(effect is not None, f"effect {name} has ended before")
        if kind == "started":
            expect(not effect.has_begun, f"effect {name} has begun before")
            effect.has_begun = True
        elif kind == "cancelled":
            self.check_canceller(event.get("by"))
            expect(not effect.is_cancelled or "drops" in event, f"effect {name} was canceled before")
            effect.is_cancelled = True
            if effect.is_send:
                del self.effects[name]
        else:
            expect(effect.has_begun, f"effect {name} has not begun")
            if kind == "failed":
                expect("error" in event, "the event has no 'error'")
            else:
                sent = whole(event.get("sent"), "sent")
                # Actions may have been left out of a log that a command wrote.
                expect(effect.sent is None or sent >= effect.sent, f"effect {name} has sent {effect.sent} actions, more than {sent}")
            del self.effects[name]

    def check_canceller(self, by):
        if by in ("task", "store"):
            return
        expect(isinstance(by, dict), "'by' is neither \"task\" nor \"store\" nor an object")
        if "action" in by:
            seq = whole(by["action"], "action")
            expect(seq <= self.seq, f"'by' names action {seq}, which has not come")
        else:
            expect(by.get("effect") in self.ever, f"'by' names effect {by.get('effect')}, which no action has returned")

    def read_call(self, event):
        text(event.get("key"), "key")
        array(event.get("arguments"), "arguments")
        expect(not ("result" in event and "error" in event), "the call has both 'result' and 'error'")
        expect(not self.follows_effects or event.get("id") in self.ever, f"no action has returned effect {event.get('id')}")

    def read_gap(self, event):
        whole(event.get("dropped"), "dropped")
        self.seq = whole(event.get("seq"), "seq")
        # What is missing is not known, up to the checkpoint that comes next.
        self.open, self.withheld, self.state = None, None, None
        self.effects, self.follows_effects, self.after_gap = {}, False, True

    def read_note(self, event):
        text(event.get("text"), "text")

    def read_end(self, event):
        self.is_idle()
        seq = whole(event.get("seq"), "seq")
        expect(seq == self.seq, f"the end is after action {seq}; expected {self.seq}")
        text(event.get("reason"), "reason")
        self.is_closed = True


def check(file):
    """Reads the logs of a file; the line and reason of the first problem, or `None`, and how many actions there are."""
    log, actions, line = None, 0, 0
    try:
        for line, event in events(file):
            if isinstance(event, Problem):
                raise event
            if event["kind"] == "header":
                actions += log.actions if log else 0
                log = Log(event)
                continue
            expect(log is not None, "the first event is not a header")
            log.read(event)
        expect(log is not None, "the file has no log")
    except Problem as problem:
        return (max(line, 1), str(problem)), actions
    return None, actions + log.actions


def main(paths):
    if not paths or paths[0].startswith("--"):
        print(__doc__.strip(), file=sys.stderr)
        return 64
    status = 0
    for path in paths:
        try:
            file = sys.stdin.buffer if path == "-" else open(path, "rb")
        except OSError as error:
            print(f"{path}: {error.strerror}", file=sys.stderr)
            status = 1
            continue
        with file:
            problem, actions = check(file)
        if problem:
            status = 1
            print(f"{path}:{problem[0]}: {problem[1]}")
        else:
            print(f"{path}: consistent, {actions} action{'' if actions == 1 else 's'}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
