import ActionLog
import ReplayEngine

/// Breaks a line between its parts so that it fits the terminal.
///
/// Call `beginLine(_:)` and `beginPart(_:)` while the line is written, and `breakLine(_:)` after it is complete.
///
/// ```text
///    9    +2.897 s  .columns[…0001].cards[…000B].ticked  from work 8.0
///                     columns[0].cards[0].secondsWorked: 0 → 1
/// ```
struct LineBreaks {
  private let width: Int?
  /// The spaces before a continuation line.
  private let indent: String
  private var start = 0
  /// The offset at which each part starts, before the two characters that separate it from the previous part.
  private var parts: [Int] = []

  /// Creates a value for a terminal of the given width.
  ///
  /// - Parameters:
  ///   - width: The number of terminal columns, or `nil` to leave lines unbroken.
  ///   - indent: The number of spaces before a continuation line.
  init(width: Int?, indent: Int) {
    self.width = width
    self.indent = String(repeating: " ", count: indent)
  }

  /// Marks the end of `output` as the start of a line.
  mutating func beginLine(_ output: [UInt8]) {
    guard width != nil else { return }
    start = output.count
    parts.removeAll(keepingCapacity: true)
  }

  /// Marks the end of `output` as the start of a part of the line.
  mutating func beginPart(_ output: [UInt8]) {
    if width != nil { parts.append(output.count) }
  }

  /// Breaks the last line of `output` if it is too long.
  ///
  /// A line is broken between parts. A part that is too long for one line is also broken inside.
  func breakLine(_ output: inout [UInt8]) {
    guard let width, output.count - start > width else { return }
    let ends = parts.filter { $0 > start && $0 < output.count } + [output.count]
    var lines: [(text: String, columns: Int)] = [("", 0)]
    var partStart = start
    for end in ends {
      let text = String(decoding: output[partStart..<end], as: UTF8.self)
      let columns = TerminalWidthCounter.count(text)
      let line = lines[lines.count - 1]
      // One column is reserved for the comma before the next part.
      if line.columns == 0 || line.columns + columns < width {
        lines[lines.count - 1] = (line.text + text, line.columns + columns)
      } else {
        if text.first == "," { lines[lines.count - 1].text += "," }
        lines.append((indent + text.dropFirst(2), indent.utf8.count + columns - 2))
      }
      partStart = end
    }
    output.removeSubrange(start...)
    output.append(lines.map { $0.text.wrapped(to: width, indent: indent) }.joined(separator: "\n"))
  }
}
