import Synchronization

/// The last logged values behind references, by path: copies of plain values, and the JSON text of other values.
///
/// Such a value can change while the reference stays the same. The old and the new state then both refer to the new
/// value, so the new value is compared with the copy.
struct ReferencedValueCopies: Sendable {
  private var texts: [[UInt8]: [UInt8]] = [:]
  private var values: [[UInt8]: Referenced] = [:]
  /// The number of stored values whose writes are not stamped.
  private var unstamped = 0
  /// The stamp of the last write that preceded the last comparison of the copies.
  private var lastWrite: UInt64 = 0

  /// A copy of a value behind a reference, and the stamp of the write that produced the value.
  private struct Referenced: Sendable {
    /// The stamp of the write that produced the value, or `nil` if writes to it are not stamped.
    let stamp: UInt64?
    let value: SendableCopy
  }

  /// Whether no copies are stored, which means that the state has no values behind references.
  var isEmpty: Bool { texts.isEmpty && values.isEmpty }

  /// Whether the write stamps prove that no value has changed since the last comparison.
  var areCurrent: Bool {
    texts.isEmpty && (values.isEmpty || unstamped == 0 && lastWrite == WriteStamp.last)
  }

  /// Records that all copies were compared with the current values.
  ///
  /// - Parameter lastWrite: The stamp of the last write that preceded the comparison.
  mutating func didCompare(since lastWrite: UInt64) { self.lastWrite = lastWrite }

  /// The JSON text of the value at a path, or `nil` if no text is stored for it.
  subscript(path: [UInt8]) -> [UInt8]? {
    get { texts[path] }
    set { texts[path] = newValue }
  }

  /// Whether the copy at a path is missing, or was made after another write than the one with the given stamp.
  func isWritten(_ path: [UInt8], since stamp: UInt64) -> Bool { values[path]?.stamp != stamp }

  /// Returns the copy of the value at a path, or `nil` if no copy of this type is stored.
  func value<Value>(at path: [UInt8], _ type: Value.Type) -> Value? {
    values[path]?.value.value()
  }

  /// Stores a copy of the value at a path, with the stamp of the value's last write.
  mutating func store(_ value: SendableCopy, stamp: UInt64?, at path: [UInt8]) {
    let old = values.updateValue(Referenced(stamp: stamp, value: value), forKey: path)
    if let old, old.stamp == nil { unstamped -= 1 }
    if stamp == nil { unstamped += 1 }
  }

  /// Moves the copies inside array elements to the elements' new paths, and drops those in removed elements.
  ///
  /// - Parameters:
  ///   - path: The path of the array.
  ///   - places: The new indexes of the remaining elements, by their old indexes.
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

  /// Drops the copies at a path and at paths below it.
  mutating func forget(below path: [UInt8]) {
    if !texts.isEmpty { texts = texts.filter { !Self.isBelow(path, $0.key) } }
    guard !values.isEmpty else { return }
    values = values.filter { !Self.isBelow(path, $0.key) }
    countUnstamped()
  }

  /// Whether `place` equals `path` or lies below it.
  private static func isBelow(_ path: [UInt8], _ place: [UInt8]) -> Bool {
    place.starts(with: path)
      && (place.count == path.count || place[path.count] == UInt8(ascii: "/"))
  }
}

/// Stamps for writes of values that are shared by reference.
///
/// Each write gets a unique number as its stamp.
package enum WriteStamp {
  private static let number = Atomic<UInt64>(0)

  /// The stamp of the last write in this process.
  package static var last: UInt64 { number.load(ordering: .relaxed) }

  /// Returns the stamp for a new write.
  ///
  /// Call this method after the new value is stored.
  package static func next() -> UInt64 { number.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension PatchBuilder {
  /// Compares a value behind a reference with its last copy.
  ///
  /// Call this method only in an implementation of `difference`.
  ///
  /// - Parameters:
  ///   - old: The value to which the old reference currently refers.
  ///   - stamp: The stamp of the write that produced the new value, or `nil` if writes are not stamped.
  ///   - new: The value to which the new reference currently refers.
  package mutating func referenced<Value>(
    _ old: @autoclosure () -> Value,
    stamp: @autoclosure () -> UInt64?,
    _ new: @autoclosure () -> Value
  ) {
    // A copy would extend the lifetime of objects in the value, so the value's text is stored instead.
    guard copies != nil, isPlain(Value.self) else {
      return compareWritten(old(), new(), at: depth, isPlain: false)
    }
    // The stamp is read before the value. If the value is written in between, it is compared again.
    let stamp = stamp()
    if let stamp, copies?.isWritten(path, since: stamp) == false { return }
    written(old, new(), stamp)
  }

  /// Compares a value behind a reference with its copy, and stores a new copy.
  private mutating func written<Value>(_ old: () -> Value, _ new: Value, _ stamp: UInt64?) {
    if !isCopying { value(copies?.value(at: path, Value.self) ?? old(), new) }
    if let copy = SendableCopy(new, &types) { copies?.store(copy, stamp: stamp, at: path) }
  }

  /// Compares the JSON texts of two values.
  ///
  /// For a value that can contain references, the old text is the last logged one. Call this method only in an
  /// implementation of `difference`.
  mutating func compareWritten<Value>(_ old: Value, _ new: Value) {
    compareWritten(old, new, at: depth - 1, isPlain: isPlain(Value.self))
  }

  /// Compares the JSON texts of two arrays, sets, or dictionaries, and replaces the collection if that is shorter.
  ///
  /// For a collection that can contain references, the old text is the last logged one. Call this method only in an
  /// implementation of `difference`.
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

  /// Replaces the copies at the current path after the value there was replaced.
  mutating func recopy<Value>(_ value: Value, at level: Int) {
    // A plain value contains no references, so neither the value nor its predecessor has copies.
    guard copies != nil, !isCopying, !isPlain(Value.self) else { return }
    copies?.forget(below: path)
    copy(value, at: level)
  }

  /// Stores copies of the values behind references inside a value.
  mutating func copy<Value>(_ value: Value, at level: Int = 0) {
    guard copies != nil, !isPlain(Value.self) else { return }
    let (wasCopying, outer) = (isCopying, depth)
    (isCopying, depth) = (true, level)
    self.value(value, value)
    (isCopying, depth) = (wasCopying, outer)
  }
}

extension JSON {
  /// Creates JSON from a value of an app, in the form that a log contains.
  public init(logging value: some Any) {
    var encoder = LogEncoder()
    encoder.value(value)
    self.init(written: encoder)
  }

  /// Creates JSON from a value of an app, in the form that a log contains, with marks for a masker.
  package init(logging value: some Any, marking marks: MaskerMarkings?) {
    self.init(written: LogEncoder(writing: value, marking: marks))
  }

  /// Creates JSON from the output of an encoder.
  ///
  /// If a handwritten `encode(to:)` has written invalid JSON, the result is an opaque value.
  package init(written encoder: LogEncoder) {
    do throws(ParseError) { try self.init(parsing: encoder.bytes) } catch {
      self = .noValue(because: error)
    }
  }

  /// Returns the opaque value that replaces invalid JSON.
  static func noValue(because error: ParseError) -> JSON {
    ["$opaque": "LogValue", "reason": .string("it wrote no JSON value: \(error)")]
  }
}
