"""Pages that are open while something writes them: `view --follow`, `run --watch --pages`, and the choice among the logs of a file."""
import json
import os
import signal
import subprocess
import time

from page_test import PageTest, line, root, tool, view


class LiveTest(PageTest):
    def start(self, page, *arguments, until=lambda: True):
        """Starts a command that goes on, and waits for its page."""
        command = subprocess.Popen([tool, *map(str, arguments)], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, command)
        for _ in range(1200):
            if command.poll() is not None:
                self.fail(command.communicate())
            if (page.parent / f"{page.name}.live" / "now.js").exists() and until():
                return command
            time.sleep(0.05)
        self.fail("no page came")

    def end(self, command):
        """Ends a command as Ctrl-C does; what it printed."""
        if command.poll() is None:
            command.send_signal(signal.SIGINT)
        texts = command.communicate(timeout=60)
        return command.returncode, *texts

    def append(self, log, *events):
        with open(log, "a") as file:
            file.write("".join(line(event) + "\n" for event in events))

    def action(self, seq, value=None, **more):
        name = {"_0": value} if value is not None else {}
        return [
            {"kind": "action", "seq": seq, "at": seq * 1000, "origin": "view", "action": {"typed": name}, **more},
            {"kind": "change", "seq": seq, "patch": [{"op": "replace", "path": "/text", "value": value or ""}, {"op": "replace", "path": "/count", "value": seq}]},
        ]

    def recording(self, name, count=3, id="1"):
        header = {"kind": "header", "format": "tca-replay", "version": 1, "requires": [], "id": id, "feature": "Test", "stateType": "State", "startedAt": "",
                  "recorder": "0.2.0", "environment": {}, "segment": 1}
        log = self.folder / name
        temporary = self.folder / "temporary"
        temporary.write_text("")
        self.append(temporary, header, {"kind": "checkpoint", "seq": 0, "state": {"text": "", "count": 0}, "effects": []})
        for seq in range(1, count + 1):
            self.append(temporary, *self.action(seq))
        os.rename(temporary, log)
        return log

    def follow(self, name, count=3, fragment="", **more):
        log = self.recording(f"{name}.jsonl", count)
        page = self.folder / f"{name}.html"
        self.command = self.start(page, "view", "--follow", log, "-o", page)
        self.open(page, fragment, **more)
        return log, page

    def allow_news(self, page):
        """The scripts beside the page may be asked for. None fails: the page is told of the end before they go."""
        news = f"{page.as_uri()}.live/"
        self.problems = [text for text in self.problems if not text.startswith(f"request {news}")]
        return self.problems

    def mark(self):
        mark = self.tab.locator("#live")
        return mark.inner_text() if mark.is_visible() else None

    def reds(self):
        """The points of the timeline that have the color of what went wrong."""
        return self.tab.evaluate("""() => {
          const wanted = document.createElement("canvas").getContext("2d");
          wanted.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--differs");
          wanted.fillRect(0, 0, 1, 1);
          const red = wanted.getImageData(0, 0, 1, 1).data;
          let count = 0;
          for (const name of ["scrubber", "lanes"]) {
            const canvas = document.getElementById(name);
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            for (let index = 0; index < data.length; index += 4) if ([0, 1, 2].every((part) => data[index + part] === red[part])) count += 1;
          }
          return count;
        }""")

    def rows(self):
        return int(self.tab.locator(".row").first.get_attribute("aria-setsize"))


class FollowTests(LiveTest):
    def test_the_end_goes_along(self):
        log, page = self.follow("end")
        self.assertEqual(self.mark(), "live")
        self.assertEqual(self.title(), "3 .typed")
        self.assertFalse(self.tab.locator("#banner").is_visible())
        self.append(log, *self.action(4, "a"))
        self.wait(lambda: self.title() == '4 .typed("a")')
        self.assertIn("4 actions", self.tab.locator("#facts").inner_text())
        self.assertEqual(self.place(), {"a": "end"} if "a" in self.place() else {})
        self.assertEqual(self.tab.locator("#live").get_attribute("class"), "along")
        self.append(log, *self.action(5, "b"), *self.action(6, "c"))
        self.wait(lambda: self.title() == '6 .typed("c")')
        self.assertEqual(" ".join(self.tab.locator("#tree .changed").first.inner_text().split()), 'text "b" → "c"')
        self.assertEqual(self.allow_news(page), [])
        # Ctrl-C leaves a page of all that came, without the means to learn more.
        status, output, error = self.end(self.command)
        self.assertEqual((status, error), (0, ""))
        self.assertTrue(output.endswith(f"{page}: 6 actions\n"), output)
        self.wait(lambda: self.mark() == "no longer live")
        self.assertEqual(self.title(), '6 .typed("c")')
        self.assertEqual(self.reds(), 0)
        self.assertIn("cut after action 6", self.tab.locator("#banner").inner_text())
        self.assertFalse((self.folder / f"{page.name}.live").exists())
        self.open(page)
        self.assertIsNone(self.mark())
        self.assertEqual(len(self.titles()), 7)
        self.assertEqual(self.problems, [])

    def test_what_is_selected_stays(self):
        log, page = self.follow("place", 400)
        self.press("g")
        self.tab.keyboard.type("100")
        self.press("Enter")
        self.tab.evaluate("document.getElementById('list').scrollTop += 60")
        self.settle()
        top = self.tab.evaluate("document.getElementById('list').scrollTop")
        row = self.row(100).element_handle()
        self.tab.locator("#step summary", has_text="lines").click()
        self.append(log, *[event for seq in range(401, 460) for event in self.action(seq, "x")])
        self.wait(lambda: self.rows() == 460)
        self.assertTrue(self.title().startswith("100 "))
        self.assertEqual(self.tab.evaluate("document.getElementById('list').scrollTop"), top)
        self.assertEqual(self.place(), {"a": "100"})
        # The row itself stays, not only its like.
        self.assertTrue(row.evaluate("(row) => row.isConnected"))
        self.assertNotEqual(self.tab.locator("#live").get_attribute("class"), "along")
        # The mark leads to the end, and along with it again.
        self.tab.locator("#live").click()
        self.assertTrue(self.title().startswith("459 "))
        self.append(log, *self.action(460, "y"))
        self.wait(lambda: self.title().startswith("460 "))
        self.assertEqual(self.place(), {"a": "end"})

    def test_a_filter_takes_what_comes(self):
        log, page = self.follow("filter", 5, "#q=typed(&a=2")
        self.append(log, *self.action(6, "x"), *self.action(7), *self.action(8, "y"))
        self.wait(lambda: self.tab.locator("#hits").inner_text() == "2 of 8")
        self.assertEqual(self.titles(), ['.typed("x")', '.typed("y")'])
        self.assertTrue(self.title().startswith("2 "))

    def test_an_action_in_progress(self):
        log, page = self.follow("progress")
        action, change = self.action(4, "slow")
        self.append(log, action)
        self.wait(lambda: self.title().startswith("4 "))
        self.assertIn("in progress", self.row(4).inner_text())
        self.assertEqual(self.tab.locator("#step .bad").count(), 0)
        # The timeline, the list and the filters agree.
        self.assertEqual(self.reds(), 0)
        self.assertEqual(self.tab.locator("#quick .bad").count(), 0)
        self.press("d")
        self.assertTrue(self.title().startswith("4 "))
        self.assertIn("The app handles this action", self.tab.locator("#step").inner_text())
        self.append(log, change)
        self.wait(lambda: "in progress" not in self.row(4).inner_text())
        self.assertIn('"slow"', self.tab.locator("#tree .changed").first.inner_text())
        # What is selected shows what it leads to.
        self.press("ArrowUp", "ArrowDown")
        self.append(log, {"kind": "action", "seq": 5, "at": 5000, "origin": {"reentrant": 4}, "action": {"led": {}}})
        self.wait(lambda: self.title().startswith("5 "))
        self.press("[")
        self.append(log, {"kind": "change", "seq": 5, "patch": []}, {"kind": "action", "seq": 6, "at": 5000, "origin": {"reentrant": 4}, "action": {"led": {}}})
        self.wait(lambda: "2 actions" in self.tab.locator("#step section", has_text="Led to").inner_text())
        self.assertTrue(self.title().startswith("4 "))

    def test_a_history_takes_what_comes(self):
        log, page = self.follow("history", 3, "#a=2&h=%2Fcount")
        self.wait(lambda: self.tab.locator("#history tr").count() == 4)
        self.append(log, *self.action(4))
        self.wait(lambda: self.tab.locator("#history tr").count() == 5)
        self.assertTrue(self.title().startswith("2 "))

    def test_half_lines_and_the_next_recording(self):
        log, page = self.follow("next")
        text = "".join(line(event) + "\n" for event in self.action(4, "whole"))
        with open(log, "a") as file:
            file.write(text[:50])
            file.flush()
            self.append(log.with_name("unrelated.jsonl"), *self.action(9))
            file.write(text[50:])
        self.wait(lambda: self.title() == '4 .typed("whole")')
        # The app is started again: its recorder takes the next free name.
        self.recording("next-2.jsonl", 2, "2")
        self.wait(lambda: "next-2.jsonl" in self.tab.locator("#facts").inner_text())
        self.wait(lambda: self.title().startswith("2 "))
        self.assertEqual(self.mark(), "live")

    def test_a_ring_turns_over(self):
        log, page = self.follow("ring.segment-1")
        segment = [json.loads(text) for text in log.read_text().splitlines()[:2]]
        segment[0]["segment"] = 2
        segment[1] = {**segment[1], "seq": 3, "state": {"text": "", "count": 3}}
        self.append(log, {"kind": "end", "seq": 3, "reason": "segment"})
        self.append(log.with_name("ring.segment-2.jsonl"), *segment, *self.action(4, "later"))
        self.wait(lambda: self.title() == '4 .typed("later")')
        self.assertEqual(len(self.titles()), 5)
        self.assertEqual(" ".join(self.tab.locator("#tree .changed").first.inner_text().split()), 'text "" → "later"')

    def test_a_command_that_was_killed(self):
        log, page = self.follow("killed")
        self.append(log, self.action(4, "slow")[0])
        self.wait(lambda: self.title().startswith("4 "))
        self.command.kill()
        self.command.wait()
        # Nothing was taken away; the page looks at what is left. It waits a second, not ten.
        now = page.parent / f"{page.name}.live" / "now.js"
        news = json.loads(now.read_text().removeprefix("tcaReplay(").removesuffix(");\n"))
        self.assertEqual(news["patience"], 10)

        def tell(**more):
            temporary = now.with_name("temporary")
            temporary.write_text(f"tcaReplay({json.dumps({**news, 'patience': 1, **more})});\n")
            os.rename(temporary, now)

        tell()
        self.wait(lambda: self.mark() == "no longer followed")
        self.assertIn("no sign", self.tab.locator("#live").get_attribute("title"))
        self.assertFalse(self.tab.locator("#live").is_enabled())
        self.assertIn("not finished", self.row(4).inner_text())
        self.assertIn("The log ends within action 4", self.tab.locator("#banner").inner_text())
        # A command that was only stopped, as the machine is when it sleeps.
        tell(beat=news["beat"] + 1, patience=600)
        self.wait(lambda: self.mark() == "live")
        self.assertIn("in progress", self.row(4).inner_text())
        self.assertFalse(self.tab.locator("#banner").is_visible())
        # Another command takes the page over.
        self.command = self.start(page, "view", "--follow", log, "-o", page, until=lambda: news["generation"] not in now.read_text())
        self.append(log, *self.action(5, "later"))
        self.wait(lambda: self.title().startswith("5 "))
        self.assertEqual(self.mark(), "live")
        self.assertEqual(self.allow_news(page), [])

    def test_hostile_texts_come_and_run_nothing(self):
        log, page = self.follow("hostile")
        self.tab.evaluate("() => { window.boom = () => { window.hasRun = true; }; }")
        seeds = [
            "</script><script>boom({n})</script>", "<img src=x onerror=boom({n})>", '");boom({n});("', "\\\");boom({n});//", "\u2028boom({n})\u2029", "*/boom({n})/*",
            "'+boom({n})+'", "${{boom({n})}}", "`boom({n})`", "\\u0022);boom({n});//", "<!--{n}", "\u0000{n}\u001b[31m", "\u202e{n}\u2066", "]]>{n}", "__proto__{n}",
        ]
        texts = [seeds[number % len(seeds)].format(n=number) for number in range(3000)]
        self.append(log, *[event for number, text in enumerate(texts) for event in self.action(4 + number, text)])
        self.wait(lambda: self.title().startswith("3003 "))
        shown = subprocess.run([tool, "show", str(log), "-v"], check=True, capture_output=True, text=True).stdout
        expected = [text.split("  ")[2] for text in shown.splitlines() if text.endswith("  sent by the view")]
        found = self.titles()[1:]
        self.assertEqual(len(found), 3003)
        self.assertEqual([text for text in found if "  " not in text][:50], [text for text in expected if "  " not in text][:50])
        for seq in range(4, 4 + len(seeds)):
            self.tab.evaluate(f"location.hash = '#a={seq}'")
            self.settle()
        self.assertFalse(self.tab.evaluate("window.hasRun === true"))
        # The page may be looking for news.
        self.assertEqual(self.tab.evaluate("document.querySelectorAll('img, svg, iframe, script[src]:not([src^=\"hostile.html.live/\"])').length"), 0)
        self.assertEqual(self.allow_news(page), [])

    def test_the_policy_is_loosened_in_this_mode_alone(self):
        log, page = self.follow("policy")
        self.assertIn("script-src 'sha256-", page.read_text())
        self.assertIn("' 'strict-dynamic';", page.read_text())
        ran = self.tab.evaluate("""() => {
          const image = document.createElement("img");
          const inline = document.createElement("div");
          document.body.append(inline);
          inline.innerHTML = "<img src=x onerror='window.hasRun = true'><a href='javascript:window.hasRun = true'>x</a>";
          inline.querySelector("a").click();
          return new Promise((done) => setTimeout(() => done(window.hasRun === true), 200));
        }""")
        self.assertFalse(ran)


class WatchTests(LiveTest):
    def test_an_open_page_goes_along_with_the_runs(self):
        folder = self.folder / "watch"
        folder.mkdir()
        log = folder / "counter.jsonl"
        samples = root / "SampleLogs"
        log.write_text((samples / "counter-diverged.jsonl").read_text())
        pages = self.folder / "pages"
        name = str(log).lstrip("/").replace("/", "-").removesuffix(".jsonl") + ".html"
        command = self.start(pages / name, "run", "--watch", log, "--pages", pages)
        self.open(pages / name)
        self.assertIn("diverged at action 3", self.tab.locator("#banner").inner_text())
        self.assertEqual(self.mark(), "live")
        # What is selected stays, as it stands in the address.
        self.press("g")
        self.tab.keyboard.type("5")
        self.press("Enter")
        temporary = folder / "temporary"
        temporary.write_text((samples / "counter.jsonl").read_text())
        os.rename(temporary, log)
        self.wait(lambda: self.tab.locator("#banner").is_visible() and "identical, through action 12" in self.tab.locator("#banner").inner_text())
        self.assertTrue(self.title().startswith("5 "))
        status, output, error = self.end(command)
        self.assertEqual(status, 0)
        self.assertIn("diverged at action 3: state count", output)
        self.assertTrue(output.endswith("identical, through action 12\n"), output)
        self.wait(lambda: self.mark() == "no longer live")
        self.assertEqual(sorted(path.name for path in pages.iterdir()), ["index.html", name])
        self.open(pages / name)
        self.assertIsNone(self.mark())
        self.assertEqual(self.problems, [])


class ChoiceTests(LiveTest):
    def several(self, *more):
        logs = [root / "SampleLogs" / f"{name}.jsonl" for name in ("counter", "todos", "counter-diverged")]
        file = self.folder / "several.jsonl"
        file.write_text("".join(log.read_text() for log in logs))
        return view(self.folder, file, *more)

    def test_the_logs_of_a_file(self):
        page = self.several()
        self.open(page)
        options = self.tab.locator("#logs option").all_inner_texts()
        self.assertEqual([text.split(",")[0] for text in options], ["1  Counter", "2  Todos", "3  Counter"])
        self.assertTrue(options[1].endswith("16 actions"))
        self.assertEqual(self.tab.locator("#name").inner_text(), "Counter")
        self.tab.locator("#logs").select_option("2")
        self.wait(lambda: self.tab.locator("#name").inner_text() == "Todos")
        self.tab.wait_for_selector("html[data-ready]", state="attached")
        self.assertEqual(self.title(), "6 .saved(.failure(.emptyTitle(…E68E)))")
        self.assertEqual(len(self.titles()), 17)
        # Lines have the numbers of the file.
        self.tab.locator("#step summary", has_text="lines").click()
        number = int(self.tab.locator(".raw .number").first.inner_text())
        lines = (self.folder / "several.jsonl").read_text().splitlines()
        self.assertEqual(lines[number - 1], self.tab.locator(".raw .l").first.text_content())
        self.press("ArrowDown")
        self.assertEqual(self.place(), {"l": "2", "a": "7"})
        self.open(page, "#l=2&a=7")
        self.assertTrue(self.title().startswith("7 "))
        self.assertEqual(self.problems, [])

    def test_the_log_that_fails_comes_first(self):
        self.open(self.several("--replay"))
        self.assertEqual(self.tab.locator("#logs").input_value(), "3")
        self.assertIn("diverged at action 3", self.tab.locator("#banner").inner_text())
        self.tab.locator("#logs").select_option("1")
        self.wait(lambda: self.tab.locator("#banner").is_visible() and "identical" in self.tab.locator("#banner").inner_text())
