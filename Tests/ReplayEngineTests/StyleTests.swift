import Testing

@testable import ReplayEngine

/// Text on a terminal: messages are wrapped, values are cut, and names are shortened in the middle.
@Suite struct StyleTests {
  private let style = Style(hasColor: false, width: 40)
  private let colored = Style(hasColor: true, width: 40)

  @Test(
    arguments: [
      (
        "short.jsonl: identical, through action 12",
        "short.jsonl: identical, through action\n    12"
      ),
      (
        "/tmp/a-rather-long-folder/logs/counter.jsonl: cut after action 9",
        "/tmp/a…counter.jsonl: cut after action 9"
      ),
      (
        "/tmp/a-rather-long-folder/counter.jsonl: identical",
        "/tmp/a-ra…older/counter.jsonl: identical"
      ),
      ("14 logs, 2 failed", "14 logs, 2 failed"),
      (
        "a.jsonl: the log has schema version 7, this host goes up to 3: update it",
        "a.jsonl: the log has schema version 7,\n    this host goes up to 3: update it"
      ),
    ]
  )
  func `a headline wraps at the terminal's width and shortens log names in the middle`(
    text: String,
    expected: String
  ) {
    #expect(style.headline(text) == expected)
  }

  @Test func `a headline never cuts its verdict`() {
    let text =
      "SampleLogs/counter-diverged.jsonl: " + colored.bold("diverged at action 3: state count")
    #expect(
      colored.report(text) == """
        Sample…iverged.jsonl: \u{1B}[1mdiverged at action
            3: state count\u{1B}[0m
        """
    )
  }

  @Test func `Style breaks a word that is longer than a line`() {
    let word = String(repeating: "x", count: 70)
    let (start, end) = (String(repeating: "x", count: 36), String(repeating: "x", count: 34))
    let lines = ["the word", "    \(start)", "    \(end)", "    is long"]
    #expect(style.wrapped("the word \(word) is long") == lines.joined(separator: "\n"))
  }

  @Test func `Style cuts values at the terminal's width`() {
    let value = "  − \"" + String(repeating: "日", count: 30) + "\""
    #expect(style.report(value) == "  − \"" + String(repeating: "日", count: 17) + "…")
  }

  @Test func `a table aligns its columns, and shortens names at the terminal's width`() {
    let rows = [
      ["logs/a-folder-with-a-long-name/counter.jsonl", "12", "", "3.3 s"],
      ["logs/b.jsonl", "4", "", "129.1 ms"],
    ]
    let table = TextTable(rows, numbers: 1..<4, indent: 2)
    #expect(
      table.lines() == [
        "  logs/a-folder-with-a-long-name/counter.jsonl  12     3.3 s",
        "  logs/b.jsonl                                   4  129.1 ms",
      ]
    )
    #expect(
      table.lines(width: 40) == [
        "  logs/a-…me/counter.jsonl  12     3.3 s",
        "  logs/b.jsonl               4  129.1 ms",
      ]
    )
    // The minimum width of a name.
    #expect(
      table.lines(width: 20) == [
        "  logs/…nter.jsonl  12     3.3 s", "  logs/b.jsonl       4  129.1 ms",
      ]
    )
    #expect(TextTable([]).lines(width: 40) == [])
  }

  @Test func `text that wraps continues in the column after its command, label or title`() {
    #expect(
      style.hanging(
        "  goto, g  go to an action, or to a bookmark\nshort\n      alive: save 6.0, tick 1.0, a 1.0"
      )
        == """
          goto, g  go to an action, or to a
                   bookmark
        short
              alive: save 6.0, tick 1.0, a 1.0
        """
    )
    #expect(
      style.inset(by: 10).hanging("    a message that goes on below") == """
            a message that goes on
              below
        """
    )
    #expect(Style.plain.inset(by: 2).hanging("a b") == "a b")
  }

  @Test func `Style does not wrap text if the output is not a terminal`() {
    let text = String(repeating: "a b: ", count: 40)
    #expect(Style.plain.report(text) == text)
    #expect(Style.plain.wrapped(text) == text)
  }

  @Test(
    arguments: [
      (
        "a\u{1B}[31mb\u{1B}[2Jc\u{202E}d\te\n", false, #"a\u{1B}[31mb\u{1B}[2Jc\u{202E}d"# + "\te\n"
      ),
      ("a\u{1B}[31mb\u{1B}[2Jc\u{1B}[0m", true, "a\u{1B}[31mb" + #"\u{1B}[2Jc"# + "\u{1B}[0m"),
      ("é日🙂\u{200D}", false, "é日🙂\u{200D}"),
      ("\u{9B}31m\u{7F}\r", false, #"\u{9B}31m\u{7F}\r"#),
    ]
  )
  func `Style escapes control characters, and keeps the tool's own colors`(
    text: String,
    keepsColors: Bool,
    expected: String
  ) {
    #expect(Style(hasColor: keepsColors).fitted(text) == expected)
  }
}
