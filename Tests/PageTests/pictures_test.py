"""What the user saw, on the page: the film strip, the large picture, the pictures of the selected action, and that a picture can do nothing."""
import base64
import subprocess

from page_test import PageTest, replace, root, tool, view, write_log


def svg(number, inside=""):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="390" height="844"><rect width="390" height="844" fill="hsl({number * 47 % 360} 60% 80%)"/>'
        f'<text x="40" y="400" font-size="90">{number}</text>{inside}</svg>'
    )


class PictureTests(PageTest):
    def counter(self, actions, name="counter.jsonl"):
        return write_log(self.folder / name, {"count": 0}, [
            {"action": {"tap": {}}, "patch": [replace("/count", (number + 1) // 2)]} for number in range(actions)])

    def pictures(self, name, actions, inside=""):
        """A folder with a picture for each action that is named by it; two actions in a row have the same one."""
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        for action in range(actions + 1):
            (folder / f"{action}.svg").write_text(svg(action // 2, inside))
        return folder

    def is_loaded(self, place):
        return self.tab.locator(place).evaluate("(image) => image.complete && image.naturalWidth > 0")

    def test_the_strip_has_a_frame_for_each_picture(self):
        log = self.counter(9)
        page = view(self.folder, log, "--pictures-from", self.pictures("nine", 9))
        for width in (390, 1024, 1440):
            for scheme in ("light", "dark"):
                self.open(page, "#a=4", width, 844, scheme)
                frames = self.tab.locator(".frame")
                self.assertEqual(frames.first.locator(".name").inner_text(), "0–1")
                self.assertEqual(self.tab.locator('.frame[aria-current="true"] .name').inner_text(), "4–5")
                self.wait(lambda: self.is_loaded('.frame[aria-current="true"] img'))
                box, room = frames.first.bounding_box(), self.tab.locator("#film").bounding_box()
                self.assertLessEqual(room["width"], width)
                self.assertLessEqual(box["y"] + box["height"], room["y"] + room["height"])
                self.assertEqual(self.problems, [])

    def test_a_click_goes_to_the_action_and_the_pointer_shows_it_large(self):
        log = self.counter(9)
        self.open(view(self.folder, log, "--pictures-from", self.pictures("nine", 9)), "#a=1")
        self.tab.locator(".frame", has_text="6–7").hover()
        self.wait(lambda: self.tab.locator("#glance").is_visible() and self.is_loaded("#glance img"))
        glance = self.tab.locator("#glance").bounding_box()
        self.assertGreater(glance["height"], 300)
        self.assertLessEqual(glance["y"] + glance["height"], 900)
        self.tab.locator(".frame", has_text="6–7").click()
        self.assertTrue(self.title().startswith("6 "), self.title())
        self.assertEqual(self.place()["a"], "6")
        # The arrows go from picture to picture while one of them has the keyboard.
        self.press("ArrowRight")
        self.assertTrue(self.title().startswith("8 "), self.title())
        self.tab.locator("#list").click()
        self.assertFalse(self.tab.locator("#glance").is_visible())
        self.press("6")
        self.assertFalse(self.tab.locator("#film").is_visible())
        self.press("6")
        self.assertTrue(self.tab.locator("#film").is_visible())

    def test_the_selected_action_has_its_pictures_beside_its_change(self):
        log = self.counter(9)
        self.open(view(self.folder, log, "--pictures-from", self.pictures("nine", 9)), "#a=4")
        captions = self.tab.locator(".screens figcaption")
        self.assertEqual(captions.all_inner_texts(), ["before", "after"])
        self.wait(lambda: self.is_loaded(".screens img >> nth=1"))
        sources = [image.get_attribute("src") for image in self.tab.locator(".screens img").all()]
        texts = [base64.b64decode(source.split(",", 1)[1]).decode() for source in sources]
        self.assertEqual(texts, [svg(1), svg(2)])
        self.press("ArrowDown")
        self.assertEqual(captions.count(), 0)
        self.assertEqual(self.tab.locator(".screens img").count(), 1)

    def test_both_sides_of_a_comparison(self):
        log, other = self.counter(5), self.counter(5, "other.jsonl")
        there = self.pictures("there", 5)
        (there / "2.svg").write_text(svg(99))
        self.open(view(self.folder, log, other, "--pictures-from", self.pictures("here", 5), "--pictures-from", there), "#a=2")
        self.assertEqual(self.tab.locator(".screens figcaption").all_inner_texts(), ["before", "after", "in other.jsonl"])
        self.press("ArrowDown", "ArrowDown")
        self.assertEqual(self.tab.locator(".screens figcaption").all_inner_texts(), ["before", "after"])
        self.assertIn("the same in other.jsonl", self.tab.locator("#step").inner_text())

    def test_a_picture_runs_nothing_and_loads_nothing(self):
        log = self.counter(3)
        hostile = (
            '<script>parent.boom()</script><image href="http://127.0.0.1:9/x.png" width="9" height="9" onload="parent.boom()"/>'
            '<style>@import url(http://127.0.0.1:9/x.css);</style><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="http://127.0.0.1:9/"/></foreignObject>'
            "<animate onbegin=\"parent.boom()\" attributeName=\"x\" dur=\"1s\"/>"
        )
        page = view(self.folder, log, "--pictures-from", self.pictures("hostile", 3, hostile))
        self.open(page, "#a=1")
        self.wait(lambda: self.is_loaded(".screens img >> nth=0"))
        self.tab.wait_for_timeout(300)
        self.assertEqual(self.tab.locator("iframe, object, embed").count(), 0)
        self.assertEqual(self.problems, [])
        self.assertIn("img-src data:;", page.read_text())

    def test_pictures_load_when_they_come_into_view(self):
        log = self.counter(400)
        self.open(view(self.folder, log, "--pictures-from", self.pictures("many", 400)), "#a=0")
        self.wait(lambda: self.is_loaded(".frame img >> nth=0"))
        self.assertLess(self.tab.locator(".frame").count(), 60)
        self.tab.evaluate("location.hash = '#a=300'")
        self.settle()
        self.wait(lambda: self.tab.locator('.frame[aria-current="true"] .name').inner_text() == "300–301")
        self.assertLess(self.tab.locator(".frame").count(), 60)

    def test_the_samples_are_drawn_by_the_host(self):
        for name in ("counter", "todos", "board", "inspections", "signup"):
            with self.subTest(name):
                self.open(view(self.folder, root / "SampleLogs" / f"{name}.jsonl", "--pictures"), "#a=3")
                self.wait(lambda: self.is_loaded('.frame[aria-current="true"] img'))
                self.assertEqual(self.tab.locator(".nopicture").count(), 0)
                self.assertEqual(self.problems, [])

    def test_the_report_of_a_changed_picture(self):
        """Before, after, one over the other with a slider, and the difference."""
        log = self.counter(5)
        before, after = self.pictures("before", 5), self.pictures("after", 5)
        (after / "3.svg").write_text(svg(77))
        report = self.folder / "report.html"
        run = subprocess.run([tool, "pictures", str(after), "--against", str(before), "--report", str(report)], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("action 3: picture differs", run.stdout)
        context = self.browser.new_context(viewport={"width": 1024, "height": 800})
        self.addCleanup(context.close)
        tab = context.new_page()
        problems = []
        tab.on("console", lambda message: problems.append(message.text))
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.goto(report.as_uri())
        self.assertEqual(tab.locator("h2").all_inner_texts(), ["action 3: picture differs"])
        self.assertEqual(tab.locator(".pair img").count(), 6)
        slider = tab.locator("input[type=range]")
        slider.fill("20")
        self.assertEqual(tab.locator(".over img.after >> nth=0").evaluate("(image) => image.style.clipPath"), "inset(0px 0px 0px 20%)")
        self.assertTrue(tab.locator(".blend img.after").evaluate("(image) => image.complete && image.naturalWidth === 390"))
        self.assertEqual(problems, [])
