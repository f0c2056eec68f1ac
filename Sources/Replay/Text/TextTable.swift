import ActionLog

/// A table of text with aligned columns.
///
/// ```swift
/// TextTable([["save", "5", "22.9 ms"], ["load", "12", ""]], numbers: 1..<3).lines()
/// save   5  22.9 ms
/// load  12
/// ```
package struct TextTable {
  private let rows: [[String]]
  /// The indexes of the columns that are right-aligned.
  private let numbers: Range<Int>
  private let indent: Int
  /// The index of the column that is shortened if the table is too wide.
  private let flexible: Int

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - rows: The cells of each row. All rows have the same number of cells.
  ///   - numbers: The indexes of the columns that are right-aligned.
  ///   - indent: The number of columns by which each row is indented.
  ///   - flexible: The index of the column that is shortened if the table is too wide.
  package init(
    _ rows: [[String]],
    numbers: Range<Int> = 0..<0,
    indent: Int = 0,
    flexible: Int = 0
  ) {
    (self.rows, self.numbers, self.indent, self.flexible) = (rows, numbers, indent, flexible)
  }

  /// The minimum width of the flexible column.
  ///
  /// A narrower column would be unreadable.
  private static let narrowest = 16

  /// Lays out the table.
  ///
  /// - Parameter width: The width of the terminal in columns, or `nil` if lines are not limited.
  /// - Returns: The table's lines, without trailing spaces and without empty columns.
  package func lines(width: Int? = nil) -> [String] {
    var widths = (rows.first ?? []).indices.map { column in
      rows.map { TerminalWidthCounter.count($0[column]) }.max() ?? 0
    }
    if let width, widths.indices.contains(flexible) {
      let used = widths.filter { $0 > 0 }.reduce(indent - 2) { $0 + $1 + 2 }
      let room = max(widths[flexible] - max(used - width, 0), Self.narrowest)
      widths[flexible] = min(widths[flexible], room)
    }
    return rows.map { row in
      var line = String(repeating: " ", count: indent)
      var isFirst = true
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        let cell = column == flexible ? cell.shortened(to: widths[column]) : cell
        let gap = String(repeating: " ", count: widths[column] - TerminalWidthCounter.count(cell))
        line += (isFirst ? "" : "  ") + (numbers.contains(column) ? gap + cell : cell + gap)
        isFirst = false
      }
      return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
    }
  }
}
