"""How one reads a page in a browser: panes, timeline, filter, jumps, marks, copies, histories as charts, two logs side by side."""
import subprocess
import unittest

from page_test import PageTest, replace, root, tool, view, write_log

todos = root / "SampleLogs" / "todos.jsonl"


def two_logs(folder):
    """A log, and one in which an action of it is missing, with one of its own later."""
    def actions(*names):
        return [{"action": {name: {}}, "patch": [replace("/count", number)]} for number, name in enumerate(names, 1)]
    logs = [
        write_log(folder / "mine.jsonl", {"count": 0}, actions("start", "load", "show", "stop")),
        write_log(folder / "theirs.jsonl", {"count": 0}, actions("start", "show", "extra", "stop")),
    ]
    return view(folder, *logs)


class PaneTests(PageTest):
    def width(self, name):
        return self.tab.locator(name).bounding_box()["width"]

    def drag(self, name, x, y):
        box = self.tab.locator(name).bounding_box()
        self.tab.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.tab.mouse.down()
        self.tab.mouse.move(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y, steps=4)
        self.tab.mouse.up()

    def test_dividers_are_dragged_and_kept_in_the_address(self):
        page = view(self.folder, todos)
        self.open(page, "#a=6")
        before = self.width("#actions")
        self.drag("#divide-list", 144, 0)
        self.assertAlmostEqual(self.width("#actions"), before + 144, delta=12)
        self.drag("#divide-step", -100, 0)
        place = self.place()["s"]
        widths = [self.width(name) for name in ("#actions", "#step", "#state")]
        self.open(page, f"#a=6&s={place}")
        self.assertEqual([self.width(name) for name in ("#actions", "#step", "#state")], widths)
        self.tab.locator("#divide-list").dblclick()
        self.assertAlmostEqual(self.width("#actions"), before, delta=2)

    def test_dividers_have_keys(self):
        self.open(view(self.folder, todos), "#a=6")
        divider = self.tab.locator("#divide-list")
        divider.focus()
        before = self.width("#actions")
        self.press("ArrowRight", "ArrowRight")
        self.assertAlmostEqual(self.width("#actions"), before + 2 * 1440 * 0.02, delta=12)
        self.assertEqual(self.title(), "6 .saved(.failure(.emptyTitle(…E68E)))")
        self.press("Home")
        self.assertEqual(divider.get_attribute("aria-valuenow"), "15")
        self.press("Enter")
        self.assertAlmostEqual(self.width("#actions"), before, delta=2)

    def test_the_height_of_the_lanes(self):
        self.open(view(self.folder, root / "SampleLogs" / "memos.jsonl"))
        lanes = self.tab.locator("#laneroom")
        before = lanes.bounding_box()["height"]
        self.drag("#divide-lanes", 0, -60)
        self.assertAlmostEqual(lanes.bounding_box()["height"], before - 60, delta=4)
        # They scroll, and the tip is that of the lane that is seen.
        self.tab.evaluate("document.getElementById('laneroom').scrollTop = 19")
        self.settle()
        self.assertEqual(self.tab.evaluate("document.getElementById('laneroom').scrollTop"), 19)
        title = self.title()
        lanes.focus()
        self.press("ArrowDown")
        self.wait(lambda: self.tab.evaluate("document.getElementById('laneroom').scrollTop") > 19)
        self.assertEqual(self.title(), title)

    def test_panes_fold(self):
        page = view(self.folder, todos)
        parts = {"Timeline": "#time", "Actions": "#actions", "Detail": "#step", "State": "#state"}
        for width in (1440, 1024, 390):
            self.open(page, "#a=6", width)
            for number, (name, part) in enumerate(parts.items(), 1):
                with self.subTest(width=width, part=name):
                    button = self.tab.get_by_role("button", name=name, exact=True)
                    button.click()
                    self.assertFalse(self.tab.locator(part).is_visible())
                    self.assertEqual(button.get_attribute("aria-pressed"), "false")
                    self.assertIn("-", self.place()["s"])
                    self.press(str(number))
                    self.assertTrue(self.tab.locator(part).is_visible())
        self.press("5")
        self.assertFalse(self.tab.locator("#lanes").is_visible())
        self.assertEqual(self.tab.locator("#foldlanes").get_attribute("aria-expanded"), "false")

    def test_one_pane_always_stays(self):
        self.open(view(self.folder, todos), "#s=-a.-d.-s")
        for keys, seen in (((), [True, False, False]), (("2",), [False, True, False]), (("4", "3"), [False, False, True]), (("4",), [True, False, False])):
            self.press(*keys)
            self.assertEqual([self.tab.locator(name).is_visible() for name in ("#actions", "#step", "#state")], seen)

    def test_names_stay_visible(self):
        """The name of an action is seen at any width: badges and columns go first."""
        pages = [view(self.folder, root / "SampleLogs" / "search.jsonl", root / "SampleLogs" / "search-effects.jsonl"), view(self.folder, todos), two_logs(self.folder)]
        for page in pages:
            for width in (360, 390, 720, 768, 1024, 1440, 2560):
                with self.subTest(page=page.name, width=width):
                    self.open(page, "#s=l30" if width == 768 else "", width)
                    hidden = self.tab.evaluate("""() => [...document.querySelectorAll(".row")].flatMap((row) => {
                      const [act, what] = [row.querySelector(".act"), row.querySelector(".what")];
                      const [own, room] = [act.getBoundingClientRect(), what.getBoundingClientRect()];
                      const isCut = [...act.children].some((part) => part.scrollWidth > part.clientWidth + 1);
                      // A name that is cut has nearly all of the room.
                      return isCut && (own.width < 60 || own.width < room.width * 0.6) ? [`${act.textContent} ${own.width} of ${room.width}`] : [];
                    })""")
                    self.assertEqual(hidden, [])

    def test_detail_and_state_share_room_by_content(self):
        self.open(view(self.folder, todos), "#a=0", 1024, 768)
        step, state, detail = (self.tab.locator(name).bounding_box()["height"] for name in ("#step", "#state", "#detail"))
        self.assertAlmostEqual(step + state, detail, delta=8)
        # The first state is short, so what is said of the recording gets more than half.
        self.open(view(self.folder, write_log(self.folder / "short.jsonl", {"n": 0}, [{"action": {"tap": {}}, "patch": [replace("/n", 1)]}])), "#a=1", 1024, 768)
        tall = self.tab.locator("#step").bounding_box()["height"]
        self.assertGreater(tall, self.tab.locator("#state").bounding_box()["height"] * 1.2)

    def test_six_digits(self):
        steps = [{"kind": "action", "seq": 123456, "at": 1, "origin": "view", "action": {"go": {}}}, {"kind": "change", "seq": 123456, "patch": []},
                 {"kind": "action", "seq": 123457, "at": 2, "origin": {"reentrant": 123456}, "action": {"went": {}}}, {"kind": "change", "seq": 123457, "patch": []}]
        self.open(view(self.folder, write_log(self.folder / "late.jsonl", {"n": 0}, steps)))
        by = self.row(123457).locator(".by")
        self.assertEqual(by.inner_text(), "#123456")
        self.assertFalse(by.evaluate("(element) => element.scrollWidth > element.clientWidth"))


class TimelineTests(PageTest):
    def setUp(self):
        self.open(view(self.folder, todos), "#a=6")
        self.box = self.tab.locator("#scrubber").bounding_box()

    def drag(self, first, last, y=30):
        self.tab.mouse.move(first, self.box["y"] + y)
        self.tab.mouse.down()
        self.tab.mouse.move(last, self.box["y"] + y, steps=5)
        self.tab.mouse.up()
        self.settle()

    def test_dragging_selects_a_window_and_filters(self):
        self.drag(self.x(todos, 3) - 3, self.x(todos, 8) + 3)
        self.wait_for_filter()
        self.assertEqual(self.tab.locator("#query").input_value(), "3..8")
        self.assertEqual(self.tab.locator("#hits").inner_text(), "6 of 16")
        self.assertEqual(self.place(), {"a": "6", "q": "3..8"})
        # What is selected stays.
        self.assertTrue(self.title().startswith("6 "))
        self.press("Escape")
        self.assertEqual(self.tab.locator(".row").count(), 17)

    def test_the_marker_is_dragged_by_its_grip(self):
        self.drag(self.x(todos, 6), self.x(todos, 10), y=5)
        self.assertTrue(self.title().startswith("10 "))
        self.assertEqual(self.tab.locator("#query").input_value(), "")

    def test_a_click_selects(self):
        self.tab.mouse.click(self.x(todos, 12), self.box["y"] + 30)
        self.assertTrue(self.title().startswith("12 "))

    def test_a_window_by_keys(self):
        self.press("Shift+ArrowDown", "Shift+ArrowDown")
        self.assertEqual(self.tab.locator("#query").input_value(), "6..8")
        self.assertTrue(self.title().startswith("8 "))
        self.press("Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp")
        self.assertEqual(self.tab.locator("#query").input_value(), "5..6")

    def test_zoom(self):
        self.press("+", "+")
        self.settle()
        # Action 6 stays, and others move away from it.
        self.tab.mouse.move(self.x(todos, 6), self.box["y"] + 30)
        self.assertTrue(self.tab.locator("#tip").inner_text().startswith("6 "))
        self.assertTrue(self.tab.locator("#zoomall").is_enabled())
        self.press("0")
        self.settle()
        self.assertFalse(self.tab.locator("#zoomall").is_enabled())
        self.tab.mouse.move(self.x(todos, 12), self.box["y"] + 30)
        self.tab.mouse.wheel(0, -400)
        self.settle()
        self.assertTrue(self.tab.locator("#zoomall").is_enabled())
        # A step that is not seen is brought into view.
        self.press("Home")
        self.tab.mouse.move(self.box["x"] + 9, self.box["y"] + 30)
        self.assertTrue(self.tab.locator("#tip").inner_text().startswith("the first state"))

    def test_one_scale(self):
        """A bar of an effect begins at the x of the action that started it."""
        lanes = self.tab.locator("#lanes").bounding_box()
        for seq in (2, 5, 7):
            for y in (self.box["y"] + 50, lanes["y"] + 8):
                self.tab.mouse.move(self.x(todos, seq) + 1, y)
                text = self.tab.locator("#tip").inner_text()
                self.assertTrue(text.startswith(f"{seq} ") or f"started by action {seq}" in text, text)

    def test_the_legend_names_what_there_is(self):
        legend = self.tab.locator("#legend").inner_text()
        for text in ("the app sent it", "came of another action", "failed", "canceled effect", "returned effects"):
            self.assertIn(text, legend)
        self.assertNotIn("in progress", legend)
        self.assertEqual(self.tab.locator("#lanecount").inner_text(), "7 effects in 2 lanes")


class FilterTests(PageTest):
    def setUp(self):
        self.open(view(self.folder, todos), "#a=6")

    def test_prefixes_and_completions(self):
        self.press("/")
        self.tab.keyboard.type(".sav")
        self.wait_for_filter()
        self.assertEqual(self.tab.locator("#hits").inner_text(), "5 of 16")
        self.assertEqual(self.tab.locator("#completions .code").all_inner_texts(), [".saved"])
        self.press("ArrowDown")
        field = self.tab.get_by_role("combobox", name="Filter the actions")
        self.assertEqual(field.get_attribute("aria-activedescendant"), "completion-0")
        self.press("Enter")
        self.assertEqual(field.input_value(), ".saved ")
        self.assertFalse(self.tab.locator("#completions").is_visible())
        self.tab.keyboard.type("pa")
        self.press("ArrowDown", "Enter")
        self.assertEqual(field.input_value(), ".saved path:")
        self.assertIn("path:isSaving", self.tab.locator("#completions .code").all_inner_texts())
        self.tab.locator("#completions .completion", has_text="path:saveError").click()
        self.wait_for_filter()
        self.assertEqual(self.tab.locator("#hits").inner_text(), "1 of 16")
        self.assertEqual(self.problems, [])

    def test_escape_closes_the_completions_first(self):
        self.press("/")
        self.tab.keyboard.type("is")
        self.assertTrue(self.tab.locator("#completions").is_visible())
        self.press("Escape")
        self.assertFalse(self.tab.locator("#completions").is_visible())
        self.assertEqual(self.tab.locator("#query").input_value(), "is")
        self.press("Escape")
        self.assertEqual(self.tab.locator("#query").input_value(), "")

    def test_unknown_words_are_told(self):
        cases = [
            ("is:fialed", "'is:fialed' is not a filter; did you mean is:failed? Action 6 is selected, and the filter leaves it out. Show all", "is:failed"),
            (".savedd", "no action has the case '.savedd'; did you mean .saved? Action 6 is selected, and the filter leaves it out. Show all", ".saved"),
            ("path:isSavin", "no action changed 'isSavin'; did you mean path:isSaving? Action 6 is selected, and the filter leaves it out. Show all", "path:isSaving"),
        ]
        for query, text, meant in cases:
            with self.subTest(query=query):
                self.tab.locator("#query").fill(query)
                self.wait_for_filter()
                self.assertEqual(" ".join(self.tab.locator("#told").inner_text().split()), text)
                self.tab.locator("#told button").first.click()
                self.wait_for_filter()
                self.assertEqual(self.tab.locator("#query").input_value(), meant)
                self.assertFalse(self.tab.locator("#told").is_visible())

    def test_the_selection_stays_in_view_when_a_filter_goes(self):
        self.open(view(self.folder, root / "SampleLogs" / "memos.jsonl"), "#a=50", height=500)
        self.tab.locator("#query").fill(".nothing")
        self.wait_for_filter()
        self.tab.locator("#told button", has_text="Show all").click()
        self.wait_for_filter()
        self.assertTrue(self.row(50).is_visible())
        box, room = self.row(50).bounding_box(), self.tab.locator("#list").bounding_box()
        self.assertTrue(room["y"] <= box["y"] <= room["y"] + room["height"] - 24)

    def test_a_link_shows_the_selected_row(self):
        for width in (1440, 768, 390):
            with self.subTest(width=width):
                self.open(view(self.folder, root / "SampleLogs" / "memos.jsonl"), "#a=60&h=%2Fdeletion", width, 844)
                box, room = self.row(60).bounding_box(), self.tab.locator("#list").bounding_box()
                self.assertTrue(room["y"] <= box["y"] <= room["y"] + room["height"] - 24)
                self.assertLess(box["y"], 844)


class TrailTests(PageTest):
    def setUp(self):
        self.open(view(self.folder, todos), "#a=6")

    def test_back_and_forward_through_jumps(self):
        self.press("ArrowDown", "ArrowDown")
        self.row(12).click()
        self.press("[")
        self.assertTrue(self.title().startswith("11 "))
        self.press("Alt+ArrowLeft")
        self.wait(lambda: self.title().startswith("12 "))
        # Moves to neighbors are no jumps: back leads to where they ended.
        self.press("Alt+ArrowLeft")
        self.wait(lambda: self.title().startswith("8 "))
        self.assertFalse(self.tab.locator("#back").is_enabled())
        self.press("Alt+ArrowLeft")
        self.assertTrue(self.title().startswith("8 "))
        self.tab.go_forward()
        self.wait(lambda: self.title().startswith("12 "))
        self.tab.locator("#forward").click()
        self.wait(lambda: self.title().startswith("11 "))
        self.assertFalse(self.tab.locator("#forward").is_enabled())
        self.tab.go_back()
        self.wait(lambda: self.title().startswith("12 "))

    def test_back_restores_history_and_filter(self):
        self.tab.locator("#tree .leaf", has_text="filter").click()
        self.row(12).click()
        self.tab.locator("#history button", has_text="Close").click()
        self.press("Alt+ArrowLeft")
        self.wait(lambda: self.tab.locator("#history").is_visible())
        self.assertTrue(self.title().startswith("6 "))

    def test_bookmarks(self):
        self.press("m", "End", "m", "Home")
        self.assertEqual(self.place()["m"], "6,16")
        self.press("n")
        self.assertTrue(self.title().startswith("6 "))
        self.press("n")
        self.assertTrue(self.title().startswith("16 "))
        self.press("n")
        self.assertTrue(self.title().startswith("6 "))
        self.assertIn("★", self.row(6).inner_text())
        self.tab.locator("#quick button", has_text="bookmarks").click()
        self.wait_for_filter()
        self.assertEqual(self.tab.locator(".row").count(), 2)
        self.press("Escape")
        self.tab.get_by_role("button", name="bookmarked").click()
        self.assertEqual(self.place()["m"], "16")
        self.open(view(self.folder, todos), "#a=2&m=2,3")
        self.assertIn("★", self.row(3).inner_text())

    def test_a_pinned_action_is_compared(self):
        self.press("p")
        self.assertEqual(self.tab.locator("#sides").inner_text(), "after action 6 → after action 6: the pinned action itself")
        self.row(2).click()
        self.assertEqual(self.place(), {"a": "2", "p": "6"})
        self.assertEqual(self.tab.locator("#sides").inner_text(), "after action 6 → after action 2")
        changed = [" ".join(text.split()) for text in self.tab.locator("#tree .changed").all_inner_texts()]
        self.assertEqual(changed, ["isDone true → false", "isSaving false → true", 'saveError "emptyTitle(B583F91F-9CAF-4178-93A6-3B39C6F2E68E)" → nil'])
        self.row(6).click()
        self.press("p")
        self.assertFalse(self.tab.get_by_role("radio", name="Pinned").is_visible())
        self.assertEqual(self.place(), {"a": "6"})


class CopyTests(PageTest):
    def setUp(self):
        self.open(view(self.folder, todos), "#a=6")
        self.tab.evaluate("() => { navigator.clipboard.writeText = async (text) => { window.copied = text; }; }")

    def copied(self):
        return self.tab.evaluate("window.copied")

    def test_action_commands_values_and_places(self):
        self.press("c")
        self.assertEqual(self.copied(), '.saved(.failure(.emptyTitle(B583F91F-9CAF-4178-93A6-3B39C6F2E68E)))')
        self.assertEqual(self.tab.locator("#said").inner_text(), "action copied")
        commands = self.tab.locator("#step .command")
        self.assertEqual(commands.locator("code").all_inner_texts(), [
            "tca-replay debug todos.jsonl -ex 'goto 6'", "tca-replay fork todos.jsonl --skip 6", "tca-replay blame todos.jsonl isSaving --at 6",
            "tca-replay view todos.jsonl --serve --open", "tca-replay show todos.jsonl --at 6"])
        commands.nth(1).locator("button").click()
        self.assertEqual(self.copied(), "tca-replay fork todos.jsonl --skip 6")
        self.tab.locator("#tree .node", has_text="isSaving").hover()
        self.tab.get_by_role("button", name="Copy value (c)").click()
        self.assertEqual(self.copied(), "false")
        self.tab.get_by_role("button", name="Copy place (shift c)").click()
        self.assertEqual(self.copied(), "isSaving")
        self.tab.locator("#tree .leaf", has_text="filter").click()
        self.tab.get_by_role("button", name="Copy blame command").click()
        self.assertEqual(self.copied(), "tca-replay blame todos.jsonl filter --at 6")

    def test_values_of_the_state_by_keys(self):
        self.tab.locator("#tree").focus()
        self.press("ArrowDown", "c")
        self.assertEqual(self.copied(), '"emptyTitle(B583F91F-9CAF-4178-93A6-3B39C6F2E68E)"')
        self.press("Shift+C")
        self.assertEqual(self.copied(), "saveError")


class ChartTests(PageTest):
    def test_a_number_is_a_chart(self):
        log = write_log(self.folder / "chart.jsonl", {"count": 0, "name": "a"}, [
            {"action": {"set": {"_0": value}}, "patch": [replace("/count", value)]} for value in (3, 1, 4, 1, 5)])
        self.open(view(self.folder, log), "#a=2&h=%2Fcount")
        chart = self.tab.get_by_role("slider", name="Values of count")
        self.wait(chart.is_visible)
        self.assertEqual(chart.get_attribute("aria-valuetext"), "1 since action 2, +0.002 s")
        box = chart.bounding_box()
        self.tab.mouse.click(box["x"] + box["width"] - 6, box["y"] + 40)
        self.assertTrue(self.title().startswith("5 "))
        chart.focus()
        self.press("ArrowLeft")
        self.assertTrue(self.title().startswith("4 "))
        self.press("Home")
        self.assertEqual(self.title(), "the first state")
        self.assertEqual(chart.get_attribute("aria-valuetext"), "0 at the start")
        self.assertEqual(self.tab.locator("#history tr").count(), 6)
        self.assertEqual(self.problems, [])

    def test_booleans_and_what_is_no_number(self):
        self.open(view(self.folder, todos), "#a=6&h=%2FisSaving")
        self.wait(lambda: self.tab.locator("#history .chart").is_visible())
        self.open(view(self.folder, todos), "#a=6&h=%2Ffilter")
        self.assertFalse(self.tab.locator("#history .chart").is_visible())

    def test_names_are_whole(self):
        self.open(view(self.folder, root / "SampleLogs" / "memos.jsonl"), "#a=64&h=%2Fdeletion", 1024)
        cut = self.tab.evaluate("""() => [...document.querySelectorAll("#history .who .link")].filter((link) => link.scrollWidth > link.clientWidth + 1).map((link) => link.textContent)""")
        self.assertEqual(cut, [])
        self.assertIn(".destination.delete.confirmed(…737B)", self.tab.locator("#history").inner_text().replace("\n", ""))


class TwoLogTests(PageTest):
    def test_insertions_and_deletions_in_place(self):
        self.open(two_logs(self.folder))
        rows = [" ".join(row.split()) for row in self.tab.locator(".row .what").all_inner_texts()]
        self.assertEqual([row.split(" ≠")[0] for row in rows], ["the first state", ".start count", "− .load", ".show", "+ .extra", ".stop count"])
        self.tab.locator(".row.inserted").click()
        self.assertEqual(self.title(), "3 .extra")
        self.assertIn("only in theirs.jsonl", self.tab.locator("#step .title").inner_text())
        self.assertEqual(self.place()["a"], "o3")
        self.press("ArrowDown")
        self.assertEqual(self.title(), "4 .stop")
        self.press("ArrowUp")
        self.assertEqual(self.title(), "3 .extra")
        self.assertEqual(self.problems, [])

    def test_two_columns(self):
        page = two_logs(self.folder)
        for width in (1440, 390):
            with self.subTest(width=width):
                self.open(page, "", width)
                self.tab.get_by_role("button", name="Two columns").click()
                self.assertEqual(self.place()["c"], "2")
                self.assertEqual(self.tab.locator("#here").inner_text(), "mine.jsonl")
                self.assertEqual(self.tab.locator("#there").inner_text(), "theirs.jsonl")
                pairs = [[" ".join(side.split()).split(" ≠")[0] for side in row.locator(".what").all_inner_texts()] for row in self.tab.locator(".row").all()]
                self.assertEqual(pairs, [
                    ["the first state", "the first state"], [".start", "1 .start"], [".load", ""], [".show", "2 .show"], ["", "3 .extra"], [".stop", "4 .stop"]])
                self.press("v")
                self.assertNotIn("c", self.place())

    def test_both_names_in_head_and_title(self):
        self.open(two_logs(self.folder))
        self.assertTrue(self.tab.locator("#facts").inner_text().startswith("mine.jsonl ↔ theirs.jsonl"))
        self.assertEqual(self.tab.title(), "mine.jsonl and theirs.jsonl – Test")


class IndexTests(PageTest):
    """The page that leads to those of `run --pages`, and the summary that leads to it."""

    def test_index_and_summary_at_any_width(self):
        pages, results = self.folder / "pages", self.folder / "results.jsonl"
        logs = [str(root / "SampleLogs" / name) for name in ("counter-diverged.jsonl", "search-effects.jsonl", "counter.jsonl")]
        subprocess.run([tool, "run", *logs, "--pages", str(pages), "--results", str(results)], capture_output=True)
        summary = self.folder / "summary.html"
        report = subprocess.run([tool, "summarize", str(results), "--format", "html", "--pages", "pages"], capture_output=True, text=True, cwd=self.folder)
        summary.write_text(report.stdout)
        for width in (360, 390, 1440):
            with self.subTest(width=width):
                context = self.browser.new_context(viewport={"width": width, "height": 844})
                self.addCleanup(context.close)
                tab = context.new_page()
                tab.goto(summary.as_uri())
                self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), width)
                tab.get_by_role("link", name="diverged: state count").click()
                tab.wait_for_url("**/index.html#*")
                # The cause is in view, with its log, the difference, and a way to the page.
                self.assertTrue(tab.locator("h2:target").is_visible())
                self.assertIn("state count", tab.locator("h2:target").inner_text())
                self.assertLessEqual(tab.evaluate("document.documentElement.scrollWidth"), width)
                self.assertIn("count − 3 + 1", tab.locator("h2:target + table").inner_text())
                if width < 640:
                    before = tab.evaluate("getComputedStyle(document.querySelector('td:nth-child(3)'), '::before').content")
                    self.assertIn("first difference", str(before))
                tab.locator("h2:target + table a").click()
                tab.wait_for_selector("html[data-ready]", state="attached")
                self.assertTrue(tab.locator("#step h3").inner_text().startswith("3 "))


class AccessTests(PageTest):
    """What tools such as axe look for: names, roles, states, focus."""

    def pages(self):
        return [
            (view(self.folder, todos), "#a=6&h=%2FisSaving&m=3&p=2"), (view(self.folder, root / "SampleLogs" / "counter-diverged.jsonl", "--replay"), ""), (two_logs(self.folder), "#c=2")]

    def test_names_and_roles(self):
        for page, fragment in self.pages():
            for width in (1440, 390):
                with self.subTest(page=page.name, width=width):
                    self.open(page, fragment, width)
                    self.assertEqual(self.tab.evaluate(audit), [])

    def test_every_control_is_reached_by_tab(self):
        self.open(view(self.folder, todos), "#a=6&h=%2FisSaving")
        wanted = self.tab.evaluate("""() => [...document.querySelectorAll("button, input, select, [tabindex='0'], summary")]
          .filter((element) => element.checkVisibility() && !element.disabled).length""")
        seen = []
        for _ in range(wanted + 5):
            self.tab.keyboard.press("Tab")
            found = self.tab.evaluate("""() => {
              const element = document.activeElement;
              if (element === document.body) return null;
              const box = element.getBoundingClientRect();
              return [element.id || element.textContent || element.className, box.width > 0 && box.height > 0];
            }""")
            if found is None:
                break
            self.assertTrue(found[1] or "Skip" in found[0], found[0])
            seen.append(found[0])
        self.assertGreaterEqual(len(seen), wanted - 1)
        order = [seen.index(name) for name in ("query", "back" if "back" in seen else "play", "scrubber", "divide-list", "list", "divide-step", "tree")
                 if name in seen]
        self.assertEqual(order[0], min(order))

    def test_keys_open_at_their_top(self):
        self.open(view(self.folder, todos), "", height=420)
        self.press("?")
        self.assertEqual(self.tab.evaluate("document.getElementById('keys').scrollTop"), 0)
        self.assertTrue(self.tab.locator("#keys h2").first.is_visible())
        box = self.tab.locator("#keys h2").first.bounding_box()
        self.assertGreaterEqual(box["y"], 0)


audit = """() => {
  const found = [];
  const say = (element, text) => found.push(`${text}: ${element.outerHTML.slice(0, 120)}`);
  const ids = new Set();
  for (const element of document.querySelectorAll("[id]")) {
    if (ids.has(element.id)) say(element, "id twice");
    ids.add(element.id);
  }
  const seen = [...document.querySelectorAll("body *")].filter((element) => element.checkVisibility());
  for (const element of seen) {
    const role = element.getAttribute("role");
    const labels = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("");
    const name = (element.getAttribute("aria-label") || labels || element.labels?.[0]?.textContent || element.textContent || element.title || "").trim();
    if (element.matches("button, input, select, a, [role=slider], [role=separator], [role=listbox], [role=tree], [role=radio], [role=img], [role=combobox]") && name === "") say(element, "no name");
    for (const attribute of ["aria-controls", "aria-activedescendant", "aria-labelledby"]) {
      for (const id of (element.getAttribute(attribute) ?? "").split(" ")) if (id !== "" && document.getElementById(id) === null) say(element, `${attribute} leads nowhere`);
    }
    if (role === "slider" || (role === "separator" && element.tabIndex >= 0)) {
      const [low, now, high] = ["min", "now", "max"].map((part) => Number(element.getAttribute(`aria-value${part}`)));
      if (!(low <= now && now <= high)) say(element, `value ${now} outside ${low} to ${high}`);
    }
    const parents = { option: "listbox", treeitem: "tree", radio: "radiogroup" };
    if (role in parents && element.closest(`[role=${parents[role]}]`) === null) say(element, `outside a ${parents[role]}`);
    // These have no children for assistive technology, so that nothing in them may be reached.
    if (["option", "slider", "img", "radio", "separator"].includes(role) && element.querySelector("button, input, [tabindex]") !== null) say(element, "a control inside");
    if (element.tabIndex > 0) say(element, "its own place in the order of tabs");
    if (element.getAttribute("aria-hidden") === "true" && element.querySelector("button, input, [tabindex='0']") !== null) say(element, "hidden, with a control");
  }
  if (document.documentElement.lang === "") found.push("no language");
  if (document.querySelectorAll("h1").length !== 1) found.push("not one h1");
  return found;
}"""


if __name__ == "__main__":
    unittest.main(verbosity=2)
