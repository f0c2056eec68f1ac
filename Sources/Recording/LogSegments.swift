/// Segments of one recording.
enum LogSegments {
  /// One log of several segments: of the later ones the header goes, and the end that leads over to the next one.
  static func joined(_ segments: [[UInt8]]) -> [UInt8] {
    var result: [UInt8] = []
    for (index, segment) in segments.enumerated() {
      var lines = segment[...]
      if index > 0 {
        lines = lines.firstIndex(of: feed).map { lines[($0 + 1)...] } ?? []
        if let start = lastLine(of: result), result[start...].starts(with: end) {
          result.removeSubrange(start...)
        }
      }
      result += lines
    }
    return result
  }

  private static let feed = UInt8(ascii: "\n")
  private static let end = Array(#"{"kind":"end""#.utf8)

  private static func lastLine(of bytes: [UInt8]) -> Int? {
    guard bytes.last == feed else { return nil }
    return bytes.dropLast().lastIndex(of: feed).map { $0 + 1 }
  }
}
