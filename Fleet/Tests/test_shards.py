"""The shards of Kubernetes and of a matrix, as processes with the environment of a pod; results that are cut in each way."""

import os
import resource
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import fleet_logs
from fleet_logs import OPTIONS, ROOT, TOOL, difference, essence, lines_of, plain_run, run_tool

SHARD = ROOT / "Fleet/kubernetes/replay-shard"
SHARDS, COUNT = 3, 600


def setUpModule():
    global folder, logs, plain
    place = tempfile.TemporaryDirectory(prefix="tca-fleet-")
    unittest.addModuleCleanup(place.cleanup)
    folder = Path(place.name)
    logs = folder / "logs"
    fleet_logs.make(logs, COUNT)
    plain_run(logs, folder / "plain.jsonl")
    plain = lines_of(folder / "plain.jsonl")


class ShardTests(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="tca-fleet-")
        self.addCleanup(place.cleanup)
        self.results = Path(place.name)

    def start(self, index, **options):
        # The tool is not the host here, so the host is an option.
        environment = {**os.environ, **fleet_logs.ENVIRONMENT, "JOB_COMPLETION_INDEX": str(index), "SHARDS": str(SHARDS),
                       "LOGS": str(logs), "RESULTS": str(self.results), "HOST": TOOL}
        return subprocess.Popen([str(SHARD), "--jobs", "1", *OPTIONS], env=environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, start_new_session=True, **options)

    def finish(self, process):
        errors = process.communicate()[1].decode()
        return process.returncode, errors

    def wait_for_lines(self, path, count, process):
        while (len(lines_of(path)) if path.exists() else 0) < count:
            self.assertIsNone(process.poll(), "it ended before it had %d results" % count)
            time.sleep(0.005)

    def expect_plain(self, *files):
        merged = self.results / "merged"
        run_tool("summarize", *files, "--merge", merged)
        expected, found = essence(plain), essence(lines_of(merged))
        self.assertTrue(expected == found, difference(expected, found))

    def shards(self):
        return sorted(self.results.glob("shard-*.jsonl"))

    def test_shards_are_one_run(self):
        shards = [self.start(index) for index in range(SHARDS)]
        # A pod whose node is taken away.
        lost = self.results / "shard-1.jsonl"
        self.wait_for_lines(lost, 20, shards[1])
        os.killpg(shards[1].pid, signal.SIGKILL)
        self.assertEqual(self.finish(shards[1])[0], -signal.SIGKILL)
        kept = lines_of(lost)
        self.assertTrue(20 <= len(kept) < len(plain) // SHARDS, len(kept))
        again = self.start(1)
        for process in [shards[0], shards[2], again]:
            status, errors = self.finish(process)
            self.assertEqual(status, 0, errors)
        # It went on where the other one was: nothing is there twice, and what was there stayed.
        self.assertEqual(lines_of(lost)[:len(kept) - 1], kept[:-1])
        self.assertIn("not replayed again", errors)
        self.expect_plain(*self.shards())
        self.assertEqual(sum(len(lines_of(path)) for path in self.shards()), len(plain))
        own, whole = run_tool("summarize", *self.shards()), run_tool("summarize", folder / "plain.jsonl")
        self.assertEqual((own.stdout, own.returncode), (whole.stdout, whole.returncode))

    def test_a_pod_that_is_told_to_end(self):
        shard = self.start(0)
        path = self.results / "shard-0.jsonl"
        self.wait_for_lines(path, 20, shard)
        # To the shell alone, as the kubelet does it.
        os.kill(shard.pid, signal.SIGTERM)
        status, errors = self.finish(shard)
        self.assertEqual(status, 128 + signal.SIGTERM, errors)
        kept = lines_of(path)
        self.assertTrue(20 <= len(kept) < len(plain) // SHARDS)
        self.assertEqual(self.finish(self.start(0))[0], 0)
        self.assertEqual(lines_of(path)[:len(kept)], kept)

    def test_a_results_volume_that_is_full(self):
        def limit():
            # A file that cannot grow: the same as a disk that is full, but that the process is told by a signal, which it ignores here.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))

        path = self.results / "shard-2.jsonl"
        status, errors = self.finish(self.start(2, preexec_fn=limit))
        self.assertEqual(status, 74, errors)
        kept = lines_of(path)
        self.assertEqual(path.stat().st_size, 20_000)
        self.assertEqual(self.finish(self.start(2))[0], 0)
        found = lines_of(path)
        # The last line may have been cut.
        self.assertEqual(found[:len(kept) - 1], kept[:-1])
        expected = [line for index, line in enumerate(self.plain_files()) if index % SHARDS == 2]
        names = {name for name in expected}
        merged = self.results / "merged"
        run_tool("summarize", path, "--merge", merged)
        self.assertEqual(essence(line for line in plain if self.file_of(line) in names), essence(lines_of(merged)))

    def test_ctrl_c(self):
        path = self.results / "results.jsonl"
        run = subprocess.Popen([TOOL, "run", str(logs), "--results", str(path), *OPTIONS], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, env={**os.environ, **fleet_logs.ENVIRONMENT}, start_new_session=True)
        self.wait_for_lines(path, 50, run)
        os.killpg(run.pid, signal.SIGINT)
        run.communicate()
        self.assertEqual(run.returncode, -signal.SIGINT)
        kept = lines_of(path)
        self.assertEqual(set(essence(kept)) - set(essence(plain)), set())
        run_tool("run", logs, "--results", path, "--resume", *OPTIONS)
        self.assertEqual(lines_of(path)[:len(kept)], kept)
        self.expect_plain(path)

    def test_wrong_options_fail(self):
        environment = {**os.environ, "JOB_COMPLETION_INDEX": "0", "SHARDS": "0", "LOGS": str(logs), "RESULTS": str(self.results),
                       "HOST": TOOL}
        self.assertEqual(subprocess.run([str(SHARD)], env=environment, stderr=subprocess.DEVNULL).returncode, 64)
        del environment["SHARDS"]
        self.assertNotEqual(subprocess.run([str(SHARD)], env=environment, stderr=subprocess.DEVNULL).returncode, 0)

    @staticmethod
    def file_of(line):
        import json
        result = json.loads(line)
        return result["log"].rpartition("#")[0] if "logs" in result else result["log"]

    @staticmethod
    def plain_files():
        """The files in the order in which `run` takes them: by their names as text."""
        return sorted((str(path) for path in logs.rglob("*.jsonl")), key=lambda path: path.encode())


if __name__ == "__main__":
    unittest.main()
