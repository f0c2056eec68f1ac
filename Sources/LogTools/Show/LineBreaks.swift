import ActionLog
import ReplayEngine

/// The offsets at which a line can be broken to fit the terminal.
///
/// The line is written piece by piece.
///
/// ```text
///    9    +2.897 s  .columns[…0001].cards[…000B].ticked  from work 8.0
///                     columns[0].cards[0].secondsWorked: 0 → 1
/// ```
struct LineBreaks {
  private let width: Int?
  /// The indentation of continuation lines.
  private let indent: String
  private var start = 0
  /// The start of each part.
  ///
  /// A part begins with two separating characters.
  private var parts: [Int] = []

  /// Creates an empty list of offsets.
  ///
  /// - Parameters:
  ///   - width: The columns of the terminal; `nil` for lines of any length.
  ///   - indent: The columns before continuation lines.
  init(width: Int?, indent: Int) {
    self.width = width
    self.indent = String(repeating: " ", count: indent)
  }

  /// Starts a line at the end of a text.
  mutating func beginLine(_ output: [UInt8]) {
    guard width != nil else { return }
    start = output.count
    parts.removeAll(keepingCapacity: true)
  }

  /// Starts a part of the line at the end of a text.
  mutating func beginPart(_ output: [UInt8]) {
    if width != nil { parts.append(output.count) }
  }

  /// Breaks the last line of a text if it is too long.
  ///
  /// It breaks between parts, and inside parts that are too long for one line.
  func breakLine(_ output: inout [UInt8]) {
    guard let width, output.count - start > width else { return }
    let ends = parts.filter { $0 > start && $0 < output.count } + [output.count]
    var lines: [(text: String, columns: Int)] = [("", 0)]
    var partStart = start
    for end in ends {
      let text = String(decoding: output[partStart..<end], as: UTF8.self)
      let columns = TerminalColumns.count(text)
      let line = lines[lines.count - 1]
      // Reserves a column for the comma before the next part.
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
