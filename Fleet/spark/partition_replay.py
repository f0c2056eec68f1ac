"""What an executor does: replays the logs of one partition with one process of the tool, which keeps one host running.

The tool reads a path from its standard input, replays the log, and writes its result line before it reads the next path. A host that
crashes or hangs is the tool's matter, and costs its log. A tool that ends is started again; it costs the log that it was replaying, and
that only if it ends a second time. Every file that comes in goes out with at least one row.
"""

import ctypes
import datetime
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# The columns of the results beside `verdict`, by which they are partitioned. The names are those of the members of a result line;
# `file` is the log's name without its number among several logs in a file, `line` the result line itself.
STRINGS = ["file", "log", "digest", "fingerprint", "symptom", "id", "feature", "startedAt", "recorder", "app", "schema",
           "host", "options", "finishedAt", "line"]
NUMBERS = ["bytes", "logs", "status", "at", "actions"]

HOST_FAILED = 69
INPUT_OUTPUT = 74


class ToolEnded(Exception):
    """The tool has ended, or does not answer, with the reason in words."""


class Tool:
    """A running `tca-replay run --files-from - --results -`."""

    HELLO_SECONDS = 60

    def __init__(self, command, options, folder):
        arguments = list(command) + ["run", "--files-from", "-", "--results", "-", "--jobs", "1"] + list(options)
        # What it says for people goes to a file, of which the end is told if it dies before it has answered.
        self.errors = open(os.path.join(folder, "errors"), "w+b")
        try:
            self.process = subprocess.Popen(
                arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, preexec_fn=end_with_parent)
        except OSError as error:
            self.errors.close()
            raise ToolEnded("the tool %s cannot be started: %s" % (command[0], error.strerror))
        self.rest = b""
        # A log that is not there has a result, too: it tells the host's digest and the options as results have them.
        self.host, self.options = None, None
        try:
            probe = json.loads(self.ask(os.path.join(folder, "none.jsonl"), "", self.HELLO_SECONDS)[0])
        except ToolEnded:
            self.kill()
            self.close()
            raise
        self.host, self.options = probe["host"], probe["options"]

    def ask(self, path, name, seconds):
        """Has a file replayed, and gives the result lines of its logs."""
        end = time.monotonic() + seconds
        request = json.dumps({"path": path, "log": name}) + "\n"
        try:
            self.process.stdin.write(request.encode())
            self.process.stdin.flush()
        except OSError:
            raise self.ended()
        lines = [self.line(end, seconds)]
        try:
            count = json.loads(lines[0]).get("logs", 1)
        except (ValueError, AttributeError):
            self.kill()
            raise ToolEnded("the tool answered with something else than a result")
        for _ in range(count - 1):
            lines.append(self.line(end, seconds))
        # There is nothing to read in it while all goes well, and it must not grow with the number of logs.
        if os.fstat(self.errors.fileno()).st_size > 1 << 20:
            self.errors.truncate(0)
            self.errors.seek(0)
        return lines

    def line(self, end, seconds):
        while b"\n" not in self.rest:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                self.kill()
                raise ToolEnded("the tool did not answer within %d s" % seconds)
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                raise self.ended()
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def ended(self):
        """The error for a tool that has closed its streams."""
        try:
            status = self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.kill()
            return ToolEnded("the tool stopped answering")
        how = "by %s" % signal.Signals(-status).name if status < 0 else "with status %d" % status
        said = ""
        # Later its last line is about a log, and which one is a matter of time.
        if self.host is None:
            self.errors.seek(max(0, os.fstat(self.errors.fileno()).st_size - 2000))
            said = self.errors.read().decode(errors="replace").strip().split("\n")[-1]
        return ToolEnded("the tool ended %s%s" % (how, ": " + said if said else ""))

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def close(self):
        """Ends the tool, and with it its host."""
        try:
            self.process.stdin.close()
            self.process.wait(5)
        except (OSError, subprocess.TimeoutExpired):
            self.kill()
        self.process.stdout.close()
        self.errors.close()


def end_with_parent():
    """In the child: SIGTERM when the worker dies, so that tool and host go with an executor that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)


class PartitionReplay:
    """Replays the files of a partition.

    job: a dictionary with `command` (the tool and what comes before `run`), `options` (of `run`), `timeout` (seconds that a host has
    for a log) and `roots` (pairs of a folder as Spark names it and as the user has).
    """

    # A tool that cannot even say hello does not get better with every log.
    MOST_FAILED_STARTS = 3

    def __init__(self, job):
        self.job = job
        self.folder = tempfile.mkdtemp(prefix="tca-replay-")
        self.tool = None
        self.failed_starts = 0
        self.reason = ""
        self.host, self.options = job["command"][0], " ".join(job["options"])

    def start(self):
        if self.tool is None:
            if self.failed_starts >= self.MOST_FAILED_STARTS:
                raise ToolEnded(self.reason)
            try:
                self.tool = Tool(self.job["command"], self.job["options"], self.folder)
            except ToolEnded as error:
                self.failed_starts += 1
                self.reason = str(error)
                raise
            self.failed_starts = 0
            self.host, self.options = self.tool.host, self.tool.options
        return self.tool

    def rows(self, path, length, content):
        """The rows of a file.

        path: its URI as Spark has it. length: in bytes. content: the bytes; None for a file that the tool can open itself.
        """
        name = name_of(path, self.job["roots"])
        if content is None:
            lines = self.replay(local_path(path), name, length)
        else:
            copy = os.path.join(self.folder, "log.jsonl")
            with open(copy, "wb") as file:
                file.write(content)
            try:
                lines = self.replay(copy, name, length)
            finally:
                os.unlink(copy)
        return [row(line, name) for line in lines]

    def replay(self, path, name, length):
        began = time.monotonic()
        # The tool ends a host that takes too long; this is for the tool itself, which may replay twice and read a long log.
        limit = 60 + 4 * self.job["timeout"] + length / 100_000
        for attempt in range(2):
            try:
                return self.start().ask(path, name, limit)
            except ToolEnded as error:
                reason = str(error)
                if self.tool is not None:
                    self.tool.kill()
                    self.tool.close()
                    self.tool = None
        return [failure(
            name, reason, length, self.host, self.options, digest=digest_of(path), seconds=time.monotonic() - began)]

    def close(self):
        if self.tool is not None:
            self.tool.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def replay_partition(files, job):
    """Rows for files, each a path, a length and, if Spark has read it, a content."""
    replay = PartitionReplay(job)
    try:
        for file in files:
            for row in replay.rows(file[0], file[1], bytes(file[2]) if len(file) > 2 else None):
                yield row
    finally:
        replay.close()


def setting_of(job):
    """The host's digest and the options, as the results of this job have them; what keeps the tool from telling them, if anything."""
    replay = PartitionReplay(job)
    try:
        replay.start()
        return replay.host, replay.options, None
    except ToolEnded as error:
        return replay.host, replay.options, str(error)
    finally:
        replay.close()


def name_of(path, roots):
    """The name of a log: below the folder as the user has named it, as `run FOLDER` names it."""
    for root, typed in roots:
        if path == root:
            return typed
        if path.startswith(root.rstrip("/") + "/"):
            return typed.rstrip("/") + "/" + path[len(root.rstrip("/")) + 1:]
    return path


def local_path(path):
    """The path of a file: URI as Spark writes it, which is not escaped."""
    return "/" + path[len("file:"):].lstrip("/") if path.startswith("file:") else path


def row(line, name):
    """The row of a result line: the verdict, then strings and numbers in the order of the columns, then the seconds."""
    result = json.loads(line)
    result["file"], result["line"] = name, line
    result.setdefault("logs", 1)
    for member in ["app", "schema"]:
        if member in result:
            result[member] = json.dumps(result[member], sort_keys=True)
    return tuple(
        [result["verdict"]] + [result.get(member) for member in STRINGS] + [result.get(member) for member in NUMBERS]
        + [float(result.get("seconds", 0))])


def failure(name, message, length, host, options, verdict="failed", status=HOST_FAILED, digest="", seconds=0.0):
    """The result line of a log for which the tool has none."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return json.dumps({
        "result": 1, "log": name, "digest": digest, "bytes": length, "verdict": verdict, "status": status,
        "fingerprint": fingerprint(verdict, message), "symptom": message, "host": host, "options": options,
        "seconds": round(seconds, 6), "finishedAt": now.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (now.microsecond // 1000),
    }, separators=(",", ":"))


PRIME, MASK = 0x100000001B3, (1 << 64) - 1


def fingerprint(kind, message):
    """The fingerprint of a failure, by the tool's rule 1."""
    digest = 0xCBF29CE484222325
    for byte in "\x1f".join([kind, "", "", "", message]).encode():
        digest = (digest ^ byte) * PRIME & MASK
    return "1" + ("%x" % digest)[-15:].rjust(15, "0")


def digest_of(path):
    """The digest of a file by the tool's rule; empty when it cannot be read. It is slow, and only for logs that have ended a tool."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return ""
    digest = 0xCBF29CE484222325
    whole = len(data) // 8 * 8
    for offset in range(0, whole, 8):
        digest = (digest ^ int.from_bytes(data[offset:offset + 8], "little")) * PRIME & MASK
        digest = (digest << 31 | digest >> 33) & MASK
    for byte in data[whole:]:
        digest = (digest ^ byte) * PRIME & MASK
    return "%016x" % (digest ^ digest >> 29)
