import ActionLog

/// A reporter that names types whose values the log can't contain, with the line of code that makes them loggable.
///
/// Lines are scanned only if an opaque value has been written since the last scan.
struct OpaqueTypeReporter: Sendable {
  /// The suggested lines of code, which the header of the log also contains.
  var remedies = OpaqueTypeRemedies()
  private var seen: UInt64 = 0
  private var values = UncomparedValues()
  /// The types that have already been reported, because one suggestion per type is enough.
  private var types: Set<String> = []

  /// The maximum number of types to report.
  ///
  /// Further messages would only repeat the advice.
  private static let most = 16

  /// Scans lines for opaque values before the lines are written, and reports new types.
  mutating func reportOpaque(_ lines: [UInt8]) {
    let count = OpaqueWriteCounter.count
    guard count != seen else { return }
    seen = count
    for message in messages(on: lines) { RecorderWarnings.writeOnce(message) }
  }

  /// Returns messages about opaque types in the lines that have not been reported before.
  mutating func messages(on lines: [UInt8]) -> [String] {
    guard types.count < Self.most else { return [] }
    lines.withUnsafeBufferPointer { text in
      for line in text.split(separator: UInt8(ascii: "\n")) {
        values.add(line: UnsafeBufferPointer(rebasing: line))
      }
    }
    return values.consumeNew().compactMap { value in
      guard types.count < Self.most, types.insert(value.type).inserted else { return nil }
      return value.notice(remedies)
    }
  }
}
