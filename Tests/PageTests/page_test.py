"""Opens pages of logs in a browser: keys, clicks, looks, hostile texts. Run by .ci/page, which says what it needs.

TCA_REPLAY is the tool, CHROMIUM the browser. What fails leaves a screenshot and a trace in the folder PAGE_ARTIFACTS, if that is set.
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
from unittest import mock
from urllib.parse import parse_qs

from playwright.sync_api import sync_playwright

root = pathlib.Path(__file__).resolve().parent.parent.parent
tool = os.environ.get("TCA_REPLAY", str(root / ".build" / "debug" / "tca-replay"))
artifacts = os.environ.get("PAGE_ARTIFACTS")
# Commands that a shell starts in the background ignore Ctrl-C, and hand that on. With a handler here, children begin as at a terminal.
signal.signal(signal.SIGINT, signal.default_int_handler)
samples = sorted(path for path in (root / "SampleLogs").glob("*.jsonl"))


def view(folder, *arguments):
    """The page that the tool writes for logs."""
    page = folder / f"{len(list(folder.glob('*.html')))}.html"
    subprocess.run([tool, "view", *map(str, arguments), "-o", str(page)], check=True, capture_output=True)
    return page


def shown(*arguments):
    return subprocess.run([tool, "show", *map(str, arguments), "-v"], check=True, capture_output=True, text=True).stdout


def line(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


header = {
    "kind": "header", "format": "tca-replay", "version": 1, "requires": [], "id": "1", "feature": "Test", "stateType": "State",
    "startedAt": "2026-11-20T09:12:03Z", "recorder": "0.2.0", "environment": {"os": "Linux"}, "segment": 1,
}


def write_log(path, state, steps, **more):
    """A log of actions with their patches; a step may be any other event, too."""
    lines = [line({**header, **more}), line({"kind": "checkpoint", "seq": 0, "state": state, "effects": []})]
    seq = 0
    for step in steps:
        if "kind" in step:
            lines.append(line(step))
            continue
        seq += 1
        lines.append(line({"kind": "action", "seq": seq, "at": seq * 1000, "origin": step.get("origin", "view"), "action": step["action"]}))
        if "patch" in step:
            lines.append(line({"kind": "change", "seq": seq, "patch": step["patch"], **({"effects": step["effects"]} if "effects" in step else {})}))
    path.write_text("".join(text + "\n" for text in lines))
    return path


def replace(path, value):
    return {"op": "replace", "path": path, "value": value}


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        shutil.rmtree(cls.folder)

    def open(self, page, fragment="", width=1440, height=900, scheme="light"):
        """Opens a page, which may load nothing and must not fail."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.addCleanup(context.close)
        self.context = context
        if artifacts:
            context.tracing.start(screenshots=True, snapshots=True)
        tab = context.new_page()
        self.problems = []
        tab.on("console", lambda message: self.problems.append(message.text) if message.type in ("error", "warning") else None)
        tab.on("pageerror", lambda error: self.problems.append(str(error)))
        tab.on("dialog", lambda dialog: (self.problems.append(f"dialog {dialog.message}"), dialog.dismiss()))
        tab.on("request", lambda request: None if request.url.startswith(page.as_uri()) else self.problems.append(f"request {request.url}"))
        tab.goto(page.as_uri() + fragment)
        tab.wait_for_selector("html[data-ready]", state="attached")
        self.tab = tab
        return tab

    def tearDown(self):
        result = self._outcome.result
        failed = any(test is self for test, _ in result.failures + result.errors)
        if failed and artifacts and hasattr(self, "tab") and not self.tab.is_closed():
            os.makedirs(artifacts, exist_ok=True)
            place = os.path.join(artifacts, self._testMethodName)
            self.tab.screenshot(path=f"{place}.png")
            # `playwright show-trace` shows it.
            self.context.tracing.stop(path=f"{place}.zip")

    # What is asked of a page

    def title(self):
        return self.tab.locator("#step h3").inner_text()

    def place(self):
        return {key: values[0] for key, values in parse_qs(self.tab.evaluate("location.hash.slice(1)"), keep_blank_values=True).items()}

    def press(self, *keys):
        for key in keys:
            self.tab.keyboard.press(key)
        self.settle()

    def settle(self):
        self.tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def row(self, seq):
        return self.tab.locator(f".row:has(.seq:text-is('{seq}'))")

    def x(self, log, seq):
        """Where an action of a log of actions alone stands in the timeline, half by its order and half by its time."""
        times = [event["at"] for event in map(json.loads, log.read_text().splitlines()) if event["kind"] == "action"]
        box = self.tab.locator("#scrubber").bounding_box()
        time = (times[seq - 1] - times[0]) / (times[-1] - times[0]) if seq > 0 else 0
        return box["x"] + 8 + (box["width"] - 16) * (0.5 * seq / len(times) + 0.5 * time)

    def wait_for_filter(self):
        self.wait(lambda: "…" not in self.tab.locator("#hits").inner_text())
        self.settle()

    def wait(self, is_so):
        """Waits for what the page does on its own; the policy of the page forbids the browser to look for it."""
        for _ in range(600):
            if is_so():
                return
            self.tab.wait_for_timeout(50)
        self.fail("it did not come")

    def titles(self):
        """The actions of all rows, which come while the list is scrolled."""
        return self.tab.evaluate("""async () => {
          const list = document.getElementById("list");
          const found = new Map();
          for (list.scrollTop = 0; ; list.scrollTop += list.clientHeight / 2) {
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            for (const row of document.querySelectorAll(".row")) found.set(Number(row.dataset.step), row.querySelector(".act").textContent);
            if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) break;
          }
          return [...found].sort((a, b) => a[0] - b[0]).map((entry) => entry[1]);
        }""")


class SampleTests(PageTest):
    def test_every_sample_opens(self):
        for log in samples:
            with self.subTest(log=log.name):
                tab = self.open(view(self.folder, log))
                actions = re.findall(r"^\d+  \+\S+(?: s)?  (\..*?)  sent ", shown(log), re.M)
                self.assertEqual(len(self.titles()), len(actions) + 1)
                # Rows end sooner than lines of the command line, so only short ones are the same.
                for found, expected in zip(self.titles()[1:], actions):
                    if len(expected) < 70:
                        self.assertEqual(found, expected)
                self.assertIn(f"{len(actions)} actions", tab.locator("#facts").inner_text())
                self.assertEqual(self.problems, [])

    def test_the_policy_names_the_digests(self):
        text = view(self.folder, samples[0]).read_text()
        for kind in ("script", "style"):
            content = re.search(rf"<{kind}>(.*?)</{kind}>", text, re.S).group(1)
            digest = "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
            self.assertIn(f"{kind}-src '{digest}'", text)

    def test_lines_come_back(self):
        log = root / "SampleLogs" / "todos.jsonl"
        tab = self.open(view(self.folder, log))
        self.press("Home")
        tab.locator("#step summary", has_text="lines").click()
        found = []
        while True:
            found += tab.locator(".raw .l").all_text_contents()
            before = self.title()
            self.press("ArrowDown")
            if self.title() == before:
                break
        self.assertEqual(found, log.read_text().splitlines())
        self.assertEqual(tab.locator(".raw .number").last.inner_text(), str(len(found)))


class KeyTests(PageTest):
    def setUp(self):
        self.open(view(self.folder, root / "SampleLogs" / "todos.jsonl"))

    def test_the_first_failure_is_selected(self):
        self.assertEqual(self.title(), "6 .saved(.failure(.emptyTitle(…E68E)))")
        self.assertIn("sent by save 5.0", self.tab.locator(".title p").inner_text())

    def test_arrows_and_ends(self):
        self.press("ArrowDown")
        self.assertTrue(self.title().startswith("7 "))
        self.press("ArrowUp", "ArrowUp")
        self.assertTrue(self.title().startswith("5 "))
        self.press("End")
        self.assertTrue(self.title().startswith("16 "))
        self.press("Home")
        self.assertEqual(self.title(), "the first state")
        self.assertEqual(self.place()["a"], "0")

    def test_causes_and_effects(self):
        self.press("[")
        self.assertTrue(self.title().startswith("5 .doneToggled"))
        self.press("]")
        self.assertTrue(self.title().startswith("6 "))
        # Action 11 led to two actions; the key goes on to the second.
        self.press("g")
        self.tab.keyboard.type("11")
        self.press("Enter", "]")
        self.assertTrue(self.title().startswith("12 "))
        self.press("]")
        self.assertTrue(self.title().startswith("13 "))

    def test_going_to_an_action(self):
        self.press("g")
        self.tab.keyboard.type("99")
        self.press("Enter")
        self.assertEqual(self.tab.locator("#jump [role=alert]").inner_text(), "there is no action 99; the last one is 16")
        self.press("Control+a")
        self.tab.keyboard.type("3")
        self.press("Enter")
        self.assertTrue(self.title().startswith("3 "))
        self.assertEqual(self.place(), {"a": "3"})

    def test_next_failure(self):
        self.press("Home", "d")
        self.assertTrue(self.title().startswith("6 "))

    def test_search(self):
        self.press("/")
        self.tab.keyboard.type("titleChanged")
        self.wait_for_filter()
        self.assertEqual(self.tab.locator("#hits").inner_text(), "3 of 16")
        self.assertEqual(self.tab.locator(".row").count(), 3)
        self.press("Enter")
        self.assertTrue(self.title().startswith("7 "))
        self.press("ArrowDown", "ArrowDown", "ArrowDown")
        self.assertTrue(self.title().startswith("8 "))
        self.assertEqual(self.place(), {"a": "8", "q": "titleChanged"})
        self.press("Escape")
        self.assertEqual(self.tab.locator(".row").count(), 17)

    def test_blame(self):
        self.press("b")
        self.assertEqual(self.tab.locator("#history h2 .code").inner_text(), "isSaving")
        self.assertEqual(self.place()["h"], "/isSaving")
        values = [row.split("\t")[:2] for row in self.tab.locator("#history tr").all_inner_texts()]
        self.assertEqual(values[:5], [["", "false"], ["2", "true"], ["4", "false"], ["5", "true"], ["6", "false"]])
        # The value of action 3 was set by action 2.
        self.press("g")
        self.tab.keyboard.type("3")
        self.press("Enter", "b")
        self.assertTrue(self.title().startswith("2 "))
        self.press("Escape")
        self.assertFalse(self.tab.locator("#history").is_visible())

    def test_playing(self):
        self.press("Home", "Space")
        self.assertEqual(self.tab.locator("#play").inner_text(), "Stop")
        self.wait(lambda: self.title().startswith("2 "))
        self.press("Space")
        self.assertEqual(self.tab.locator("#play").inner_text(), "Play")

    def test_help(self):
        self.press("?")
        self.assertIn("the action that caused this one", self.tab.locator("#keys").inner_text())
        self.assertIn("in progress", self.tab.locator("#keys").inner_text())
        self.press("Escape")
        self.assertFalse(self.tab.locator("#keys").is_visible())

    def test_opening_the_whole_state(self):
        folded = self.tab.locator("#tree .folded").count()
        self.assertGreater(folded, 0)
        self.press("e")
        self.assertEqual(self.tab.locator("#tree .folded").count(), 0)
        self.press("e")
        self.assertGreater(self.tab.locator("#tree .folded").count(), 0)

    def test_the_tree_has_keys_of_its_own(self):
        self.tab.locator("#tree").focus()
        self.press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp")
        at = self.tab.locator("#tree .at")
        self.assertIn("todos", at.inner_text())
        self.press("ArrowLeft")
        self.assertEqual(at.get_attribute("aria-expanded"), "false")
        self.press("ArrowRight")
        self.assertEqual(at.get_attribute("aria-expanded"), "true")
        self.press("ArrowDown", "ArrowDown", "ArrowDown", "Enter")
        self.assertEqual(self.tab.locator("#history h2 .code").inner_text(), "filter")
        self.assertTrue(self.title().startswith("6 "))


class ClickTests(PageTest):
    def setUp(self):
        self.open(view(self.folder, root / "SampleLogs" / "todos.jsonl"))

    def test_rows_and_links(self):
        self.row(8).click()
        self.assertTrue(self.title().startswith("8 "))
        self.assertIn("Écrire deux tests", self.tab.locator(".diff .new").first.inner_text())
        self.assertIn("canceled by action 8", self.tab.locator("#step").inner_text())
        self.tab.locator("#step section", has_text="Led to").locator("button", has_text="#9").click()
        self.assertTrue(self.title().startswith("9 "))
        self.tab.get_by_role("button", name="cause").click()
        self.assertTrue(self.title().startswith("8 "))

    def test_a_leaf_and_its_history(self):
        self.tab.locator("#tree .leaf", has_text="filter").click()
        rows = self.tab.locator("#history tr")
        self.assertEqual([text.split("\t")[:2] for text in rows.all_inner_texts()], [["", '"all"'], ["10", '"completed"'], ["12", '"all"']])
        rows.nth(1).locator("button").click()
        self.assertTrue(self.title().startswith("10 "))
        self.assertEqual(self.place(), {"a": "10", "h": "/filter"})
        self.assertTrue("now" in rows.nth(1).get_attribute("class"))
        self.tab.get_by_role("button", name="Filter", exact=True).click()
        self.wait_for_filter()
        self.assertEqual(self.tab.locator("#hits").inner_text(), "2 of 16")

    def test_before_and_after(self):
        changed = self.tab.locator("#tree .changed").all_inner_texts()
        self.assertEqual([" ".join(text.split()) for text in changed],
                         ["isSaving true → false", 'saveError nil → "emptyTitle(B583F91F-9CAF-4178-93A6-3B39C6F2E68E)"'])
        self.tab.get_by_role("radio", name="Before").click()
        self.assertIn("isSaving\ntrue", self.tab.locator("#tree").inner_text())
        self.tab.get_by_role("radio", name="After").click()
        self.assertIn("isSaving\nfalse", self.tab.locator("#tree").inner_text())

    def test_filters(self):
        cases = [
            ("is:failed", 1), ("from:view", 10), ("from:effect", 6), ("effect:save", 11), ("path:filter", 2), ("path:todos[*].title", 3),
            (".saved", 5), (".saved(.failure", 1), ("path:/titles", 3), ("-from:view -from:effect", 1), ("is:unchanged", 0), ('"Buy milk"', None),
            ("from:11", 2), ("is:changed .addButtonTapped", 3), ("nothing like that", 0),
        ]
        for query, count in cases:
            with self.subTest(query=query):
                self.tab.locator("#query").fill(query)
                self.wait_for_filter()
                found = self.tab.locator(".row").count()
                if count is None:
                    self.assertGreater(found, 0)
                else:
                    self.assertEqual(found, count)

    def test_quick_filters(self):
        chip = self.tab.locator("#quick button", has_text="failures")
        chip.click()
        self.wait_for_filter()
        self.assertEqual(self.tab.locator(".row").count(), 1)
        self.assertEqual(self.tab.locator("#quick button", has_text="failures").get_attribute("aria-pressed"), "true")
        self.tab.locator("#quick button", has_text="failures").click()
        self.assertEqual(self.tab.locator(".row").count(), 17)

    def test_scrubber_and_lanes(self):
        box = self.tab.locator("#scrubber").bounding_box()
        self.tab.mouse.click(box["x"] + box["width"] - 3, box["y"] + 10)
        self.assertTrue(self.title().startswith("16 "))
        self.tab.mouse.click(box["x"] + 1, box["y"] + 10)
        self.assertEqual(self.title(), "the first state")
        self.assertEqual(self.tab.locator("#scrubber").get_attribute("aria-valuetext"), "the first state  +0.000 s")
        lanes = self.tab.locator("#lanes").bounding_box()
        log = root / "SampleLogs" / "todos.jsonl"
        # The first bar begins with action 2.
        x = self.x(log, 2) + 4
        self.tab.mouse.move(x, lanes["y"] + 8)
        self.assertEqual(self.tab.locator("#tip").inner_text(), "save 2.0\nstarted by action 2\nsent action 4\nfinished after action 4")
        self.tab.mouse.move(self.x(log, 7) + 4, lanes["y"] + 8)
        self.assertEqual(self.tab.locator("#tip").inner_text(), "save 7.0\nstarted by action 7\ncanceled by action 8")
        self.tab.mouse.move(x, lanes["y"] + 8)
        self.tab.mouse.click(x, lanes["y"] + 8)
        self.assertTrue(self.title().startswith("2 "))

    def test_a_call_and_a_failure_in_a_lane(self):
        log = write_log(self.folder / "calls.jsonl", {"n": 0}, [
            {"action": {"go": {}}, "patch": [], "effects": [{"id": "1.0", "op": "run", "name": "load"}]},
            {"kind": "call", "id": "1.0", "key": "api.fetch", "arguments": [3], "result": {"a": 1}, "us": 1500},
            {"action": {"got": {}}, "origin": {"effect": "1.0"}, "patch": [replace("/n", 1)]},
            {"kind": "effect", "id": "1.0", "event": "failed", "error": {"busy": {}}, "at": 4000},
        ])
        tab = self.open(view(self.folder, log), "#a=1")
        lanes = tab.locator("#lanes").bounding_box()
        tab.mouse.move(lanes["x"] + lanes["width"] / 2 + 20, lanes["y"] + 8)
        self.assertEqual(tab.locator("#tip").inner_text().split("\n"), [
            "load 1.0", "started by action 1", "sent action 2", "called api.fetch", "failed after action 2: .busy"])
        self.assertIn("api.fetch(3) → (a: 1) · 1.5 ms · load 1.0", tab.locator("#step").inner_text())

    def test_a_link_opens_the_place(self):
        page = view(self.folder, root / "SampleLogs" / "todos.jsonl")
        self.open(page, "#a=10&q=.filterPicked&h=%2Ffilter")
        self.assertTrue(self.title().startswith("10 "))
        self.assertEqual(self.tab.locator(".row").count(), 2)
        self.assertEqual(self.tab.locator("#history h2 .code").inner_text(), "filter")
        self.tab.evaluate("location.hash = '#a=3'")
        self.settle()
        self.assertTrue(self.title().startswith("3 "))

    def test_paper(self):
        """On paper everything is there: all actions, the selected one, the state."""
        self.tab.emulate_media(media="print")
        self.tab.evaluate("dispatchEvent(new Event('beforeprint'))")
        self.assertEqual(self.tab.locator(".row").count(), 17)
        tops = [row.bounding_box()["y"] for row in self.tab.locator(".row").all()]
        self.assertEqual(tops, sorted(set(tops)))
        self.assertFalse(self.tab.locator("#tools").is_visible())
        self.tab.evaluate("dispatchEvent(new Event('afterprint'))")

    def test_names_for_screen_readers(self):
        tab = self.tab
        self.assertEqual(tab.get_by_role("listbox", name="Actions").count(), 1)
        selected = tab.get_by_role("option", selected=True)
        self.assertEqual(selected.get_attribute("aria-posinset"), "7")
        self.assertEqual(selected.get_attribute("aria-setsize"), "17")
        self.assertEqual(tab.locator("#list").get_attribute("aria-activedescendant"), selected.get_attribute("id"))
        self.assertEqual(tab.get_by_role("tree", name="The state").count(), 1)
        self.assertGreater(tab.get_by_role("treeitem").count(), 5)
        self.assertEqual(tab.get_by_role("slider", name="Position in the log").get_attribute("aria-valuemax"), "16")
        unnamed = tab.evaluate("""() => [...document.querySelectorAll("button, input, canvas")].filter((element) =>
          !(element.textContent.trim() || element.getAttribute("aria-label") || element.labels?.length)).map((element) => element.outerHTML)""")
        self.assertEqual(unnamed, [])


class TreeTests(PageTest):
    def test_cases_and_elements_of_stacks_are_opened_as_one(self):
        tab = self.open(view(self.folder, root / "SampleLogs" / "signup.jsonl"), "#a=47")
        rows = [" ".join(text.split()) for text in tab.locator("#tree .inside, #tree .added, #tree .removed").all_inner_texts()]
        self.assertEqual(rows, [
            "▼ path 4 elements", "▼ [#3] .review 4 members", "▼ submission 1 member", "▶ inFlight (attempt: 1)", "▶ waiting (attempt: 1, seconds: 1)"])
        tab.locator("#tree .leaf", has_text="acceptsTerms").last.click()
        self.assertEqual(tab.locator("#history h2 .code").inner_text(), "path[#3].review.acceptsTerms")
        self.assertEqual(self.place()["h"], "/path/3/element/review/_0/acceptsTerms")


class LookTests(PageTest):
    """Logs that are not as most are."""

    def banner(self):
        banner = self.tab.locator("#banner")
        return (banner.get_attribute("class"), banner.locator("p").inner_text()) if banner.is_visible() else None

    def test_no_actions(self):
        self.open(view(self.folder, write_log(self.folder / "empty.jsonl", {"count": 0}, [])))
        self.assertEqual(self.banner(), ("warn", "The log has no actions. It holds the first state."))
        self.assertIn("count\n0", self.tab.locator("#tree").inner_text())
        self.assertEqual(self.problems, [])

    def test_a_header_alone(self):
        log = self.folder / "header.jsonl"
        log.write_text(line({**header, "feature": "N" * 3000}) + "\n")
        tab = self.open(view(self.folder, log))
        self.assertEqual(self.banner(), ("warn", "The log has no actions. It holds its header alone."))
        self.assertEqual(tab.locator("#rows").inner_text(), "The log has no actions.")
        self.assertEqual(tab.locator("#tree").inner_text(), "The log holds no state.")
        # A long name leaves room for the rest.
        self.assertLess(tab.get_by_role("button", name="Keys").bounding_box()["x"], 1440)
        self.press("ArrowDown", "End", "b", "d", "e", "]", "[")
        self.assertEqual(self.problems, [])

    def test_cut(self):
        self.open(view(self.folder, root / "SampleLogs" / "todos-cut.jsonl"))
        tone, text = self.banner()
        self.assertEqual(tone, "bad")
        self.assertTrue(text.startswith("The log ends within action 9. The app ended, or was cut off, while it handled .saved(.success(2))."), text)
        self.assertRegex(text, r"The last \d+ bytes of the file, on line \d+, are not a whole event\.$")

    def test_trapped(self):
        self.open(view(self.folder, root / "SampleLogs" / "todos-trap.jsonl"))
        self.assertEqual(self.banner()[0], "bad")
        self.assertEqual(self.title(), "4 .deleted(at: 3)")
        self.assertIn("The log ends within this action", self.tab.locator("#step .bad").inner_text())
        self.assertIn("not finished", self.row(4).inner_text())

    def test_without_an_end(self):
        log = write_log(self.folder / "open.jsonl", {"count": 0}, [{"action": {"tap": {}}, "patch": []}])
        self.open(view(self.folder, log))
        self.assertEqual(self.banner(), ("warn", "The log was cut after action 1. It has no end."))

    def test_gaps_notes_and_what_others_changed(self):
        log = write_log(self.folder / "gaps.jsonl", {"count": 0}, [
            {"action": {"tap": {}}, "patch": [{"op": "replace", "path": "/count", "value": 1}]},
            {"kind": "note", "seq": 1, "at": 1500, "text": "shaken \u202e"},
            {"kind": "external", "seq": 1, "patch": [{"op": "replace", "path": "/count", "value": 5}]},
            {"kind": "excluded", "seq": 2, "at": 2000, "origin": "view", "patch": [{"op": "replace", "path": "/count", "value": 6}]},
            {"kind": "gap", "seq": 3, "dropped": 12, "reason": "the disk was full"},
            {"kind": "checkpoint", "seq": 3, "state": {"count": 9}, "effects": []},
            {"kind": "withheld", "seq": 4, "at": 5203, "origin": "view", "cases": ["login", "typed"]},
        ])
        self.open(view(self.folder, log))
        self.assertEqual(self.banner()[1], "12 events missing in 1 gap: the state is not known there.")
        self.assertEqual(self.titles(), [
            "the first state", ".tap", "note: shaken \\u{202E}", "changed from outside", "an action that the recording left out",
            "gap: 12 events missing: the disk was full", ".login.typed",
        ])
        self.press("Home", "ArrowDown", "ArrowDown", "ArrowDown", "b")
        values = [row.split("\t")[:2] for row in self.tab.locator("#history tr").all_inner_texts()]
        self.assertEqual([value for _, value in values], ["0", "1", "5", "6", "9"])
        self.assertEqual(self.problems, [])

    def test_masked_opaque_and_hidden(self):
        state = {
            "email": {"$masked": "masked5d79b2e0bf06c886bd"}, "name": "masked5d79b2e0bf06c886bd", "node": {"$opaque": "Node", "reason": "it throws"},
            "bidi": "abc\u202edef", "separator": "\u2028", "mark": "\u0301x",
        }
        self.open(view(self.folder, write_log(self.folder / "masked.jsonl", state, [], masked={"state": ["/email"], "action": [], "read": []})))
        text = self.tab.locator("#tree").inner_text()
        for part in ("<masked …86bd>", "<Node: it throws>", "abc\\u{202E}def", "\\u{2028}", "\\u{301}x"):
            self.assertIn(part, text)
        self.assertIn("masked: /email", self.tab.locator("#facts").inner_text())

    def test_long_numbers(self):
        numbers = {"max": 2**64 - 1, "odd": 2**53 + 1, "low": -(2**63), "wide": 2**127}
        log = write_log(self.folder / "numbers.jsonl", numbers, [
            {"action": {"add": {"_0": 2**53 + 1}}, "patch": [{"op": "replace", "path": "/odd", "value": 2**53 + 3}]}])
        self.open(view(self.folder, log))
        text = self.tab.locator("#tree").inner_text()
        for number in (2**64 - 1, 2**53 + 1, 2**53 + 3, -(2**63), 2**127):
            self.assertIn(str(number), text)
        self.assertEqual(self.title(), f"1 .add({2**53 + 1})")

    def test_a_text_of_a_megabyte(self):
        text = "".join(chr(0x61 + index % 26) for index in range(1_000_000))
        log = write_log(self.folder / "long.jsonl", {"text": ""}, [
            {"action": {"typed": {"_0": text}}, "patch": [{"op": "replace", "path": "/text", "value": text}]}])
        self.open(view(self.folder, log))
        self.assertIn("(1000000 bytes)", self.tab.locator("#tree").inner_text())
        self.tab.locator("#step summary", has_text="lines").click()
        self.tab.locator(".raw button").first.click()
        self.assertIn(text, self.tab.locator(".raw .l").first.inner_text())
        self.assertEqual(self.problems, [])

    def test_a_patch_that_does_not_fit(self):
        log = write_log(self.folder / "broken.jsonl", {"count": 0}, [
            {"action": {"tap": {}}, "patch": [{"op": "replace", "path": "/none", "value": 1}]}, {"action": {"tap": {}}, "patch": []}])
        self.open(view(self.folder, log), "#a=1")
        self.assertIn("nothing at /none", self.tab.locator("#step .bad").inner_text())
        self.press("ArrowDown")
        self.assertIn("does not say", self.tab.locator("#tree").inner_text())


class HostileTests(PageTest):
    def test_ten_thousand_hostile_texts(self):
        seeds = [
            "</script><script>boom({n})</script>", "<img src=x onerror=boom({n})>", "<!--{n}", "--><svg onload=boom({n})>", "\u2028{n}", "\u202e{n}\u2066",
            "javascript:boom({n})", "'\"><b>{n}", "${{boom({n})}}", "\\u003cscript>{n}", "]]>{n}", "&lt;{n}&#60;", "\u0000{n}\u001b[31m", "<style>*{{{n}}}",
            "\u0001l{n}", "__proto__{n}", "constructor{n}", "{n}\u0301\u0301\u0301", "<a href=javascript:boom({n})>", "\U0001f469\u200d\U0001f4bb{n}",
        ]
        texts = [seeds[number % len(seeds)].format(n=number) for number in range(10_000)]
        log = write_log(self.folder / "hostile.jsonl", {"text": "", **{name: 1 for name in ("__proto__", "constructor", "<b>")}}, [
            {"action": {"typed": {"_0": text}}, "patch": [{"op": "replace", "path": "/text", "value": text}]} for text in texts])
        page = view(self.folder, log)
        self.open(page)
        self.tab.evaluate("() => { window.boom = () => { window.hasRun = true; }; }")
        expected = re.findall(r"^\d+  \+\S+(?: s)?  (\..*)  sent by the view$", shown(log), re.M)
        self.assertEqual(len(expected), 10_000)
        self.assertEqual(self.titles()[1:], expected)
        # Every pane shows some of each kind.
        for seq in range(1, 41):
            self.tab.evaluate(f"location.hash = '#a={seq}'")
            self.settle()
            self.tab.locator("#step summary", has_text="line").click() if seq == 1 else None
            self.assertTrue(self.title().startswith(f"{seq} "), self.title())
        self.press("b")
        self.assertFalse(self.tab.evaluate("window.hasRun === true"))
        foreign = self.tab.evaluate("document.querySelectorAll('img, svg, iframe, a[href^=java], style:not(head style)').length")
        self.assertEqual(foreign, 0)
        self.assertEqual(self.problems, [])


class CompareTests(PageTest):
    def test_a_replay_beside_the_log(self):
        self.open(view(self.folder, root / "SampleLogs" / "counter-diverged.jsonl", "--replay"))
        self.assertEqual(self.tab.locator("#banner").get_attribute("class"), "bad")
        self.assertIn("Replay: diverged at action 3: state count.", self.tab.locator("#banner").inner_text())
        self.assertEqual(self.title(), "3 .decrementButtonTapped")
        block = self.tab.locator("#step .bad")
        self.assertEqual([block.locator(side).inner_text() for side in (".where", ".old", ".new")], ["count", "3", "1"])
        self.assertIn("≠ state", self.row(3).inner_text())
        # The state of the replay stands beside the recorded one.
        self.assertEqual(self.tab.get_by_role("radio", name="Replay").get_attribute("aria-checked"), "true")
        self.assertEqual(" ".join(self.tab.locator("#tree .changed").inner_text().split()), "count 3 → 1")
        self.press("Home", "d")
        self.assertTrue(self.title().startswith("3 "))
        self.assertEqual(self.problems, [])

    def test_a_replay_that_is_the_same(self):
        self.open(view(self.folder, root / "SampleLogs" / "counter.jsonl", "--replay"))
        self.assertEqual(self.tab.locator("#banner").get_attribute("class"), "good")
        self.assertIn("Replay: identical, through action 12.", self.tab.locator("#banner").inner_text())

    def test_a_trap_that_is_reproduced(self):
        self.open(view(self.folder, root / "SampleLogs" / "todos-trap.jsonl", "--replay"))
        self.assertIn("trap reproduced at action 4", self.tab.locator("#banner").inner_text())
        self.assertEqual(self.title(), "4 .deleted(at: 3)")

    def test_effects_that_differ(self):
        self.open(view(self.folder, root / "SampleLogs" / "search-effects.jsonl", "--replay"))
        self.assertTrue(self.title().startswith("2 "))
        self.assertIn("2.0/cancelID", self.tab.locator("#step .bad").inner_text())

    def test_two_logs(self):
        logs = [root / "SampleLogs" / name for name in ("counter.jsonl", "counter-diverged.jsonl")]
        self.open(view(self.folder, *logs))
        self.assertIn("between this log and counter-diverged.jsonl", self.tab.locator("#banner").inner_text())
        self.assertEqual(self.title(), "3 .decrementButtonTapped")
        self.assertEqual(" ".join(self.tab.locator("#tree .changed").inner_text().split()), "count 1 → 3")
        self.tab.locator("#quick button", has_text="differences").click()
        self.wait_for_filter()
        self.assertGreater(self.tab.locator(".row.differs").count(), 0)

    def test_two_logs_with_other_actions(self):
        log, other = root / "SampleLogs" / "todos.jsonl", self.folder / "without.jsonl"
        subprocess.run([tool, "fork", str(log), "--skip", "4", "-o", str(other)], check=True, capture_output=True)
        # Other ids, too, which stand for those of the shown log.
        other.write_text(other.read_text().replace("69CD9E26", "11111111"))
        page = view(self.folder, log, other)
        self.open(page)
        self.assertIn(
            "actions 1 to 3 match; action 4 is only in this log; 5 to 16 match 4 to 15; 1 id mapped; this log has 16 actions, without.jsonl 15.",
            self.tab.locator("#banner").inner_text())
        self.open(page, "#a=4")
        self.assertIn("only in this log", self.tab.locator("#step .bad", has_text="Without a counterpart").inner_text())
        self.open(page, "#a=5")
        self.assertIn("action 4 of without.jsonl", self.tab.locator("#step .title").inner_text())
        self.assertIn("11111111", self.tab.locator("#step .block", has_text="Ids and dates").inner_text())
        self.tab.locator("#statemode button", has_text="Other log").click()
        self.assertEqual(self.tab.locator("#tree .changed").count(), 0)

    def test_an_ignored_part_of_the_state(self):
        logs = [root / "SampleLogs" / name for name in ("counter.jsonl", "counter-diverged.jsonl")]
        self.open(view(self.folder, *logs, "--ignore", "count"))
        self.assertIn("No difference", self.tab.locator("#banner").inner_text())

    def test_a_log_that_ends_before_the_other(self):
        logs = [root / "SampleLogs" / name for name in ("todos-cut.jsonl", "todos.jsonl")]
        self.open(view(self.folder, *logs))
        rows = ("the next event", "isSaving", "todos[1]", "the next event")
        here = ("the end of the file", "true", mock.ANY, "the end of the file")
        there = ("change 9", "false", "nothing", "the end (closed)")
        self.assertEqual(self.differences(), [rows, here, there])
        self.assertIn("10  .filterPicked(\"completed\")\n\nonly in todos.jsonl", self.tab.locator("#step .bad", has_text="Without a counterpart").inner_text())
        self.open(view(self.folder, *reversed(logs)))
        self.assertEqual(self.differences(), [("the next event", "isSaving"), ("change 9", "false"), ("the end of the file", "true")])

    def differences(self):
        """Where the shown step differs, its values in the shown log, and those in the other."""
        block = self.tab.locator("#step .bad").first
        return [tuple(block.locator(side).all_inner_texts()) for side in (".where", ".old", ".new")]

    def test_logs_of_two_features(self):
        logs = [root / "SampleLogs" / name for name in ("counter.jsonl", "todos.jsonl")]
        page = self.folder / "features.html"
        told = subprocess.run([tool, "view", *map(str, logs), "-o", str(page)], check=True, capture_output=True, text=True).stderr
        self.assertIn("the logs are of different features, Counter and Todos", told)
        self.open(page)
        self.assertIn("between this log and todos.jsonl, which is of another feature, Todos.", self.tab.locator("#banner").inner_text())


class DesignTests(PageTest):
    sizes = ((2560, 1300), (1440, 900), (1024, 768), (768, 1024), (720, 450), (390, 844), (360, 780))

    def test_everything_fits(self):
        page = view(self.folder, root / "SampleLogs" / "memos.jsonl")
        for width, height in self.sizes:
            with self.subTest(width=width):
                tab = self.open(page, "#a=5", width, height)
                self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), width)
                for part in ("#list", "#step", "#tree", "#scrubber", "#query"):
                    box = tab.locator(part).bounding_box()
                    self.assertGreater(box["width"], 180, part)
                    self.assertLessEqual(box["x"] + box["width"], width + 1, part)

    def test_the_buttons_of_the_state_fit(self):
        logs = [root / "SampleLogs" / name for name in ("search.jsonl", "search-effects.jsonl")]
        for page in (view(self.folder, logs[1], "--replay"), view(self.folder, *logs)):
            for width, height in (*self.sizes, (1280, 700)):
                with self.subTest(width=width):
                    tab = self.open(page, "", width, height)
                    pane = tab.locator("#state").bounding_box()
                    box = tab.locator("#expand").bounding_box()
                    self.assertLessEqual(box["x"] + box["width"], pane["x"] + pane["width"] - 8)

    def test_every_row_of_the_state_is_seen_on_a_phone(self):
        tab = self.open(view(self.folder, root / "SampleLogs" / "todos.jsonl"), "#h=%2Ffilter", 390, 844)
        boxes = [row.bounding_box() for row in tab.locator("#tree .node, #history tr").all()]
        self.assertGreater(len(boxes), 6)
        for above, below in zip(boxes, boxes[1:]):
            self.assertGreater(above["height"], 15)
            self.assertGreaterEqual(below["y"], above["y"] + above["height"] - 1)

    def test_contrast(self):
        """Every text that is seen has 4.5 : 1 against what is below it."""
        pages = [(view(self.folder, root / "SampleLogs" / name, *more), fragment) for name, more, fragment in [
            ("memos.jsonl", [], "#a=73"), ("todos.jsonl", [], "#a=8&h=%2Ffilter"), ("counter-diverged.jsonl", ["--replay"], ""), ("todos-cut.jsonl", [], "")]]
        for page, fragment in pages:
            for scheme in ("light", "dark"):
                with self.subTest(page=page.name, scheme=scheme):
                    self.assertEqual(self.open(page, fragment, scheme=scheme).evaluate(contrast), [])


    def test_contrast_of_the_timeline(self):
        """Names on bars have 4.5 : 1, and what is drawn has 3 : 1 against the ground on which it stands."""
        page = view(self.folder, root / "SampleLogs" / "todos.jsonl")
        for scheme in ("light", "dark"):
            colors = self.open(page, scheme=scheme).evaluate("""() => Object.fromEntries(
              ["ink", "paper", "soft", "accent", "density", "effect-run", "effect-done", "cancelled", "failed", "differs"].map((name) =>
                [name, getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim()]))""")
            colors = {name: [int(value[place:place + 2], 16) for place in (1, 3, 5)] for name, value in colors.items()}

            def light(color):
                red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (part / 255 for part in color)]
                return 0.2126 * red + 0.7152 * green + 0.0722 * blue

            def ratio(*pair):
                dark, bright = sorted(map(light, pair))
                return (bright + 0.05) / (dark + 0.05)

            for name in ("effect-run", "effect-done", "cancelled", "failed"):
                # Bars are drawn half through.
                bar = [(one + other) / 2 for one, other in zip(colors[name], colors["paper"])]
                self.assertGreaterEqual(ratio(colors["ink"], bar), 4.5, (scheme, name))
            for name in ("density", "effect-run", "effect-done", "cancelled", "failed", "differs", "accent"):
                for ground in ("soft", "paper"):
                    self.assertGreaterEqual(ratio(colors[name], colors[ground]), 3, (scheme, name, ground))


contrast = """() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const parse = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((index) => top[index] * top[3] + below[index] * (1 - top[3])).concat(1);
  const light = (color) => {
    const [r, g, b] = color.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join("");
    if (text === "" || !element.checkVisibility() || element.closest("script, style, dialog:not([open]), .skip, .hidden")) continue;
    const layers = [];
    let opacity = 1;
    for (let parent = element; parent !== null; parent = parent.parentElement) {
      const style = getComputedStyle(parent);
      opacity *= Number(style.opacity);
      layers.push(parse(style.backgroundColor));
    }
    let below = [255, 255, 255, 1];
    for (const layer of layers.reverse()) below = over(layer, below);
    const color = parse(getComputedStyle(element).color);
    color[3] *= opacity;
    const [a, b] = [light(over(color, below)), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < 4.5) found.push(`${ratio.toFixed(2)} ${element.className || element.tagName}: ${text.slice(0, 40)}`);
  }
  return found.slice(0, 20);
}"""


if __name__ == "__main__":
    unittest.main(verbosity=2)
