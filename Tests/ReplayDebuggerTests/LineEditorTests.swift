import Foundation
import ReplayTestSupport
import TestSupport
import Testing

@testable import ReplayDebugger

/// Keys, and the resulting line.
@Suite struct LineEditorTests {
  /// Types bytes as a terminal sends them.
  private func type(
    _ text: String,
    history: [String] = []
  ) -> (editor: LineEditor, outcomes: [LineEditor.KeyResult]) {
    var editor = LineEditor(history: history)
    var keys = KeyParser()
    var outcomes: [LineEditor.KeyResult] = []
    for byte in text.utf8 {
      guard let key = keys.parse(byte) else { continue }
      let outcome = editor.handle(key)
      if outcome != .edits { outcomes.append(outcome) }
    }
    return (editor, outcomes)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var keys: String
    /// The line, with a bar at the cursor.
    var line: String

    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(name: "letters", keys: "step", line: "step|"),
    Case(name: "beyond ASCII", keys: "é👩‍💻\u{1B}[D", line: "é|👩‍💻"),
    Case(name: "backspace", keys: "step\u{7F}\u{8}", line: "st|"),
    Case(name: "arrows", keys: "abc\u{1B}[D\u{1B}[Dx\u{1B}[Cy", line: "axby|c"),
    Case(name: "arrows of application mode", keys: "ab\u{1B}OD\u{1B}OCx\u{1B}OHy", line: "y|abx"),
    Case(name: "Home and End", keys: "ab\u{1B}[Hx\u{1B}[Fy\u{1B}[1~z\u{1B}[4~", line: "zxaby|"),
    Case(name: "Ctrl-A and Ctrl-E", keys: "ab\u{1}x\u{5}y", line: "xaby|"),
    Case(name: "Ctrl-B and Ctrl-F", keys: "ab\u{2}\u{2}x\u{6}y", line: "xay|b"),
    Case(name: "Delete and Ctrl-D", keys: "abcd\u{1}\u{1B}[3~\u{4}", line: "|cd"),
    Case(name: "Ctrl-K and Ctrl-Y", keys: "abcd\u{2}\u{2}\u{B}x\u{19}", line: "abxcd|"),
    Case(name: "Ctrl-U", keys: "abcd\u{2}\u{15}", line: "|d"),
    Case(name: "Ctrl-W", keys: "watch todos[0].title \u{17}", line: "watch |"),
    Case(name: "Alt-B and Alt-D", keys: "go to end\u{1B}b\u{1B}b\u{1B}d", line: "go | end"),
    Case(name: "Alt-F", keys: "go to\u{1}\u{1B}fx", line: "gox| to"),
    Case(name: "Ctrl-T", keys: "ab\u{14}", line: "ba|"),
    Case(name: "a sequence that nothing means", keys: "a\u{1B}[20~b", line: "ab|"),
    Case(name: "broken UTF-8", keys: "a\u{FFFD}", line: "a\u{FFFD}|"),
    Case(name: "up and down", keys: "new\u{1B}[A\u{1B}[A\u{1B}[B", line: "break .b|"),
    Case(
      name: "back to the new line",
      keys: "new\u{10}\u{10}\u{10}\u{10}\u{E}\u{E}\u{E}",
      line: "new|"
    ),
    Case(name: "Ctrl-R", keys: "\u{12}br", line: "break .b|"),
    Case(name: "Ctrl-R again", keys: "\u{12}br\u{12}\u{1B}[D", line: "break .|a"),
    Case(name: "Ctrl-R finds nothing", keys: "x\u{12}zz\u{7}", line: "x|"),
  ])
  func `keys move the cursor and edit the line`(test: Case) {
    let (editor, _) = type(test.keys, history: ["break .a", "step", "break .b"])
    let tail = editor.line.dropFirst(editor.head.count)
    #expect(editor.head + "|" + tail == test.line)
  }

  @Test func `LineEditor reports keys that end, cancel, complete or suspend a line`() {
    #expect(type("ab\u{2}\r").outcomes == [.line("ab")])
    #expect(type("\u{3}").outcomes == [.cancelled])
    #expect(type("\u{4}").outcomes == [.ended])
    #expect(type("a\u{4}").outcomes == [])
    #expect(type("\t\u{C}\u{1A}").outcomes == [.completes, .clearsScreen, .suspends])
    #expect(type("\u{12}br\r", history: ["break .a"]).outcomes == [.line("break .a")])
  }

  /// For any input, the cursor stays in the line.
  @Test(arguments: 1...20)
  func `random keys leave the cursor within the line`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var editor = LineEditor(history: ["step", "break .b", ""])
    var keys = KeyParser()
    for _ in 0..<2000 {
      let byte = UInt8.random(in: 0...255, using: &random)
      guard let key = keys.parse(byte) else { continue }
      _ = editor.handle(key)
      #expect(editor.cursor >= 0 && editor.cursor <= editor.text.count, "seed \(seed)")
    }
  }

  @Test func `LineHistory stores lines in a file that only its owner can read`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/new"
    var first = LineHistory(keptIn: path)
    for line in ["step", "step", "  ", "next"] { first.add(line) }
    #expect(LineHistory(keptIn: path).lines == ["step", "next"])
    let rights = try FileManager.default.attributesOfItem(atPath: path + "/debug-history")
    #expect(rights[.posixPermissions] as? Int == 0o600)
    var none = LineHistory(keptIn: nil)
    none.add("step")
    #expect(none.lines == ["step"])
  }

  @Test @MainActor func `candidates of a completion are printed in columns`() {
    #expect(
      LineTerminal.table(["a", "bb", "ccc", "d"], width: 12) == "a    ccc\nbb   d\n"
    )
    #expect(LineTerminal.table(["é\n"], width: 3) == "é\\n\n")
  }
}
