"""The Spark job with the real engine: what it finds is what a plain run finds, whatever is lost on the way."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import fleet_logs
from fleet_logs import OPTIONS, ROOT, TOOL, difference, essence, lines_of, plain_run, run_tool

SPARK = ROOT / "Fleet/spark"
sys.path.insert(0, str(SPARK))
os.environ.update(fleet_logs.ENVIRONMENT, PYSPARK_PYTHON=sys.executable, PYSPARK_DRIVER_PYTHON=sys.executable,
                  SPARK_LOCAL_IP="127.0.0.1")

from pyspark.sql import SparkSession

import replay_logs
import results

COUNT = int(os.environ.get("FLEET_LOGS", "5000"))
SETTINGS = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.sql.shuffle.partitions": "4",
            "spark.ui.showConsoleProgress": "false"}


def setUpModule():
    """The logs, and what a plain run finds in them."""
    global folder, logs, plain
    place = tempfile.TemporaryDirectory(prefix="tca-fleet-")
    unittest.addModuleCleanup(place.cleanup)
    folder = Path(place.name)
    logs = folder / "logs"
    fleet_logs.make(logs, COUNT)
    began = time.monotonic()
    run = plain_run(logs, folder / "plain.jsonl")
    print("a plain run of %d files: %.1f s, status %d" % (COUNT, time.monotonic() - began, run.returncode), flush=True)
    plain = lines_of(folder / "plain.jsonl")


@contextlib.contextmanager
def session(master, **settings):
    builder = SparkSession.builder.master(master).appName("tests")
    for key, value in {**SETTINGS, **settings}.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.sparkContext.addPyFile(str(SPARK / "partition_replay.py"))
    try:
        yield spark
    finally:
        spark.stop()


def arguments(output, *more, paths=None):
    return replay_logs.parse([str(path) for path in paths or [logs]]
                             + ["--output", str(output), "--tool", TOOL, *more, "--"] + OPTIONS)


def command(output, *more):
    """The job as users start it."""
    settings = [word for key, value in SETTINGS.items() for word in ["--conf", "%s=%s" % (key, value)]]
    return [str(Path(sys.executable).with_name("spark-submit")), "--master", "local[2]", *settings, str(SPARK / "replay_logs.py"),
            str(logs), "--output", str(output), "--tool", TOOL, *more, "--", *OPTIONS]


def lines(spark, output):
    return [row.line for row in results.read(spark, str(output)).select("line").collect()]



def processes(parent, word):
    """The processes below one that this test has started, which have a word in their command line."""
    parents, commands = {}, {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(Path("/proc/%s/stat" % entry).read_text().rpartition(")")[2].split()[1])
                commands[int(entry)] = Path("/proc/%s/cmdline" % entry).read_bytes().decode(errors="replace")
            except OSError:
                continue
    found, new = set(), {parent}
    while new:
        new = {pid for pid, of in parents.items() if of in new} - found
        found |= new
    return sorted(pid for pid in found if word in commands[pid])


class SparkTests(unittest.TestCase):
    def expect_plain(self, found):
        expected, found = essence(plain), essence(found)
        self.assertTrue(expected == found, difference(expected, found))

    def test_1_a_machine(self):
        """local[2]: lines, resuming, and what is missing."""
        output = folder / "local"
        began = time.monotonic()
        with session("local[2]") as spark:
            job = replay_logs.Job(spark, arguments(output))
            self.assertEqual(job.run(), 0)
            print("local[2]: %.1f s" % (time.monotonic() - began), flush=True)
            self.expect_plain(lines(spark, output))
            failed = sum(json.loads(line)["status"] != 0 for line in plain)
            self.assertEqual(job.counts(), (len(plain), failed))
            verdicts = {path.name for path in output.iterdir() if path.name.startswith("verdict=")}
            self.assertEqual(verdicts, {"verdict=" + json.loads(line)["verdict"] for line in plain})

            # Results are not lost by mistake.
            with self.assertRaises(results.JobError) as caught:
                replay_logs.Job(spark, arguments(output)).run()
            self.assertEqual(caught.exception.status, 73)

            # What has a result is not replayed again; what has changed, or is new, is.
            changed, new = logs / "01/00001-exchange.jsonl", logs / "01/new [1].jsonl"
            before = changed.read_bytes()
            self.addCleanup(changed.write_bytes, before)
            self.addCleanup(lambda: new.unlink(missing_ok=True))
            new.write_bytes(before)
            changed.write_bytes(before + b"\n")
            self.assertEqual(replay_logs.Job(spark, arguments(output, "--resume")).run(), COUNT - 1)
            found = [json.loads(line) for line in lines(spark, output)]
            self.assertEqual(len(found), len(plain) + 2)
            self.assertEqual([sum(row["log"] == str(path) for row in found) for path in [changed, new]], [2, 1])

            # A log that Spark reads, and not the tool, has the same line; one that it may not read is counted.
            longest = max((logs / "02").iterdir(), key=lambda path: path.stat().st_size)
            copied = folder / "copied"
            options = ["--copy", "--largest", str(longest.stat().st_size - 1)]
            replay_logs.Job(spark, arguments(copied, *options, paths=[logs / "02"])).run()
            found = lines(spark, copied)
            large = [json.loads(line) for line in found if "--largest" in line]
            self.assertTrue(large)
            self.assertEqual({row["verdict"] for row in large}, {"failed"})
            left = {row["log"] for row in large}
            self.assertEqual(
                essence(line for line in plain if "/logs/02/" in line and json.loads(line)["log"] not in left),
                essence(line for line in found if json.loads(line)["log"] not in left))
            self.assertEqual(len(found), sum("/logs/02/" in line for line in plain))

            # A log that is gone when its turn comes.
            job = replay_logs.Job(spark, arguments(folder / "gone", paths=[logs / "03"]))
            scan = replay_logs.scan

            def scan_and_remove(*given):
                files = scan(*given)
                files.inputFiles()
                new.unlink()
                return files

            new.rename(logs / "03/gone.jsonl")
            new = logs / "03/gone.jsonl"
            replay_logs.scan = scan_and_remove
            self.addCleanup(setattr, replay_logs, "scan", scan)
            job.run()
            replay_logs.scan = scan
            gone = [json.loads(line) for line in lines(spark, folder / "gone") if "gone.jsonl" in line]
            self.assertEqual([(row["verdict"], row["status"], row["symptom"]) for row in gone],
                             [("missing", 66, "there is no file LOG")])

    def test_2_a_cluster_that_loses_an_executor(self):
        """local-cluster: an executor process is killed in the middle, and slow tasks are tried twice."""
        output = folder / "cluster"
        state = {}

        with session("local-cluster[2,1,1024]", **{
                "spark.speculation": "true", "spark.speculation.interval": "100ms", "spark.speculation.quantile": "0.3",
                "spark.speculation.multiplier": "1.2", "spark.executor.memory": "1g"}) as spark:
            tracker = spark.sparkContext.statusTracker()

            def lose_executor():
                while not state.get("done"):
                    for stage in tracker.getActiveStageIds():
                        info = tracker.getStageInfo(stage)
                        if info and info.numTasks > 10 and 2 <= info.numCompletedTasks < info.numTasks // 2:
                            executors = processes(os.getpid(), "CoarseGrainedExecutorBackend")
                            state["executors"] = executors
                            state["at"] = (info.numCompletedTasks, info.numTasks)
                            os.kill(executors[0], signal.SIGKILL)
                            return
                    time.sleep(0.02)

            killer = threading.Thread(target=lose_executor)
            killer.start()
            began = time.monotonic()
            # Some forty tasks.
            job = replay_logs.Job(spark, arguments(
                output, "--log-cost", str(64 << 10), "--partition-bytes", str(COUNT * (70 << 10) // 40)))
            try:
                self.assertEqual(job.run(), 0)
            finally:
                state["done"] = True
                killer.join()
            print("local-cluster[2,1,1024]: %.1f s, an executor killed after %d of %d tasks"
                  % (time.monotonic() - began, *state.get("at", (0, 0))), flush=True)
            self.assertEqual(len(state.get("executors", [])), 2, "no executor was killed")
            after = processes(os.getpid(), "CoarseGrainedExecutorBackend")
            self.assertNotIn(state["executors"][0], after)
            self.expect_plain(lines(spark, output))
            rows = spark.read.schema(results.SCHEMA).parquet(str(output))
            print("rows as written: %d, logs: %d" % (rows.count(), len(plain)), flush=True)

    def test_3_summary(self):
        """The summary of the Parquet is that of the lines, and there are no other lines."""
        merged = folder / "merged.jsonl"
        own = subprocess.run(
            [sys.executable, str(SPARK / "summarize_results.py"), str(folder / "cluster"), "--lines", str(merged), "--tool", TOOL],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        expected = run_tool("summarize", folder / "plain.jsonl")
        self.assertEqual(own.stdout, expected.stdout, own.stderr[-2000:])
        self.assertEqual(own.returncode, expected.returncode)
        self.expect_plain(lines_of(merged))
        against = run_tool("summarize", merged, "--baseline", folder / "plain.jsonl")
        self.assertEqual(against.returncode, 0, against.stdout)

    def test_4_ctrl_c(self):
        """What tasks have finished when the job is interrupted stays, and --resume does the rest."""
        output = folder / "interrupted"
        # In a session of its own, which gets the signal as from a terminal.
        job = subprocess.Popen(command(output, "--log-cost", str(128 << 10)), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
        reader = threading.Thread(target=job.communicate)
        reader.start()
        while len(list(output.glob("verdict=*/*.parquet"))) < 4 and job.poll() is None:
            time.sleep(0.02)
        os.killpg(job.pid, signal.SIGINT)
        reader.join(120)
        self.assertNotEqual(job.returncode, 0)
        with session("local[2]") as spark:
            kept = lines(spark, output)
            print("finished when interrupted: %d of %d" % (len(kept), len(plain)), flush=True)
            self.assertTrue(0 < len(kept) < len(plain), len(kept))
            self.assertEqual(set(essence(kept)) - set(essence(plain)), set())
            files = len({json.loads(line)["log"].split("#")[0] if json.loads(line).get("logs") else json.loads(line)["log"]
                         for line in kept})
            self.assertEqual(replay_logs.Job(spark, arguments(output, "--resume")).run(), files)
            self.expect_plain(lines(spark, output))

    def test_5_a_full_disk(self):
        """What is finished when the disk is full stays, and --resume does the rest where there is place."""
        disk = folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)], stderr=subprocess.DEVNULL).returncode:
            self.skipTest("only root can make a small disk")
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        output = disk / "results"
        with session("local[2]") as spark:
            with self.assertRaises(Exception) as caught:
                replay_logs.Job(spark, arguments(output, "--log-cost", str(256 << 10))).run()
            self.assertIn("No space left on device", str(caught.exception))
            kept = lines(spark, output)
            print("finished when the disk was full: %d of %d" % (len(kept), len(plain)), flush=True)
            self.assertTrue(0 < len(kept) < len(plain))
            subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
            self.assertGreater(replay_logs.Job(spark, arguments(output, "--resume")).run(), 0)
            self.expect_plain(lines(spark, output))


if __name__ == "__main__":
    unittest.main()
