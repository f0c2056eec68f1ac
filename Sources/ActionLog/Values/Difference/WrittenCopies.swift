import Synchronization

/// What was last written of the values that lie behind references, by their place.
///
/// Such a value can change while the reference stays the same, and an old and a new state then both show the new value.
struct WrittenCopies: Sendable {
  private var texts: [[UInt8]: [UInt8]] = [:]
  private var values: [[UInt8]: Referenced] = [:]
  /// How many of the values can change without a write.
  private var unstamped = 0
  /// The last write of any value when the copies were last compared.
  private var lastWrite: UInt64 = 0

  /// A copy of a value that a reference knows the writes of.
  private struct Referenced: Sendable {
    /// Which write it comes from.
    let stamp: UInt64?
    let value: PlainCopy
  }

  /// Whether nothing lies behind a reference.
  var isEmpty: Bool { texts.isEmpty && values.isEmpty }

  /// Whether no value has changed since the copies were last compared, as far as that is known without a look at one.
  var areCurrent: Bool {
    texts.isEmpty && (values.isEmpty || unstamped == 0 && lastWrite == WriteStamp.last)
  }

  /// Notes that all copies have been compared.
  ///
  /// - Parameter lastWrite: The last write of any value when that began.
  mutating func didCompare(since lastWrite: UInt64) { self.lastWrite = lastWrite }

  /// The text of the value at a place.
  subscript(path: [UInt8]) -> [UInt8]? {
    get { texts[path] }
    set { texts[path] = newValue }
  }

  /// Whether the value at a place was copied after a write.
  func isWritten(_ path: [UInt8], since stamp: UInt64) -> Bool { values[path]?.stamp != stamp }

  /// The copy of the value at a place.
  func value<Value>(at path: [UInt8], _ type: Value.Type) -> Value? {
    values[path]?.value.value()
  }

  /// Keeps a copy of the value at a place.
  mutating func store(_ value: PlainCopy, stamp: UInt64?, at path: [UInt8]) {
    let old = values.updateValue(Referenced(stamp: stamp, value: value), forKey: path)
    if let old, old.stamp == nil { unstamped -= 1 }
    if stamp == nil { unstamped += 1 }
  }

  /// Follows the elements of an array to where they stand now, and forgets what lies in those that have gone.
  ///
  /// - Parameters:
  ///   - path: The place of the array.
  ///   - places: The new indices of the elements that are still there, by their old ones.
  mutating func rearrange(below path: [UInt8], _ places: [Int: Int]) {
    func moved<Copy>(_ copies: [[UInt8]: Copy]) -> [[UInt8]: Copy] {
      var result: [[UInt8]: Copy] = [:]
      for (place, copy) in copies {
        guard place.count > path.count, Self.isBelow(path, place) else {
          result[place] = copy
          continue
        }
        let rest = place[(path.count + 1)...]
        let index = rest.prefix { $0 != UInt8(ascii: "/") }
        guard let old = Int(String(decoding: index, as: UTF8.self)), let new = places[old] else {
          continue
        }
        result[path + "/\(new)".utf8 + rest[index.endIndex...]] = copy
      }
      return result
    }
    if !texts.isEmpty { texts = moved(texts) }
    guard !values.isEmpty else { return }
    values = moved(values)
    countUnstamped()
  }

  private mutating func countUnstamped() { unstamped = values.values.count { $0.stamp == nil } }

  /// Forgets what lies at a place and below it.
  mutating func forget(below path: [UInt8]) {
    if !texts.isEmpty { texts = texts.filter { !Self.isBelow(path, $0.key) } }
    guard !values.isEmpty else { return }
    values = values.filter { !Self.isBelow(path, $0.key) }
    countUnstamped()
  }

  /// Whether a place is the one at a path, or lies below it.
  private static func isBelow(_ path: [UInt8], _ place: [UInt8]) -> Bool {
    place.starts(with: path)
      && (place.count == path.count || place[path.count] == UInt8(ascii: "/"))
  }
}

/// Numbers for the writes of all values that are shared by reference, none of which is given twice.
package enum WriteStamp {
  private static let number = Atomic<UInt64>(0)

  /// The number of the last write.
  package static var last: UInt64 { number.load(ordering: .relaxed) }

  /// The number of another write, which is taken when the new value is in place.
  package static func next() -> UInt64 { number.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension PatchBuilder {
  /// Compares, within its `difference`, a value behind a reference with the copy that was taken of it last.
  ///
  /// - Parameters:
  ///   - old: The value that the old reference shows.
  ///   - stamp: Which write the value comes from, nil where it can change without one.
  ///   - new: The value that the new reference shows.
  package mutating func referenced<Value>(
    _ old: @autoclosure () -> Value,
    stamp: @autoclosure () -> UInt64?,
    _ new: @autoclosure () -> Value
  ) {
    // An object would live as long as the copy of a value that holds it.
    guard copies != nil, isPlain(Value.self) else {
      return compareWritten(old(), new(), at: depth, isPlain: false)
    }
    // Before the value, which may be written meanwhile and is then looked at again.
    let stamp = stamp()
    if let stamp, copies?.isWritten(path, since: stamp) == false { return }
    written(old, new(), stamp)
  }

  /// Compares a value behind a reference that may have been written.
  private mutating func written<Value>(_ old: () -> Value, _ new: Value, _ stamp: UInt64?) {
    if !isCopying { value(copies?.value(at: path, Value.self) ?? old(), new) }
    if let copy = PlainCopy(new, &types) { copies?.store(copy, stamp: stamp, at: path) }
  }

  /// Compares, within its `difference`, a value as it was written last with what it would be written as now.
  mutating func compareWritten<Value>(_ old: Value, _ new: Value) {
    compareWritten(old, new, at: depth - 1, isPlain: isPlain(Value.self))
  }

  /// Compares, within its `difference`, an array, a set or a dictionary as it was written last with what it would be written as now.
  mutating func compareContainers<Value>(_ old: Value, _ new: Value) {
    compareWritten(old, new, at: depth - 1, isPlain: isPlain(Value.self), isContainer: true)
  }

  mutating func compareWritten<Value>(
    _ old: Value,
    _ new: Value,
    at level: Int,
    isPlain: Bool,
    isContainer: Bool = false
  ) {
    if isPlain, isCopying || hasSameBits(old, new) { return }
    let newText = text(of: new, at: level)
    if !isCopying {
      let oldText = (isPlain ? nil : copies?[path]) ?? text(of: old, at: level)
      let start = start
      texts(from: oldText, to: newText)
      if isContainer { shorten(since: start, to: newText) }
    }
    if !isPlain { copies?[path] = newText }
  }

  private func text<Value>(of value: Value, at level: Int) -> [UInt8] {
    LogEncoder.text(at: level, marking: marks) { $0.value(value) }
  }

  /// Takes copies of what lies behind references in a value that is new as a whole.
  mutating func recopy<Value>(_ value: Value, at level: Int) {
    // Where a plain value stands, none of another kind has stood.
    guard copies != nil, !isCopying, !isPlain(Value.self) else { return }
    copies?.forget(below: path)
    copy(value, at: level)
  }

  /// Takes copies of what lies behind references in a value.
  mutating func copy<Value>(_ value: Value, at level: Int = 0) {
    guard copies != nil, !isPlain(Value.self) else { return }
    let (wasCopying, outer) = (isCopying, depth)
    (isCopying, depth) = (true, level)
    self.value(value, value)
    (isCopying, depth) = (wasCopying, outer)
  }
}

extension JSON {
  /// A value as the log writes it.
  public init(logging value: some Any) {
    var encoder = LogEncoder()
    encoder.value(value)
    self.init(written: encoder)
  }

  /// A value as the log writes it, with marks for a masker.
  package init(logging value: some Any, marking marks: LogMarkings?) {
    self.init(written: LogEncoder(writing: value, marking: marks))
  }

  /// What an encoder wrote; a hand-written `encode(to:)` that wrote no JSON is an opaque value.
  package init(written encoder: LogEncoder) {
    do throws(ParseError) { try self.init(parsing: encoder.bytes) } catch {
      self = .noValue(because: error)
    }
  }

  /// What stands for a value that was written as something else than JSON.
  static func noValue(because error: ParseError) -> JSON {
    ["$opaque": "LogValue", "reason": .string("it wrote no JSON value: \(error)")]
  }
}
