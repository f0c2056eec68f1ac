import ActionLog

/// A one-to-one mapping between the ids and dates of two logs.
///
/// Values from the same read of paired actions are counterparts. Other values are counterparts if they first appear at
/// the same path, unless an action read one of them, or one of them occurs in both logs. A value that occurs in both
/// logs is its own counterpart if it was not mapped to another value.
struct IDMapping {
  private(set) var toFirst: [RunSpecificValue: RunSpecificValue] = [:]
  private(set) var toSecond: [RunSpecificValue: RunSpecificValue] = [:]
  /// The pairs of unequal values, in the order in which they were found.
  private(set) var pairs: [(first: RunSpecificValue, second: RunSpecificValue)] = []
  /// The differences between the dates of each mapped pair, in microseconds.
  private var shifts: Set<Int> = []
  /// All ids and dates that occur in the first log.
  private let firsts: Set<RunSpecificValue>
  private let seconds: Set<RunSpecificValue>
  /// The ids and dates that actions of the first log read, including those without a counterpart.
  private let readFirsts: Set<RunSpecificValue>
  private let readSeconds: Set<RunSpecificValue>

  init(_ first: AlignmentOutline, _ second: AlignmentOutline) {
    (firsts, seconds) = (first.known, second.known)
    (readFirsts, readSeconds) = (Self.read(first), Self.read(second))
  }

  private static func read(_ outline: AlignmentOutline) -> Set<RunSpecificValue> {
    Set(outline.reads.lazy.flatMap { outline.ids[$0.ids] })
  }

  /// Removes all pairs and date differences.
  mutating func removeAll() {
    (toFirst, toSecond, pairs, shifts) = ([:], [:], [], [])
  }

  /// Maps two values that came from the same read.
  mutating func mapRead(_ first: RunSpecificValue, _ second: RunSpecificValue) {
    guard first.kind == second.kind, toSecond[first] == nil, toFirst[second] == nil else { return }
    map(first, second)
  }

  private mutating func map(_ first: RunSpecificValue, _ second: RunSpecificValue) {
    toSecond[first] = second
    toFirst[second] = first
    if first != second { pairs.append((first, second)) }
    if let shift = Self.shift(first, second) { shifts.insert(shift) }
  }

  private static func shift(_ first: RunSpecificValue, _ second: RunSpecificValue) -> Int? {
    guard let old = first.seconds, let new = second.seconds else { return nil }
    return Int(exactly: ((new - old) * 1_000_000).rounded())
  }

  /// Returns whether the difference between two dates equals the difference between the dates of a mapped pair.
  private func isShifted(_ first: RunSpecificValue, _ second: RunSpecificValue) -> Bool {
    guard let shift = Self.shift(first, second) else { return false }
    // Dates are compared as seconds since 2001, which are precise to about a tenth of a microsecond.
    return shifts.contains(shift) || shifts.contains(shift - 1) || shifts.contains(shift + 1)
  }

  /// Returns the value itself if it has a counterpart in the second log; otherwise, `nil`.
  func canonical(first: RunSpecificValue) -> RunSpecificValue? {
    toSecond[first] != nil || seconds.contains(first) ? first : nil
  }

  /// Returns the first log's counterpart of a value from the second log, or `nil` if it has no counterpart.
  func canonical(second: RunSpecificValue) -> RunSpecificValue? {
    toFirst[second] ?? (firsts.contains(second) ? second : nil)
  }
}

extension IDMapping {
  /// The source of a value that appears in a log for the first time.
  enum IDProvenance {
    /// An input: an action, a checkpoint, or another process.
    case input
    /// The reducer, while it handled an action.
    ///
    /// If the action contains dates, the reducer is expected to derive its dates from them. Two dates are then mapped
    /// only if the difference between them equals the difference between the dates of a mapped pair.
    ///
    /// - Parameter hasDates: Whether the action's payload or reads contain dates.
    case outcome(hasDates: Bool)
  }

  /// Maps two values that first appear at the same path.
  ///
  /// The values are not mapped if one of them is already mapped, was read by an action, or occurs in both logs.
  ///
  /// - Returns: Whether the values were mapped.
  mutating func learn(
    _ first: RunSpecificValue,
    _ second: RunSpecificValue,
    from origin: IDProvenance
  ) -> Bool {
    guard first.kind == second.kind, first != second, toSecond[first] == nil,
      toFirst[second] == nil, !readFirsts.contains(first), !readSeconds.contains(second),
      !seconds.contains(first), !firsts.contains(second)
    else { return false }
    if first.kind == .date, case .outcome(hasDates: true) = origin, !isShifted(first, second) {
      return false
    }
    map(first, second)
    return true
  }

  /// Maps the ids and dates that appear at the same paths in two values.
  ///
  /// - Parameters:
  ///   - first: A value from the first log.
  ///   - second: A value from the second log, in which mapped ids and dates are already replaced by their counterparts.
  ///   - origin: The origin of both values.
  /// - Returns: Whether new pairs were mapped.
  mutating func learn(_ first: JSON, _ second: JSON, from origin: IDProvenance) -> Bool {
    switch (first, second) {
    case (.string(let old), .string(let new)):
      guard !old.hasSameBytes(as: new) else { return false }
      return learn(ExtractedIDs(old), ExtractedIDs(new), from: origin)
    case (.array(let old), .array(let new)):
      var hasLearned = false
      for (old, new) in Self.pairs(old, new) where learn(old, new, from: origin) {
        hasLearned = true
      }
      return hasLearned
    case (.object(let old), .object(let new)):
      var hasLearned = false
      for (key, value) in old {
        if let other = new[key], learn(value, other, from: origin) { hasLearned = true }
      }
      return learnKeys(old, new, from: origin) || hasLearned
    default: return false
    }
  }

  /// Returns the pairs of corresponding elements in two arrays.
  ///
  /// If the arrays have the same length, elements correspond by index. Otherwise, elements correspond if they are equal
  /// apart from ids and dates.
  private static func pairs(_ first: [JSON], _ second: [JSON]) -> [(JSON, JSON)] {
    guard first.count != second.count else { return Array(zip(first, second)) }
    func kinds(_ elements: [JSON]) -> [Int32] {
      elements.map { element in
        element.bytes.withUnsafeBufferPointer { Int32(truncatingIfNeeded: ExtractedIDs($0).rest) }
      }
    }
    return SequenceAlignment(kinds(first), kinds(second)).counterparts.enumerated()
      .compactMap { index, other in other.map { (first[index], second[$0]) } }
  }

  private mutating func learn(
    _ first: ExtractedIDs,
    _ second: ExtractedIDs,
    from origin: IDProvenance
  ) -> Bool {
    guard first.rest == second.rest, first.ids.count == second.ids.count else { return false }
    var hasLearned = false
    for (old, new) in zip(first.ids, second.ids) where learn(old, new, from: origin) {
      hasLearned = true
    }
    return hasLearned
  }

  /// Maps two keys if each object has exactly one key that the other lacks.
  ///
  /// With several such keys, the pairs would be ambiguous.
  private mutating func learnKeys(
    _ first: JSON.Object,
    _ second: JSON.Object,
    from origin: IDProvenance
  ) -> Bool {
    let old = first.keys.filter { second.slot(of: $0) == nil }
    let new = second.keys.filter { first.slot(of: $0) == nil }
    guard old.count == 1, new.count == 1 else { return false }
    return learn(ExtractedIDs(old[0]), ExtractedIDs(new[0]), from: origin)
  }
}

extension IDMapping {
  /// The suffix for an unmapped id or date of the second log that equals a mapped value of the first log.
  ///
  /// The mark is U+10FFFD, the last scalar that Unicode reserves for private use.
  private static let mark = "\u{10FFFD}"

  private func replacement(
    for value: RunSpecificValue
  ) -> (value: RunSpecificValue, suffix: String)? {
    if let counterpart = toFirst[value] { return counterpart == value ? nil : (counterpart, "") }
    // The first log has an equal value, whose counterpart in the second log is another value.
    return toSecond[value] == nil ? nil : (value, Self.mark)
  }

  /// Replaces the ids and dates in a value from the second log with their counterparts from the first log.
  func translated(_ json: JSON) -> JSON { translation(of: json) ?? json }

  /// Replaces the ids and dates in a string from the first log with their counterparts from the second log.
  ///
  /// Values other than strings are returned unchanged.
  func untranslated(_ json: JSON) -> JSON {
    guard case .string(let text) = json else { return json }
    let other = RunSpecificValue.replacing(in: text) { id in toSecond[id].map { ($0, "") } }
    return .string(other ?? text)
  }

  /// Replaces the ids and dates in a string from the second log with their counterparts from the first log.
  func translated(_ text: String) -> String {
    RunSpecificValue.replacing(in: text, replacement) ?? text
  }

  /// Replaces the ids and dates in a value from the second log, and maps those that appear for the first time.
  ///
  /// - Parameters:
  ///   - new: The value from the second log.
  ///   - old: The corresponding value from the first log.
  ///   - origin: The origin of both values.
  /// - Returns: The value with ids and dates from the first log.
  mutating func translated(_ new: JSON, like old: JSON, from origin: IDProvenance) -> JSON {
    var result = translated(new)
    // Mapping an id can reveal further counterparts, so the translation is repeated.
    for _ in 0..<3 {
      guard result != old, learn(old, result, from: origin) else { break }
      result = translated(new)
    }
    return result
  }

  /// Returns a value with translated ids and dates, or `nil` if the translation changes nothing.
  private func translation(of json: JSON) -> JSON? {
    switch json {
    case .string(let text):
      return RunSpecificValue.replacing(in: text, replacement).map(JSON.string)
    case .array(let elements):
      var result: [JSON]?
      for (index, element) in elements.enumerated() {
        guard let new = translation(of: element) else { continue }
        if result == nil { result = elements }
        result?[index] = new
      }
      return result.map(JSON.array)
    case .object(let object):
      var hasChanged = false
      let members = object.map { key, value -> (key: String, value: JSON) in
        let newKey = RunSpecificValue.replacing(in: key, replacement)
        let newValue = translation(of: value)
        if newKey != nil || newValue != nil { hasChanged = true }
        return (newKey ?? key, newValue ?? value)
      }
      return hasChanged ? .object(JSON.Object(members: members)) : nil
    default: return nil
    }
  }

  /// Returns whether a translated value contains a mark.
  static func isMarked(_ json: JSON) -> Bool {
    switch json {
    case .string(let text): text.unicodeScalars.contains("\u{10FFFD}")
    case .array(let elements): elements.contains { isMarked($0) }
    case .object(let object): object.contains { isMarked(.string($0)) || isMarked($1) }
    default: false
    }
  }

  /// Returns a translated value without marks, for display.
  static func unmarked(_ json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(unmarked(text))
    case .array(let elements): .array(elements.map { unmarked($0) })
    case .object(let object):
      .object(JSON.Object(members: object.map { (key: unmarked($0), value: unmarked($1)) }))
    default: json
    }
  }

  static func unmarked(_ text: String) -> String {
    text.unicodeScalars.contains("\u{10FFFD}") ? text.replacing(mark, with: "") : text
  }
}
