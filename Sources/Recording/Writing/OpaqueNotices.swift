import ActionLog

/// Says once what a log does not hold, with the line of code that changes that.
///
/// What is written is looked at only when a value has been written as opaque since the last look.
struct OpaqueNotices: Sendable {
  /// The lines of code that the log names itself.
  var remedies = LogRemedies()
  private var seen: UInt64 = 0
  private var values = UncomparedValues()
  /// The types that were named: one line of code is enough for all places of a type.
  private var types: Set<String> = []

  /// Who reads more has begun with these.
  private static let most = 16

  /// Looks at lines that are about to be written.
  mutating func scan(_ lines: [UInt8]) {
    let count = OpaqueWrites.count
    guard count != seen else { return }
    seen = count
    for message in messages(on: lines) { Complaint.writeOnce(message) }
  }

  /// What there is to say of lines, and has not been said.
  mutating func messages(on lines: [UInt8]) -> [String] {
    guard types.count < Self.most else { return [] }
    lines.withUnsafeBufferPointer { text in
      for line in text.split(separator: UInt8(ascii: "\n")) {
        values.add(line: UnsafeBufferPointer(rebasing: line))
      }
    }
    return values.takeNew().compactMap { value in
      guard types.count < Self.most, types.insert(value.type).inserted else { return nil }
      return value.notice(remedies)
    }
  }
}
