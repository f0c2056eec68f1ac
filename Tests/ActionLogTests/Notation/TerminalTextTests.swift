import ActionLog
import Testing

/// The widths of texts on a terminal in columns.
@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("ｱ", 1), ("Ａ", 2), ("한글", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2),
    ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("❤", 1), ("❤\u{FE0F}", 2),
    ("1\u{FE0F}\u{20E3}", 2),
    ("a\u{200D}b", 2),
  ])
  func `TerminalWidthCounter counts the columns of wide, combined and emoji characters`(
    text: String,
    columns: Int
  ) {
    #expect(TerminalWidthCounter.count(text) == columns)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("日本語", 6, "日本語"), ("日本語x", 6, "日本…"),
    ("ab\ncdefgh\n", 4, "ab\ncde…\n"), ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 4, "👩‍👩‍👧…"),
    ("\u{1B}[1mabc\u{1B}[0m", 3, "\u{1B}[1mabc\u{1B}[0m"),
    ("\u{1B}[1mabcd\u{1B}[0m", 3, "\u{1B}[1mab…\u{1B}[0m"),
  ])
  func `lines are cut with an ellipsis at the width of the terminal`(
    text: String,
    width: Int,
    fitted: String
  ) {
    #expect(text.fitted(to: width) == fitted)
  }

  @Test(arguments: [
    ("short", "short"),
    (
      "  step, s     go to the next action, or N actions on",
      "  step, s     go to the next action,\n              or N actions on"
    ),
    (
      "what is never reached comes from the types of the host",
      "what is never reached comes from the\n  types of the host"
    ),
    (
      "      alive: save 6.0, tick 1.0, load 12.0",
      "      alive: save 6.0, tick 1.0,\n        load 12.0"
    ),
    // A column in the second half leaves no space.
    (
      "  a name that takes most columns  and a text",
      "  a name that takes most columns\n    and a text"
    ),
  ])
  func `wrapped lines are indented below their last column`(line: String, expected: String) {
    #expect(line[...].hanging(to: 36) == expected)
  }
}
