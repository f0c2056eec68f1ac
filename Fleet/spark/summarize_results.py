#!/usr/bin/env python3
"""Summarizes the results of replay_logs.py, as `summarize` does those of `run --results`.

    spark-submit summarize_results.py RESULTS [--baseline RESULTS] [--lines FILE] --tool PATH [-- OPTIONS OF summarize]

RESULTS are folders of Parquet, or files of result lines. With --lines the result lines are kept, one for each log.
"""

import argparse
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from pyspark.sql import SparkSession

import results


def export(spark, folder, path):
    """Writes the result lines, ordered by log; a part after the other, so that memory does not grow with their number."""
    lines = results.read(spark, folder).orderBy("log", "digest").select("line")
    with open(path, "w", encoding="utf-8") as file:
        for found in lines.toLocalIterator():
            file.write(found.line + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+", metavar="RESULTS")
    parser.add_argument("--baseline", action="append", default=[], metavar="RESULTS")
    parser.add_argument("--lines", metavar="FILE", help="also write the result lines to this file")
    parser.add_argument("--tool", required=True, metavar="PATH", help="tca-replay, or the app's host")
    own, options = sys.argv[1:], []
    if "--" in own:
        own, options = own[:own.index("--")], own[own.index("--") + 1:]
    arguments = parser.parse_args(own)
    spark = SparkSession.builder.appName("tca-replay summarize").getOrCreate()
    with tempfile.TemporaryDirectory(prefix="tca-replay-") as folder:
        def local(name):
            if name.endswith(".jsonl"):
                return name
            path = os.path.join(folder, "%d.jsonl" % len(os.listdir(folder)))
            export(spark, name, path)
            return path

        files = [local(name) for name in arguments.results]
        baselines = [local(name) for name in arguments.baseline]
        spark.stop()
        command = [arguments.tool, "summarize"] + files
        for baseline in baselines:
            command += ["--baseline", baseline]
        if arguments.lines:
            command += ["--merge", arguments.lines]
        sys.stdout.flush()
        sys.exit(subprocess.run(command + options).returncode)


if __name__ == "__main__":
    main()
