"""Asks what one of two logs did that the other did not: each question is answered by one command, and by the page of both logs.

Documentation/Comparing.md lists the questions. Run by .ci/page.
"""
import json
import subprocess
import unittest

from page_test import PageTest, header, line, replace, root, tool, view


def id_of(digit):
    return "-".join(digit * count for count in (8, 4, 4, 4, 12))


class QuestionTests(PageTest):
    """Two recordings of one use of an app: the second has other ids, and does six things in another way."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.first = cls.write("a.jsonl", id_of("A"), isSecond=False)
        cls.second = cls.write("b.jsonl", id_of("B"), isSecond=True)
        cls.page = view(cls.folder, cls.first, cls.second)

    @classmethod
    def write(cls, name, row, isSecond):
        events = [header, {"kind": "checkpoint", "seq": 0, "state": {"rows": [], "total": 0, "clock": 0, "note": ""}, "effects": []}]

        def add(case, origin="view", reads=(), patch=(), effects=(), **payload):
            seq = sum(event["kind"] == "action" for event in events) + 1
            events.append({"kind": "action", "seq": seq, "at": seq * 1000, "origin": origin, "action": {case: payload}})
            events.extend({"kind": "read", "seq": seq, "key": key, "value": value} for key, value in reads)
            events.append({"kind": "change", "seq": seq, "patch": list(patch), **({"effects": list(effects)} if effects else {})})
            return seq

        def run(seq, name, given):
            return {"id": f"{seq}.0", "op": "run", "name": name, "input": given}

        def end(seq, **how):
            events.append({"kind": "effect", "id": f"{seq}.0", "at": 9, **how})

        # 1: a row with an id that was read.
        add("addTapped", reads=[("uuid", row)], patch=[{"op": "add", "path": "/rows/0", "value": {"id": row}}])
        # 2: an effect that ends earlier in the first log.
        load = add("loadTapped", effects=[run(2, "load", 1)])
        if not isSecond:
            end(load, event="finished", sent=0)
        # 3: the second log has a tap more.
        if isSecond:
            add("menuTapped")
        add("totalTapped", patch=[replace("/total", 7 if isSecond else 5)])
        if isSecond:
            end(load, event="finished", sent=0)
        # The last ones: another answer of a dependency, another input, and a clock that always differs.
        add("askTapped", reads=[("flags", {"isNew": isSecond})])
        save = add("saveTapped", effects=[run(6 if isSecond else 5, "save", 2 if isSecond else 1)])
        end(save, event="finished", sent=0)
        add("ticked", patch=[replace("/clock", 20 if isSecond else 10)])
        last = add("rowTapped", _0=row, patch=[replace("/note", row)])
        events.append({"kind": "end", "seq": last, "at": 9000, "reason": "closed"})
        path = cls.folder / name
        path.write_text("".join(line(event) + "\n" for event in events))
        return path

    def diff(self, *options):
        """What the command says, and its status."""
        result = subprocess.run([tool, "diff", str(self.first), str(self.second), *options], capture_output=True, text=True)
        return result.stdout.replace(f"{self.folder}/", ""), result.returncode

    def banner(self):
        return self.tab.locator("#banner").inner_text()

    def select(self, name):
        """Clicks an action in the list."""
        self.tab.locator(".row", has_text=name).first.click()

    def block(self, title):
        return self.tab.locator("#step .block", has_text=title).first.inner_text()

    def test_which_actions_only_one_log_has(self):
        self.assertIn("action 3 is only in b.jsonl", self.diff()[0])
        self.open(self.page)
        self.assertIn("action 3 is only in b.jsonl", self.banner())
        self.select("loadTapped")
        self.assertIn("3  .menuTapped\n\nonly in b.jsonl", self.block("Without a counterpart here"))

    def test_whether_the_end_of_an_effect_came_at_another_time(self):
        self.assertIn("1 event of an effect has moved", self.diff()[0])
        self.open(self.page)
        self.assertIn("1 event of an effect has moved", self.banner())
        self.select("loadTapped")
        self.assertIn("b.jsonl has it after action 4", self.block("Without a counterpart here"))

    def test_whether_an_answer_came_earlier_or_later(self):
        log, other = root / "SampleLogs" / "todos.jsonl", self.folder / "later.jsonl"
        lines = log.read_text().splitlines(keepends=True)
        # The answer of action 4 comes after the tap of action 5.
        answer, tap = lines[12:14], lines[15:17]
        self.assertTrue('"seq":4' in answer[0] and '"seq":5' in tap[0])
        moved = [text.replace('"seq":5', '"seq":4') for text in tap] + [text.replace('"seq":4', '"seq":5') for text in answer]
        moved = [text.replace('"5.', '"4.') for text in moved]
        rest = [text.replace('"5.', '"4.') for text in lines[17:]]
        other.write_text("".join(lines[:12] + moved + lines[14:15] + rest))
        told = subprocess.run([tool, "diff", str(log), str(other)], capture_output=True, text=True).stdout
        self.assertRegex(told, r"action \d is action \d of")
        self.open(view(self.folder, log, other))
        self.assertRegex(self.banner(), r"action \d is action \d of later.jsonl")

    def test_which_action_did_something_else_to_the_state(self):
        self.assertIn("\naction 3, which is action 4 of b.jsonl\n  state\n    total\n", self.diff()[0])
        self.open(self.page)
        self.select("totalTapped")
        self.assertIn("in the state", self.block("The logs differ"))
        self.assertIn("total", self.block("The logs differ"))

    def test_whether_anything_but_ids_and_dates_differs(self):
        self.assertEqual(self.diff()[1], 1)
        log, other = root / "SampleLogs" / "todos.jsonl", self.folder / "again.jsonl"
        other.write_text(log.read_text().replace("69CD9E26", "11111111"))
        self.assertEqual(subprocess.run([tool, "diff", str(log), str(other)], capture_output=True).returncode, 0)
        self.open(view(self.folder, log, other))
        self.assertIn("No difference", self.banner())

    def test_which_id_stands_for_one_of_the_other_log(self):
        mapped = json.loads(self.diff("--format", "json")[0])["mapped"]["values"]
        self.assertEqual(mapped, [{"first": id_of("A"), "second": id_of("B")}])
        self.open(self.page)
        self.select("rowTapped")
        self.assertEqual(self.block("Ids and dates").split()[-2:], [id_of("A"), id_of("B")])

    def test_which_number_an_action_has_in_the_other_log(self):
        matches = json.loads(self.diff("--format", "json")[0])["alignment"]["matches"]
        self.assertEqual([(pair["first"], pair["second"]) for pair in matches], [([1, 2], [1, 2]), ([3, 7], [4, 8])])
        self.open(self.page)
        self.select("rowTapped")
        self.assertIn("action 8 of b.jsonl", self.tab.locator("#step .title").inner_text())

    def test_whether_a_dependency_was_asked_for_something_else(self):
        self.assertIn("\naction 4, which is action 5 of b.jsonl\n  reads\n    flags\n", self.diff()[0])
        self.open(self.page)
        self.select("askTapped")
        self.assertIn("in a read", self.block("The logs differ"))

    def test_whether_an_effect_has_another_input(self):
        self.assertIn("\naction 5, which is action 6 of b.jsonl\n  effects\n    effect 5.0: input\n", self.diff()[0])
        self.open(self.page)
        self.select("saveTapped")
        self.assertIn("in the effects", self.block("The logs differ"))

    def test_what_differs_apart_from_a_place_that_is_known_to_differ(self):
        self.assertIn("clock", self.diff()[0])
        self.assertNotIn("clock", self.diff("--ignore", "clock")[0])
        self.open(self.page)
        self.select("ticked")
        self.assertEqual(self.tab.locator("#step .block", has_text="The logs differ").count(), 1)
        self.open(view(self.folder, self.first, self.second, "--ignore", "clock"))
        self.select("ticked")
        self.assertEqual(self.tab.locator("#step .block", has_text="The logs differ").count(), 0)

if __name__ == "__main__":
    unittest.main()
