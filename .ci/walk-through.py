"""Follows a text: `FILE`: before a block names the file that it is; blocks of console are commands and what they print."""

import os
import re
import subprocess
import sys


def blocks(text):
    """The fenced blocks: the line before each, its language and its lines."""
    before, block, language = "", None, ""
    for line in text.split("\n"):
        if block is None and line.startswith("```"):
            block, language = [], line[3:]
        elif block is not None and line == "```":
            yield before, language, block
            block = None
        elif block is not None:
            block.append(line)
        elif line.strip():
            before = line


def write(path, lines):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def patch(path, lines):
    """Replaces the lines of a block of diff that are there already by those that shall be."""
    old = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    new = "\n".join(line[1:] for line in lines if not line.startswith("-"))
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        sys.exit(f"{path} does not have this once:\n{old}")
    write(path, text.replace(old, new).rstrip("\n").split("\n"))


def matches(expected, found):
    # Any number of lines, none among them.
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else re.escape(line + "\n") for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in found)) is not None


def run(command, expected):
    print(f"$ {command}", flush=True)
    # What builds say goes to standard error.
    result = subprocess.run(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    found = result.stdout.decode().rstrip("\n").split("\n")
    status = 0
    if expected and (end := re.fullmatch(r"\[status (\d+)\]", expected[-1])):
        status = int(end.group(1))
        expected = expected[:-1]
    print("\n".join(found), flush=True)
    if result.returncode != status or not matches(expected or [""], found):
        print(result.stderr.decode()[-4000:], file=sys.stderr)
        sys.exit(f"status {result.returncode}; expected status {status} and\n" + "\n".join(expected))


def console(lines):
    command, expected = None, []
    for line in lines + ["$ "]:
        if not line.startswith("$ "):
            expected.append(line)
            continue
        if command:
            run(command, expected)
        command, expected = line[2:], []


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
for before, language, lines in blocks(text):
    name = re.search(r"`([^`]+)`:$", before)
    if language == "console":
        console(lines)
    elif language == "diff" and name:
        patch(name.group(1), lines)
    elif name:
        write(name.group(1), lines)
    else:
        sys.exit(f"nobody knows what to do with the block of {language} below: {before}")
