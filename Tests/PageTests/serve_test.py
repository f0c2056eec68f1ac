"""What would have happened: a page that `view --serve` serves, and who may ask."""
import http.client
import signal
import subprocess
import unittest
from urllib.parse import quote, urlsplit

from page_test import PageTest, root, tool

log = root / "SampleLogs" / "counter.jsonl"


class ServeTest(PageTest):
    def serve(self, *arguments):
        """Starts the command, which says the address of the page."""
        self.command = subprocess.Popen([tool, "view", str(log), "--serve", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end)
        line = self.command.stdout.readline()
        self.assertRegex(line, r"^.*counter\.jsonl at http://127\.0\.0\.1:\d+/[0-9a-f]{32}/; Ctrl-C ends\n$")
        self.address = line.split(" at ")[1].split(";")[0]
        return self.address

    def end(self):
        if self.command.poll() is None:
            self.command.send_signal(signal.SIGINT)
        return self.command.wait(30)

    def ask(self, path="", method="GET", **headers):
        """The status and the text of an answer."""
        parts = urlsplit(self.address)
        connection = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=60)
        connection.putrequest(method, parts.path + path if not path.startswith("/") else path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        response = connection.getresponse()
        self.headers = response.headers
        return response.status, response.read().decode()


class WhoMayAskTests(ServeTest):
    def test_only_a_page_of_the_command_is_answered(self):
        self.serve()
        port = urlsplit(self.address).port
        cases = [
            ("", {}, 200), ("", {"Host": f"localhost:{port}"}, 200), ("", {"Host": f"evil.example:{port}"}, 403), ("", {"Host": "127.0.0.1"}, 403),
            ("", {"Origin": f"http://127.0.0.1:{port}"}, 200), ("", {"Origin": "http://evil.example"}, 403), ("", {"Origin": "null"}, 403),
            ("what-if?skip=1", {"Sec_Fetch_Site": "cross-site"}, 403), ("what-if?skip=1", {"Sec_Fetch_Site": "same-site"}, 403),
            ("live/now.js", {"Sec_Fetch_Site": "same-origin"}, 200), ("other", {}, 404), ("../etc/passwd", {}, 404),
            ("/", {}, 404), ("/0123456789abcdef0123456789abcdef/", {}, 404), ("/0123456789abcdef0123456789abcdef/what-if?skip=1", {}, 404),
        ]
        for path, headers, status in cases:
            with self.subTest(path=path, headers=headers):
                self.assertEqual(self.ask(path, **headers)[0], status)
        self.assertEqual(self.ask("", method="POST")[0], 405)
        self.ask("")
        self.assertEqual(self.headers["Referrer-Policy"], "no-referrer")
        self.assertEqual(self.headers["X-Frame-Options"], "DENY")

    def test_requests_are_bounded(self):
        self.serve()
        self.assertEqual(self.ask("what-if?skip=" + "1" * 20_000)[0], 413)
        self.assertIn("found 65 edits; expected at most 64", self.ask("what-if?" + "&".join(["skip=1"] * 65))[1])
        # Another client is answered after one that says nothing.
        silent = http.client.HTTPConnection("127.0.0.1", urlsplit(self.address).port)
        silent.connect()
        self.addCleanup(silent.close)
        self.assertEqual(self.ask("")[0], 200)
        for nothing in (b"\r\n\r\n", b"GET\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"\xff\xfe\r\n\r\n"):
            with self.subTest(nothing=nothing):
                connection = http.client.HTTPConnection("127.0.0.1", urlsplit(self.address).port, timeout=30)
                connection.connect()
                connection.sock.sendall(nothing)
                self.assertTrue(connection.sock.recv(100).startswith(b"HTTP/1.1 400 "))
                connection.close()

    def test_what_goes_with_it(self):
        for arguments, text in [
            (["--follow"], "'--serve' and '--follow'"), (["-o", "x.html"], "'--serve' and '--output'"), (["--range", "1..2"], "'--serve' and '--range'"),
            ([str(log)], "--serve"),
        ]:
            with self.subTest(arguments=arguments):
                result = subprocess.run([tool, "view", str(log), "--serve", *arguments], capture_output=True, text=True)
                self.assertEqual(result.returncode, 64, result.stderr)
                self.assertIn(text, result.stderr)


class WhatIfTests(ServeTest):
    def open_served(self, path="", width=1440):
        context = self.browser.new_context(viewport={"width": width, "height": 900})
        self.addCleanup(context.close)
        self.context = context
        self.tab = context.new_page()
        self.problems = []
        self.tab.on("console", lambda message: self.problems.append(message.text) if message.type in ("error", "warning") else None)
        self.tab.on("pageerror", lambda error: self.problems.append(str(error)))
        self.tab.goto(self.address + path)
        self.ready()

    def ready(self):
        self.tab.wait_for_selector("html[data-ready]", state="attached", timeout=60_000)

    def rows(self):
        return [[" ".join(side.split()).split(" ≠")[0] for side in row.locator(".what").all_inner_texts()] for row in self.tab.locator(".row").all()]

    def test_skip_edit_insert_and_take_back(self):
        self.serve()
        for width in (1440, 390):
            with self.subTest(width=width):
                self.open_served("#a=2", width)
                self.assertEqual(self.tab.locator("#live").inner_text(), "served")
                with self.tab.expect_navigation():
                    self.tab.get_by_role("button", name="Skip it").click()
                self.ready()
                # Both timelines stand side by side.
                self.assertEqual(self.tab.locator("#there").inner_text(), "what if")
                self.assertEqual(self.tab.title(), "counter.jsonl and what if – Counter")
                self.assertEqual(self.rows()[1:4], [[".incrementButtonTapped", "1 .incrementButtonTapped"], [".incrementButtonTapped", ""], [".decrementButtonTapped", "2 .decrementButtonTapped"]])
                self.assertIn("skip 2", self.tab.locator("#banner").inner_text())
                with self.tab.expect_navigation():
                    self.tab.locator("#banner .chip").click()
                self.ready()
                self.assertFalse(self.tab.locator("#banner .chip").count())
                self.assertEqual(self.problems, [])

    def test_keys_alone_insert_an_action(self):
        self.serve()
        self.open_served("#a=1")
        self.tab.get_by_role("button", name="Insert after it…").focus()
        self.tab.keyboard.press("Enter")
        self.tab.keyboard.type(".incrementButtonTapped")
        with self.tab.expect_navigation():
            self.tab.keyboard.press("Enter")
        self.ready()
        # Of three equal actions the last one is the new one.
        self.assertIn(["", "3 .incrementButtonTapped"], self.rows())
        # Another edit is added to it.
        self.tab.locator(".row[data-step='3']").click()
        self.tab.get_by_role("button", name="Edit it…").click()
        self.assertEqual(self.tab.get_by_label("Action 3 instead").input_value(), ".decrementButtonTapped")
        self.tab.get_by_label("Action 3 instead").fill(".incrementButtonTapped")
        with self.tab.expect_navigation():
            self.tab.get_by_role("button", name="Replay", exact=True).click()
        self.ready()
        self.assertEqual([text.split(" ✕")[0] for text in self.tab.locator("#banner .chip").all_inner_texts()], ["insert 1=.incrementButtonTapped", "edit 3=.incrementButtonTapped"])

    def test_what_cannot_be_made_is_said(self):
        self.serve()
        self.open_served("what-if?edit=" + quote("2=.noSuchAction"))
        self.assertEqual(self.tab.locator("#banner").get_attribute("class"), "bad")
        self.assertIn("This timeline cannot be made:", self.tab.locator("#banner").inner_text())
        self.assertIn("noSuchAction", self.tab.locator("#banner").inner_text())

    def test_the_page_says_when_the_command_has_ended(self):
        self.serve()
        self.open_served("#a=2")
        self.assertTrue(self.tab.get_by_role("button", name="Skip it").is_visible())
        # It ends while the page looks, and as a command that did its work.
        self.command.send_signal(signal.SIGINT)
        self.wait(lambda: self.tab.locator("#live").inner_text() == "no longer served")
        self.assertEqual(self.command.wait(30), 0)
        self.assertFalse(self.tab.get_by_role("button", name="Skip it").is_visible())
        self.assertIn("has ended: run it again", self.tab.locator("#step").inner_text())
        self.assertEqual(self.problems, [])

    def test_a_page_without_a_command_says_how(self):
        page = self.folder / "file.html"
        subprocess.run([tool, "view", str(log), "-o", str(page), "--force"], check=True, capture_output=True)
        self.open(page, "#a=2")
        self.assertIn("tca-replay view counter.jsonl --serve --open", self.tab.locator("#step").inner_text())
        self.assertFalse(self.tab.get_by_role("button", name="Skip it").is_visible())


if __name__ == "__main__":
    unittest.main(verbosity=2)
