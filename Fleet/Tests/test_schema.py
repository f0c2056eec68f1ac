"""The schema of result lines against lines that runs have written, of each verdict that the samples and the faulty logs show."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

import fleet_logs
from fleet_logs import OPTIONS, ROOT, TOOL, lines_of, run_tool

sys.path.insert(0, str(ROOT / "Fleet/spark"))

import partition_replay


class SchemaTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads((ROOT / "Documentation/results.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(cls.schema)
        cls.validator = jsonschema.Draft202012Validator(cls.schema)
        with tempfile.TemporaryDirectory(prefix="tca-fleet-") as folder:
            folder = Path(folder)
            fleet_logs.make(folder / "logs", 60)
            for text in (ROOT / "SampleLogs").glob("*.jsonl"):
                (folder / "logs" / text.name).write_bytes(text.read_bytes())
            (folder / "logs/gone.jsonl").symlink_to("nowhere")
            header = json.loads((folder / "logs/counter.jsonl").read_text().split("\n")[0])
            header["app"] = {"version": "2.1", "build": "340"}
            lines = (folder / "logs/counter.jsonl").read_text().split("\n")
            (folder / "logs/app.jsonl").write_text("\n".join([json.dumps(header, separators=(",", ":"))] + lines[1:]))
            run_tool("run", folder / "logs", "--results", folder / "a.jsonl", *OPTIONS)
            run_tool("run", folder / "logs", "--results", folder / "b.jsonl", "--host", "/nowhere/host", "--strict")
            cls.results = [json.loads(line) for name in ["a", "b"] for line in lines_of(folder / (name + ".jsonl"))]

    def test_real_lines_fit(self):
        for result in self.results:
            errors = [error.message for error in self.validator.iter_errors(result)]
            self.assertEqual(errors, [], result["log"])
            # A member that a line has and the schema does not tell.
            self.assertEqual(set(result) - set(self.schema["properties"]), set(), result["log"])

    def test_there_are_lines_of_each_kind(self):
        verdicts = {result["verdict"] for result in self.results}
        self.assertLessEqual({"identical", "cut", "trapReproduced", "diverged", "unreadable", "missing", "failed"}, verdicts)
        members = set().union(*self.results)
        self.assertEqual(set(self.schema["properties"]) - members, {"schema"} - members)

    def test_lines_of_the_spark_job_fit(self):
        line = partition_replay.failure("a.jsonl", "the tool ended by SIGKILL", 12, "/tool", "")
        self.assertEqual([error.message for error in self.validator.iter_errors(json.loads(line))], [])

    def test_verdicts_are_those_of_the_code(self):
        source = (ROOT / "Sources/Replay/Verdicts/Verdict.swift").read_text()
        names = re.findall(r'case \.\w+: "(\w+)"', source)
        self.assertEqual(self.schema["properties"]["verdict"]["enum"], names + ["unreadable", "missing", "failed"])

    def test_the_article_tells_the_same_members(self):
        article = (ROOT / "Documentation/ResultsJSON.md").read_text()
        table = article.split("## Lines of a results file")[1].split("###")[0]
        members = [name for row in table.split("\n") if row.startswith("| `") for name in re.findall("`(\\w+)`", row.split("|")[1])]
        self.assertEqual(sorted(members), sorted(self.schema["properties"]))

    def test_the_schema_refuses(self):
        good = next(result for result in self.results if result["verdict"] == "diverged")
        self.assertTrue(self.validator.is_valid(good))
        for change in [{"result": 2}, {"verdict": "same"}, {"status": 3}, {"digest": "12"}, {"fingerprint": "2" * 16}, {"bytes": -1},
                       {"finishedAt": "yesterday"}, {"status": 0}]:
            self.assertFalse(self.validator.is_valid({**good, **change}), change)
        for member in ["log", "host", "fingerprint", "startedAt"]:
            self.assertFalse(self.validator.is_valid({name: value for name, value in good.items() if name != member}), member)


if __name__ == "__main__":
    unittest.main()
