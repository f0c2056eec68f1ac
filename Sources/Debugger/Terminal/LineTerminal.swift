import ActionLog
import Foundation
import ReplayCommands

/// Reads lines from a user at a terminal.
///
/// The terminal is in raw mode only while a line is edited. Between lines, output and Ctrl-C work as usual.
@MainActor final class LineTerminal {
  /// The result of reading a line.
  enum TypedInput: Equatable {
    case line(String)
    /// Ctrl-C: the line was canceled.
    case cancelled
    /// Ctrl-D, or a closed terminal.
    case ended
  }

  private let input: Int32
  private let output: any ByteSink
  /// The earlier lines, oldest first.
  private(set) var history: LineHistory
  /// A closure that returns the completions of the text before the cursor.
  private let complete: (String) -> Completions

  init(
    input: Int32,
    output: any ByteSink,
    history: LineHistory,
    complete: @escaping (String) -> Completions
  ) {
    self.input = input
    self.output = output
    self.history = history
    self.complete = complete
    TerminalSizeMonitor.watch()
  }

  /// Reads a line.
  ///
  /// - Parameter prompt: The text to show before the line.
  /// - Returns: The line, or the key that ended the input.
  /// - Throws: `StreamError`.
  func readLine(prompt: String) throws -> TypedInput {
    guard let cooked = RawMode.enable(input) else { return .ended }
    defer { RawMode.disable(input, cooked) }
    var editor = LineEditor(history: history.lines)
    var keys = KeyParser()
    var wasTab = false
    try draw(editor, prompt)
    reading: while true {
      let byte: UInt8
      switch TerminalSizeMonitor.next(or: input) {
      case .byte(let next): byte = next
      case .resized:
        // After a resize, the terminal may have wrapped the line over several rows.
        try write("\r\u{1B}[J")
        try draw(editor, prompt)
        continue
      case .ended: break reading
      }
      guard let key = keys.parse(byte) else {
        // The user has pressed the escape key, because the bytes of a sequence arrive together.
        if !Self.hasMore(input) { keys.reset() }
        continue
      }
      switch editor.handle(key) {
      case .edits: break
      case .line(let line):
        try finish(editor, prompt)
        history.add(line)
        return .line(line)
      case .cancelled:
        try finish(editor, prompt, "^C")
        return .cancelled
      case .ended:
        try write("\n")
        return .ended
      case .completes:
        try complete(&editor, prompt, showsAll: wasTab)
      case .clearsScreen: try write("\u{1B}[H\u{1B}[2J")
      case .suspends:
        RawMode.disable(input, cooked)
        kill(0, SIGTSTP)
        _ = RawMode.enable(input)
      }
      wasTab = key == .tab
      try draw(editor, prompt)
    }
    try write("\n")
    return .ended
  }

  /// Returns whether more bytes arrive within the time that a terminal takes to send a sequence.
  private static func hasMore(_ descriptor: Int32) -> Bool {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return Foundation.poll(&poll, 1, 50) > 0
  }

  private func write(_ text: String) throws { try output.write(text.utf8) }
}

// MARK: - Drawing

extension LineTerminal {
  /// Redraws the line.
  ///
  /// If the line is longer than the terminal is wide, only the part around the cursor is visible.
  private func draw(_ editor: LineEditor, _ prompt: String) throws {
    let prompt = Self.prompt(prompt, editor.search)
    let room = max(RawMode.columns(input) - TerminalWidthCounter.count(prompt) - 1, 8)
    let shown = Self.window(editor, room)
    var text = "\r\(prompt)\(shown.text)\u{1B}[K"
    let columns = TerminalWidthCounter.count(prompt) + TerminalWidthCounter.count(shown.head)
    text += columns > 0 ? "\r\u{1B}[\(columns)C" : "\r"
    try write(text)
  }

  /// Prints the complete line and starts a new row.
  private func finish(_ editor: LineEditor, _ prompt: String, _ end: String = "") throws {
    try write("\r\(prompt)\(Notation.visible(editor.line))\(end)\u{1B}[K\n")
  }

  private static func prompt(_ prompt: String, _ search: LineEditor.HistorySearch?) -> String {
    guard let search else { return prompt }
    return "(\(search.isFailed ? "nothing found" : "search") '\(search.query)') "
  }

  /// Returns the visible part of the line, and the text in it before the cursor.
  private static func window(_ editor: LineEditor, _ room: Int) -> (text: String, head: String) {
    var start = 0
    var head = Notation.visible(editor.head)
    while TerminalWidthCounter.count(head) > room, start < editor.cursor {
      start += max(1, room / 4)
      start = min(start, editor.cursor)
      head = Notation.visible(String(editor.text[start..<editor.cursor]))
    }
    var end = editor.text.count
    var text = Notation.visible(String(editor.text[start..<end]))
    while TerminalWidthCounter.count(text) > room, end > editor.cursor {
      end -= 1
      text = Notation.visible(String(editor.text[start..<end]))
    }
    return (text, head)
  }
}

// MARK: - Completion

/// The strings that can complete a text.
package struct Completions: Equatable {
  /// The number of characters at the end of the text that each candidate replaces.
  package var replaced: Int
  /// The candidates, each including the characters that it replaces.
  package var candidates: [String]
  /// The text to insert after the candidate if there is only one.
  var suffix = " "

  /// The longest prefix that all candidates have in common.
  var common: String {
    guard var common = candidates.first else { return "" }
    for candidate in candidates.dropFirst() { common = common.commonPrefix(with: candidate) }
    return common
  }
}

extension LineTerminal {
  /// Completes the text before the cursor, or lists the candidates at the second attempt.
  private func complete(
    _ editor: inout LineEditor,
    _ prompt: String,
    showsAll: Bool
  ) throws {
    let completions = complete(editor.head)
    guard !completions.candidates.isEmpty else { return try write("\u{7}") }
    let common = completions.common
    if completions.candidates.count == 1 {
      // The path may end here, or continue with a member or an index.
      let isMember = common.hasSuffix(".") || common.hasSuffix("[")
      editor.replace(
        last: completions.replaced,
        with: common + (isMember ? "" : completions.suffix)
      )
      return
    }
    if common.count > completions.replaced {
      editor.replace(last: completions.replaced, with: common)
      return
    }
    guard showsAll else { return try write("\u{7}") }
    try write("\n" + Self.table(completions.candidates, width: RawMode.columns(input)))
  }

  /// The maximum number of candidates to list.
  private static let mostCandidates = 120

  /// Returns the candidates arranged in columns.
  static func table(_ candidates: [String], width: Int) -> String {
    let shown = candidates.prefix(mostCandidates).map { Notation.visible($0) }
    let column = (shown.map { TerminalWidthCounter.count($0) }.max() ?? 0) + 2
    let columns = max(1, width / column)
    let rows = (shown.count + columns - 1) / columns
    var text = ""
    for row in 0..<rows {
      var line = ""
      for index in stride(from: row, to: shown.count, by: rows) {
        let gap = column - TerminalWidthCounter.count(shown[index])
        line += shown[index] + String(repeating: " ", count: gap)
      }
      text += line.reversed().drop { $0 == " " }.reversed() + "\n"
    }
    let rest = candidates.count - shown.count
    return rest > 0 ? text + "… \(rest) more\n" : text
  }
}

/// The raw mode of a terminal, in which the terminal sends each key immediately.
enum RawMode {
  /// Enables raw mode.
  ///
  /// - Returns: The previous mode, or `nil` if the descriptor is not a terminal.
  static func enable(_ descriptor: Int32) -> termios? {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return nil }
    let cooked = mode
    mode.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    mode.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR)
    guard tcsetattr(descriptor, TCSADRAIN, &mode) == 0 else { return nil }
    CleanupRegistry.setTerminal(descriptor, cooked)
    return cooked
  }

  /// Restores the mode that `enable` returned.
  static func disable(_ descriptor: Int32, _ cooked: termios) {
    var mode = cooked
    _ = tcsetattr(descriptor, TCSADRAIN, &mode)
    CleanupRegistry.setTerminal(descriptor, nil)
  }

  /// Returns the width of a terminal in columns, or 80 if the width is unknown.
  static func columns(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// The lines that the user has typed in this session and in earlier ones.
struct LineHistory {
  /// The typed lines, oldest first.
  private(set) var lines: [String] = []
  private let path: String?

  /// The maximum number of lines to keep.
  private static let most = 1000

  /// Reads the lines of earlier sessions.
  ///
  /// - Parameter folder: The folder of the history file, or `nil` to store no history.
  init(keptIn folder: String?) {
    path = folder.map { "\($0)/debug-history" }
    guard let path, let data = FileManager.default.contents(atPath: path) else { return }
    lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    guard lines.count > 2 * Self.most else { return }
    lines.removeFirst(lines.count - Self.most)
    guard let file = try? AtomicFile(path) else { return }
    guard (try? file.write(lines.map { $0 + "\n" }.joined().utf8)) != nil else { return }
    try? file.finish()
  }

  /// Adds a line, unless it is empty or repeats the last one.
  mutating func add(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }), line != lines.last else { return }
    lines.append(line)
    guard let path else { return }
    // Errors are ignored, because only the history for later sessions is lost.
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Only the user may read the file, because the lines can contain secrets from a log.
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    _ = Array((line + "\n").utf8).write(to: descriptor)
    close(descriptor)
  }
}
