#!/usr/bin/env python3
"""Replays logs on a Spark cluster, and keeps a row for each in Parquet, partitioned by verdict.

    spark-submit replay_logs.py LOGS... --output RESULTS --tool PATH [-- OPTIONS OF run]

LOGS are folders, files or patterns of whatever Spark can read: /shared/logs, hdfs://..., s3a://... The tool is the host of the app; every
executor has it at this path. See README.md beside this file.
"""

import argparse
import os
import signal
import sys
import time
from urllib.parse import unquote

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from pyspark.sql import SparkSession, functions

import partition_replay
import results
from partition_replay import INPUT_OUTPUT, failure, name_of, replay_partition, row, setting_of
from results import CANNOT_CREATE, HOST_FAILED, NO_INPUT, JobError, append, file_system, finished, has_results, of_setting


def roots(spark, inputs):
    """The inputs as Spark names them and as they were typed, the longest first: the first that fits names a log."""
    found = []
    for typed in inputs:
        path, system = file_system(spark, typed)
        found.append((system.makeQualified(path).toString(), typed))
    return sorted(found, key=lambda pair: -len(pair[0]))


def scan(spark, paths):
    """The logs at paths, packed into partitions by bytes, large ones first."""
    try:
        return (spark.read.format("binaryFile").option("recursiveFileLookup", "true")
                .option("pathGlobFilter", "*.jsonl").load(paths))
    except Exception as error:
        # Spark has no common type for this between its versions.
        if "PATH_NOT_FOUND" in str(error):
            raise JobError(NO_INPUT, str(error).split("\n")[0])
        raise


def paths_of(spark, files):
    """The paths of all files in a scan, as its column `path` has them."""
    # One call for all of them: there is one for each element of an array otherwise.
    text = spark.sparkContext._jvm.scala.Predef.genericWrapArray(files._jdf.inputFiles()).mkString("\n")
    # These are URIs: escaped, and with three slashes where a path has one.
    return ["file:/" + unquote(uri)[len("file:"):].lstrip("/") if uri.startswith("file:") else unquote(uri)
            for uri in text.split("\n") if uri]


def escaped(path):
    """A path in which nothing is a pattern."""
    return "".join("\\" + character if character in "\\[]{}*?" else character for character in path)


class Job:
    """One call of this program."""

    def __init__(self, spark, arguments):
        self.spark, self.arguments = spark, arguments
        self.details = {
            "command": [arguments.tool], "options": arguments.options, "timeout": timeout(arguments.options),
            "roots": roots(spark, arguments.logs)}
        # The tool opens what is in a shared folder; everything else Spark hands to it.
        self.is_copied = arguments.copy or not all(root.startswith("file:") for root, _ in self.details["roots"])

    def run(self):
        """Replays what has no result, and gives how many logs had one before."""
        spark, arguments = self.spark, self.arguments
        is_new = not has_results(spark, arguments.output)
        if not is_new and not arguments.resume and not arguments.force:
            raise JobError(CANNOT_CREATE, "%s has results already; --resume finds only those that it lacks, --force starts again"
                           % arguments.output)
        details = self.details
        host, options, problem = spark.sparkContext.parallelize([0], 1).map(lambda _: setting_of(details)).first()
        if problem is not None:
            raise JobError(HOST_FAILED, problem)
        self.setting = (host, options)
        # A log that cannot be read must not end the job: it is found missing afterwards.
        spark.conf.set("spark.sql.files.ignoreMissingFiles", "true")
        spark.conf.set("spark.sql.files.ignoreCorruptFiles", "true")
        spark.conf.set("spark.sql.files.maxPartitionBytes", arguments.partition_bytes)
        spark.conf.set("spark.sql.files.openCostInBytes", arguments.log_cost)
        # The paths of --resume are listed in a few tasks, and not in one each.
        spark.conf.set("spark.sql.sources.parallelPartitionDiscovery.parallelism", 4 * spark.sparkContext.defaultParallelism)
        files = scan(spark, arguments.logs)
        paths = paths_of(spark, files)
        if not paths:
            raise JobError(NO_INPUT, "there are no logs (*.jsonl) in %s" % " ".join(arguments.logs))
        if not is_new and arguments.force:
            path, system = file_system(spark, arguments.output)
            system.delete(path, True)
        if is_new or arguments.force:
            self.replay(files, paths)
            return 0
        left = self.unfinished(files, paths)
        if left:
            self.replay(scan(spark, [escaped(path) for path in left]), left)
        return len(paths) - len(left)

    def unfinished(self, files, paths):
        """The paths of files that have no result of this host, have another length, or were changed since."""
        known = self.details["roots"]
        done = finished(of_setting(results.read(self.spark, self.arguments.output), self.setting))
        wanted = self.spark.createDataFrame(
            self.spark.sparkContext.parallelize([(path, name_of(path, known)) for path in paths]), "path string, file string")
        # Spark lists empty files, and leaves them out of a scan.
        lengths = files.select("path", "length", "modificationTime")
        current = wanted.join(lengths, "path", "left").join(done, "file").where(
            "bytes = coalesce(length, 0) and (modificationTime is null or modificationTime <= since)").select("path")
        return [found.path for found in wanted.join(current, "path", "left_anti").collect()]

    def replay(self, files, paths):
        details, largest = self.details, self.arguments.largest
        if self.is_copied:
            chosen = files.where(functions.col("length") <= largest).select("path", "length", "content")
        else:
            chosen = files.select("path", "length")
        began = time.monotonic()
        append(self.spark, chosen.rdd.mapPartitions(lambda rows: replay_partition(rows, details)), self.arguments.output)
        print("%d files replayed in %.1f s" % (len(paths), time.monotonic() - began), file=sys.stderr)
        self.add_missing(paths)

    def add_missing(self, paths):
        """Gives a result to the logs that Spark has left out: empty ones, and what it cannot read. Each log is counted."""
        spark, details = self.spark, self.details
        names = {name_of(path, self.details["roots"]): path for path in paths}
        found = of_setting(results.read(spark, self.arguments.output), self.setting).select("file").distinct()
        wanted = spark.createDataFrame(spark.sparkContext.parallelize([(name,) for name in names]), "file string")
        rows, empty = [], []
        for name, in wanted.join(found, "file", "left_anti").collect():
            path, system = file_system(spark, names[name])
            verdict, status, message = "failed", INPUT_OUTPUT, "Spark cannot read the log; the executors' logs say why"
            if not system.exists(path):
                verdict, status, message = "missing", NO_INPUT, "there is no file LOG"
            elif system.getFileStatus(path).getLen() == 0:
                empty.append((names[name], 0, b""))
                continue
            elif self.is_copied and system.getFileStatus(path).getLen() > self.arguments.largest:
                message = "the log is longer than --largest; replay it from a shared folder, or with 'run'"
            rows.append(row(failure(name, message, 0, *self.setting, verdict=verdict, status=status), name))
        if rows:
            append(spark, spark.sparkContext.parallelize(rows, 1), self.arguments.output)
        if empty:
            append(spark, spark.sparkContext.parallelize(empty, 1).mapPartitions(lambda files: replay_partition(files, details)),
                   self.arguments.output)

    def counts(self):
        """How many logs there are results of, and how many of them failed."""
        rows = of_setting(results.read(self.spark, self.arguments.output), self.setting)
        return tuple(rows.selectExpr("count(*)", "coalesce(sum(int(status != 0)), 0)").first())


def timeout(options):
    """The seconds that a host has for a log."""
    for index, option in enumerate(options):
        name, _, value = option.partition("=")
        if name == "--timeout":
            return float(value or options[index + 1])
    return 60.0


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+", metavar="LOGS")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="where the results go")
    parser.add_argument("--tool", required=True, metavar="PATH", help="the app's host, at the same path on every executor")
    parser.add_argument("--resume", action="store_true", help="replay only what has no result of this host with these options")
    parser.add_argument("--force", action="store_true", help="remove the results that are there")
    parser.add_argument("--copy", action="store_true", help="have Spark read files of a folder that executors do not share")
    parser.add_argument("--partition-bytes", type=int, default=16 << 20, metavar="N", help="bytes of logs in a task (16 MiB)")
    parser.add_argument("--log-cost", type=int, default=16 << 10, metavar="N",
                        help="what a log costs beside its bytes, as bytes: a task has at most 1,000 small logs (16 KiB)")
    parser.add_argument("--largest", type=int, default=512 << 20, metavar="N",
                        help="the longest log that Spark reads into memory, in bytes (512 MiB)")
    own, options = arguments, []
    if "--" in arguments:
        own, options = arguments[:arguments.index("--")], arguments[arguments.index("--") + 1:]
    parsed = parser.parse_args(own)
    parsed.options = options
    return parsed


def main():
    arguments = parse(sys.argv[1:])
    spark = SparkSession.builder.appName("tca-replay").getOrCreate()
    spark.sparkContext.addPyFile(os.path.abspath(partition_replay.__file__))
    try:
        job = Job(spark, arguments)
        resumed = job.run()
        if resumed:
            print("%d logs not replayed again: this host has results of them" % resumed, file=sys.stderr)
        print("%d logs, %d failed; results are in %s" % (*job.counts(), arguments.output))
    except JobError as error:
        print("replay_logs.py: %s" % error, file=sys.stderr)
        sys.exit(error.status)
    except KeyboardInterrupt:
        print("interrupted; what was finished is in %s, and --resume goes on" % arguments.output, file=sys.stderr)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    finally:
        spark.stop()


if __name__ == "__main__":
    main()
