import ActionLog

/// A one-to-one mapping between the ids and dates of two logs.
///
/// Values from the same read of the same action are counterparts. Without a read, values are counterparts if they first
/// appear at the same path. A value that occurs in both logs is always its own counterpart.
struct IDMapping {
  private(set) var toFirst: [LoggedID: LoggedID] = [:]
  private(set) var toSecond: [LoggedID: LoggedID] = [:]
  /// The pairs of different values, in the order in which they were found.
  private(set) var pairs: [(first: LoggedID, second: LoggedID)] = []
  /// The distances between mapped dates, in microseconds.
  private var shifts: Set<Int> = []
  /// All ids and dates of each log.
  private let firsts: Set<LoggedID>
  private let seconds: Set<LoggedID>
  /// The values of each log that an action read, whether or not they have a counterpart.
  private let readFirsts: Set<LoggedID>
  private let readSeconds: Set<LoggedID>

  init(_ first: AlignmentOutline, _ second: AlignmentOutline) {
    (firsts, seconds) = (first.known, second.known)
    (readFirsts, readSeconds) = (Self.read(first), Self.read(second))
  }

  private static func read(_ outline: AlignmentOutline) -> Set<LoggedID> {
    Set(outline.reads.lazy.flatMap { outline.ids[$0.ids] })
  }

  /// Removes all pairs.
  mutating func removeAll() {
    (toFirst, toSecond, pairs, shifts) = ([:], [:], [], [])
  }

  /// Maps two values that came from the same read.
  mutating func mapRead(_ first: LoggedID, _ second: LoggedID) {
    guard first.kind == second.kind, toSecond[first] == nil, toFirst[second] == nil else { return }
    map(first, second)
  }

  private mutating func map(_ first: LoggedID, _ second: LoggedID) {
    toSecond[first] = second
    toFirst[second] = first
    if first != second { pairs.append((first, second)) }
    if let shift = Self.shift(first, second) { shifts.insert(shift) }
  }

  private static func shift(_ first: LoggedID, _ second: LoggedID) -> Int? {
    guard let old = first.seconds, let new = second.seconds else { return nil }
    return Int(exactly: ((new - old) * 1_000_000).rounded())
  }

  /// Returns whether two dates are as far apart as two mapped dates.
  private func isShifted(_ first: LoggedID, _ second: LoggedID) -> Bool {
    guard let shift = Self.shift(first, second) else { return false }
    // Seconds since 2001 have a precision of about a tenth of a microsecond.
    return shifts.contains(shift) || shifts.contains(shift - 1) || shifts.contains(shift + 1)
  }

  /// Returns the canonical value for a value of the first log; `nil` if it is not mapped.
  func canonical(first: LoggedID) -> LoggedID? {
    toSecond[first] != nil || seconds.contains(first) ? first : nil
  }

  /// Returns the first log's counterpart of a value of the second log; `nil` if it is not mapped.
  func canonical(second: LoggedID) -> LoggedID? {
    toFirst[second] ?? (firsts.contains(second) ? second : nil)
  }
}

extension IDMapping {
  /// The origin of a value at its first appearance.
  enum IDOrigin {
    /// An input: an action, a checkpoint, or another process.
    case input
    /// The reducer, while it handled an action that may contain dates.
    ///
    /// A date that the reducer derives from these dates keeps its distance from one of them. Any other distance is the
    /// result of different code.
    case outcome(hasDates: Bool)
  }

  /// Maps two values that first appear at the same path.
  ///
  /// - Returns: Whether they were mapped.
  mutating func learn(_ first: LoggedID, _ second: LoggedID, from origin: IDOrigin) -> Bool {
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

  /// Maps the ids and dates at equal paths of two values.
  ///
  /// - Parameters:
  ///   - first: A value of the first log.
  ///   - second: A value of the second log, in which mapped ids and dates are already replaced by those of the first
  ///     log.
  ///   - origin: The origin of the values.
  /// - Returns: Whether there are new pairs.
  mutating func learn(_ first: JSON, _ second: JSON, from origin: IDOrigin) -> Bool {
    switch (first, second) {
    case (.string(let old), .string(let new)):
      guard !old.hasSameBytes(as: new) else { return false }
      return learn(IDText(old), IDText(new), from: origin)
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

  /// Returns the corresponding elements of two arrays.
  ///
  /// If the lengths are equal, elements correspond by index. Otherwise those correspond that are equal except for ids
  /// and dates.
  private static func pairs(_ first: [JSON], _ second: [JSON]) -> [(JSON, JSON)] {
    guard first.count != second.count else { return Array(zip(first, second)) }
    func kinds(_ elements: [JSON]) -> [Int32] {
      elements.map { element in
        element.bytes.withUnsafeBufferPointer { Int32(truncatingIfNeeded: IDText($0).rest) }
      }
    }
    return SequenceAlignment(kinds(first), kinds(second)).counterparts.enumerated()
      .compactMap { index, other in other.map { (first[index], second[$0]) } }
  }

  private mutating func learn(_ first: IDText, _ second: IDText, from origin: IDOrigin) -> Bool {
    guard first.rest == second.rest, first.ids.count == second.ids.count else { return false }
    var hasLearned = false
    for (old, new) in zip(first.ids, second.ids) where learn(old, new, from: origin) {
      hasLearned = true
    }
    return hasLearned
  }

  /// Maps two keys if each object has exactly one key that the other lacks.
  ///
  /// Several such keys would be ambiguous.
  private mutating func learnKeys(
    _ first: JSON.Object,
    _ second: JSON.Object,
    from origin: IDOrigin
  ) -> Bool {
    let old = first.keys.filter { second.slot(of: $0) == nil }
    let new = second.keys.filter { first.slot(of: $0) == nil }
    guard old.count == 1, new.count == 1 else { return false }
    return learn(IDText(old[0]), IDText(new[0]), from: origin)
  }
}

extension IDMapping {
  /// A mark after a value of the second log that the first log uses for something else.
  ///
  /// It is the last scalar that Unicode reserves for private use.
  private static let mark = "\u{10FFFD}"

  private func replacement(for value: LoggedID) -> (value: LoggedID, suffix: String)? {
    if let counterpart = toFirst[value] { return counterpart == value ? nil : (counterpart, "") }
    // In the first log, the same text has another counterpart.
    return toSecond[value] == nil ? nil : (value, Self.mark)
  }

  /// Returns a value of the second log with the ids and dates of the first log.
  func translated(_ json: JSON) -> JSON { translation(of: json) ?? json }

  /// Returns a value of the first log with the ids and dates of the second log.
  func untranslated(_ json: JSON) -> JSON {
    guard case .string(let text) = json else { return json }
    let other = LoggedID.replacing(in: text) { id in toSecond[id].map { ($0, "") } }
    return .string(other ?? text)
  }

  /// Returns a text of the second log with the ids and dates of the first log.
  func translated(_ text: String) -> String { LoggedID.replacing(in: text, replacement) ?? text }

  /// Returns a value of the second log with the ids and dates of the first log, and maps those that first appear in it.
  ///
  /// - Parameters:
  ///   - new: The value of the second log.
  ///   - old: Its counterpart in the first log.
  ///   - origin: The origin of both values.
  /// - Returns: The translated value.
  mutating func translated(_ new: JSON, like old: JSON, from origin: IDOrigin) -> JSON {
    var result = translated(new)
    // Each round can reveal which rows correspond.
    for _ in 0..<3 {
      guard result != old, learn(old, result, from: origin) else { break }
      result = translated(new)
    }
    return result
  }

  /// Returns the translation; `nil` if it equals the original.
  private func translation(of json: JSON) -> JSON? {
    switch json {
    case .string(let text): return LoggedID.replacing(in: text, replacement).map(JSON.string)
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
        let newKey = LoggedID.replacing(in: key, replacement)
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
