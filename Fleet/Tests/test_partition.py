"""What an executor does with the logs of a partition: tools that end, hang and cannot be started."""

import json
import os
import stat
import sys
import tempfile
import time
import unittest
from pathlib import Path

import fleet_logs
from fleet_logs import ROOT, TOOL

sys.path.insert(0, str(ROOT / "Fleet/spark"))

import partition_replay
from partition_replay import NUMBERS, STRINGS, digest_of, fingerprint, local_path, name_of, replay_partition, setting_of

COLUMNS = ["verdict"] + STRINGS + NUMBERS + ["seconds"]


class PartitionTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tca-fleet-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ["a", "b", "c"]:
            (self.folder / (name + ".jsonl")).write_bytes((ROOT / "SampleLogs/counter.jsonl").read_bytes())
        environment = dict(os.environ)
        os.environ.update(fleet_logs.ENVIRONMENT)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(environment)))

    def job(self, tool=TOOL, **details):
        return {"command": [str(tool)], "options": ["--timeout", "2"], "timeout": 2.0,
                "roots": [("file:" + str(self.folder), "logs")], **details}

    def files(self, *names):
        paths = [self.folder / (name + ".jsonl") for name in names or ["a", "b", "c"]]
        return [("file:" + str(path), path.stat().st_size if path.exists() else 0) for path in paths]

    def replay(self, job, files=None):
        return [dict(zip(COLUMNS, row)) for row in replay_partition(files or self.files(), job)]

    def tool(self, text):
        """A tool that a script of Python stands for; `pass_on()` becomes the real one."""
        path = self.folder / "tool"
        path.write_text("#!%s\nimport os, sys, time, json, subprocess\nTOOL = %r\nFOLDER = %r\n"
                        "def pass_on(): os.execv(TOOL, [TOOL] + sys.argv[1:])\n%s" % (sys.executable, TOOL, str(self.folder), text))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    def test_lines_are_those_of_the_tool(self):
        (self.folder / "two.jsonl").write_bytes((self.folder / "a.jsonl").read_bytes() * 2)
        found = self.replay(self.job(), self.files("a", "two", "gone", "c"))
        self.assertEqual([row["log"] for row in found],
                         ["logs/a.jsonl", "logs/two.jsonl#1", "logs/two.jsonl#2", "logs/gone.jsonl", "logs/c.jsonl"])
        self.assertEqual([row["file"] for row in found[1:3]], ["logs/two.jsonl"] * 2)
        self.assertEqual([row["verdict"] for row in found], ["identical"] * 3 + ["missing", "identical"])
        fleet_logs.run_tool("run", "logs", "--results", "plain.jsonl", "--timeout", "2", cwd=self.linked())
        plain = [line for line in fleet_logs.lines_of(self.folder / "plain.jsonl") if "b.jsonl" not in line]
        lines = [row["line"] for row in found if row["verdict"] != "missing"]
        self.assertEqual(fleet_logs.essence(plain), fleet_logs.essence(lines))

    def linked(self):
        """A folder in which `logs` is the folder of the logs."""
        os.symlink(".", self.folder / "logs")
        return self.folder

    def test_content_that_spark_has_read(self):
        text = (self.folder / "a.jsonl").read_bytes()
        files = [("hdfs://store/logs/a.jsonl", len(text), bytearray(text)), ("hdfs://store/logs/none.jsonl", 0, bytearray())]
        found = self.replay(self.job(roots=[("hdfs://store/logs", "hdfs://store/logs")]), files)
        self.assertEqual([(row["log"], row["verdict"], row["bytes"]) for row in found],
                         [("hdfs://store/logs/a.jsonl", "identical", len(text)), ("hdfs://store/logs/none.jsonl", "unreadable", 0)])

    def test_a_tool_that_ends_costs_the_log_that_ends_it(self):
        tool = self.tool(
            "child = subprocess.Popen([TOOL] + sys.argv[1:], stdin=subprocess.PIPE)\n"
            "for line in sys.stdin:\n"
            "    if json.loads(line)['log'].endswith('b.jsonl'): child.kill(); os.abort()\n"
            "    child.stdin.write(line.encode()); child.stdin.flush()\n"
            "child.stdin.close(); child.wait()\n")
        found = self.replay(self.job(tool))
        self.assertEqual([row["verdict"] for row in found], ["identical", "failed", "identical"])
        failed = found[1]
        self.assertEqual(failed["symptom"], "the tool ended by SIGABRT")
        self.assertEqual(failed["status"], 69)
        # The same host, options and content as in the line that a plain run has of it.
        for member in ["host", "options", "bytes", "digest"]:
            self.assertEqual(failed[member], found[0][member], member)

    def test_a_tool_that_ends_once_costs_nothing(self):
        tool = self.tool(
            "child = subprocess.Popen([TOOL] + sys.argv[1:], stdin=subprocess.PIPE)\n"
            "for line in sys.stdin:\n"
            "    if json.loads(line)['log'].endswith('b.jsonl') and not os.path.exists(FOLDER + '/sign'):\n"
            "        open(FOLDER + '/sign', 'w'); child.kill(); os.abort()\n"
            "    child.stdin.write(line.encode()); child.stdin.flush()\n"
            "child.stdin.close(); child.wait()\n")
        self.assertEqual([row["verdict"] for row in self.replay(self.job(tool))], ["identical"] * 3)

    def test_a_tool_that_does_not_answer_is_ended(self):
        tool = self.tool("time.sleep(1000)\n")
        before = partition_replay.Tool.HELLO_SECONDS
        partition_replay.Tool.HELLO_SECONDS = 1
        self.addCleanup(setattr, partition_replay.Tool, "HELLO_SECONDS", before)
        began = time.monotonic()
        found = self.replay(self.job(tool))
        self.assertEqual({row["symptom"] for row in found}, {"the tool did not answer within 1 s"})
        self.assertEqual([row["log"] for row in found], ["logs/a.jsonl", "logs/b.jsonl", "logs/c.jsonl"])
        # Not tried again for each log.
        self.assertLess(time.monotonic() - began, 30)

    def test_tools_that_are_none(self):
        for tool, message in [("/nowhere/tool", "the tool /nowhere/tool cannot be started: No such file or directory"),
                              ("/bin/false", "the tool ended with status 1")]:
            with self.subTest(tool):
                self.assertEqual(setting_of(self.job(tool)), (tool, "--timeout 2", message))
                found = self.replay(self.job(tool))
                self.assertEqual({(row["verdict"], row["symptom"]) for row in found}, {("failed", message)})
                self.assertEqual(len(found), 3)

    def test_no_process_is_left(self):
        replay = replay_partition(iter(self.files()), self.job())
        next(replay)
        tools = self.children()
        self.assertTrue(tools)
        replay.close()
        for _ in range(100):
            if not [pid for pid in tools if os.path.exists("/proc/%d" % pid)]:
                return
            time.sleep(0.1)
        self.fail("processes are left: %s" % tools)

    @staticmethod
    def children():
        """The processes that this one has started, and theirs."""
        parents = {}
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                try:
                    status = Path("/proc/%s/stat" % entry).read_text()
                except OSError:
                    continue
                parents[int(entry)] = int(status.rpartition(")")[2].split()[1])
        found, new = set(), {os.getpid()}
        while new:
            new = {pid for pid, parent in parents.items() if parent in new} - found
            found |= new
        return found

    def test_digests_and_fingerprints_are_those_of_the_tool(self):
        for size in [0, 1, 7, 8, 9, 4097]:
            (self.folder / "x.jsonl").write_bytes(bytes(number * 7 % 251 for number in range(size)))
            row = self.replay(self.job(), self.files("x"))[0]
            self.assertEqual(row["digest"], digest_of(str(self.folder / "x.jsonl")), "%d bytes" % size)
        row = self.replay(self.job(), self.files("gone"))[0]
        self.assertEqual((row["symptom"], row["fingerprint"]), ("there is no file LOG", fingerprint("missing", "there is no file LOG")))

    def test_names(self):
        roots = [("file:/data/logs/b", "b"), ("file:/data/logs", "../logs/"), ("s3a://bucket", "s3a://bucket/")]
        for path, name in [("file:/data/logs/a.jsonl", "../logs/a.jsonl"), ("file:/data/logs/b/x y.jsonl", "b/x y.jsonl"),
                           ("file:/data/logsx/a.jsonl", "file:/data/logsx/a.jsonl"), ("s3a://bucket/d/a.jsonl", "s3a://bucket/d/a.jsonl"),
                           ("file:/data/logs", "../logs/")]:
            self.assertEqual(name_of(path, roots), name)
        self.assertEqual(local_path("file:///a/b%20c.jsonl"), "/a/b%20c.jsonl")


if __name__ == "__main__":
    unittest.main()
