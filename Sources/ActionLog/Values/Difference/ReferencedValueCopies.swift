/// The last logged values behind references, by path: copies of plain values, and the JSON text of other values.
///
/// Such a value can change while the reference stays the same. The old and the new state then both refer to the new
/// value, so the new value is compared with the copy.
struct ReferencedValueCopies: Sendable {
  private var texts: [[UInt8]: [UInt8]] = [:]
  private var values: [[UInt8]: Referenced] = [:]
  /// The paths of the copies by the object that their values belong to, or `nil` until a comparison needs them.
  private var paths: [ObjectIdentifier: Set<[UInt8]>]?
  /// The number of stored values whose writes are not stamped.
  private var unstamped = 0
  /// The stamp of the last write that preceded the last comparison of the copies.
  private var lastWrite: UInt64 = 0
  /// The copies that the current comparison has to compare.
  private var outdated = OutdatedCopies.all

  /// A copy of a value behind a reference, and the stamp of the write that produced the value.
  private struct Referenced: Sendable {
    /// The stamp of the write that produced the value, or `nil` if writes to it are not stamped.
    let stamp: UInt64?
    /// The object that the value belongs to.
    let owner: ObjectIdentifier
    let value: SendableCopy
  }

  /// The copies whose values may have been written since the last comparison.
  private enum OutdatedCopies {
    case all
    /// The copies at these paths, in byte order.
    case at([[UInt8]])
  }

  /// Whether no copies are stored, which means that the state has no values behind references.
  var isEmpty: Bool { texts.isEmpty && values.isEmpty }

  /// Whether the write stamps prove that no value has changed since the last comparison.
  var areCurrent: Bool {
    texts.isEmpty && (values.isEmpty || unstamped == 0 && lastWrite == WriteStamp.last)
  }

  /// Finds the copies that a comparison has to compare.
  mutating func startComparison() {
    guard texts.isEmpty, unstamped == 0, let written = WriteStamp.written(since: lastWrite) else {
      outdated = .all
      return
    }
    guard !written.isEmpty, !values.isEmpty else {
      outdated = .at([])
      return
    }
    let index = paths ?? pathsByOwner
    paths = index
    let paths = written.flatMap { index[$0] ?? [] }
    outdated = .at(paths.sorted { $0.lexicographicallyPrecedes($1) })
  }

  private var pathsByOwner: [ObjectIdentifier: Set<[UInt8]>] {
    var index: [ObjectIdentifier: Set<[UInt8]>] = [:]
    for (path, copy) in values { index[copy.owner, default: []].insert(path) }
    return index
  }

  /// Records that all copies were compared with the current values.
  ///
  /// - Parameter lastWrite: The stamp of the last write that preceded the comparison.
  mutating func didCompare(since lastWrite: UInt64) {
    self.lastWrite = lastWrite
    // Until the next comparison starts, nothing is known about the copies.
    outdated = .all
  }

  /// Whether the values at a path and below it were not written since the last comparison.
  func areCurrent(at path: [UInt8]) -> Bool {
    guard case .at(let paths) = outdated else { return areCurrent }
    if paths.isEmpty { return true }
    return !paths.containsSorted(path) && range(below: path, in: paths).isEmpty
  }

  /// Returns the indexes of the elements of the array at a path that contain values written since the last comparison,
  /// in ascending order, or `nil` if they are not known.
  func writtenElements(of path: [UInt8]) -> [Int]? {
    guard case .at(let paths) = outdated else { return areCurrent ? [] : nil }
    let indexes = range(below: path, in: paths).compactMap { place in
      Int(decimal: paths[place][(path.count + 1)...].prefix { $0 != UInt8(ascii: "/") })
    }
    return Set(indexes).sorted()
  }

  /// Returns the places of the sorted paths that are below a path.
  private func range(below path: [UInt8], in paths: [[UInt8]]) -> Range<Int> {
    let start = paths.firstIndex(notBefore: path + [UInt8(ascii: "/")])
    // The character after the slash.
    return start..<paths.firstIndex(notBefore: path + [UInt8(ascii: "0")])
  }

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

  /// Stores a copy of the value at a path.
  ///
  /// - Parameters:
  ///   - value: The copy.
  ///   - stamp: The stamp of the value's last write, or `nil` if writes are not stamped.
  ///   - owner: The object that the value belongs to.
  ///   - path: The path of the value in the state.
  mutating func store(
    _ value: SendableCopy,
    stamp: UInt64?,
    of owner: ObjectIdentifier,
    at path: [UInt8]
  ) {
    let copy = Referenced(stamp: stamp, owner: owner, value: value)
    let old = values.updateValue(copy, forKey: path)
    if let old, old.stamp == nil { unstamped -= 1 }
    if stamp == nil { unstamped += 1 }
    guard paths != nil, old?.owner != owner else { return }
    if let old { paths?[old.owner]?.remove(path) }
    paths?[owner, default: []].insert(path)
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
    didRemoveValues()
  }

  private mutating func didRemoveValues() {
    unstamped = values.values.count { $0.stamp == nil }
    paths = nil
    // The paths of values that were written since the last comparison may have changed, too.
    outdated = .all
  }

  /// Drops the copies at a path and at paths below it.
  mutating func forget(below path: [UInt8]) {
    if !texts.isEmpty { texts = texts.filter { !Self.isBelow(path, $0.key) } }
    guard !values.isEmpty else { return }
    let count = values.count
    values = values.filter { !Self.isBelow(path, $0.key) }
    if values.count < count { didRemoveValues() }
  }

  /// Whether `place` equals `path` or lies below it.
  private static func isBelow(_ path: [UInt8], _ place: [UInt8]) -> Bool {
    place.starts(with: path)
      && (place.count == path.count || place[path.count] == UInt8(ascii: "/"))
  }
}

extension [[UInt8]] {
  /// Returns the index of the first element that doesn't precede a path, in sorted elements.
  fileprivate func firstIndex(notBefore path: [UInt8]) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether the sorted elements contain a path.
  fileprivate func containsSorted(_ path: [UInt8]) -> Bool {
    let index = firstIndex(notBefore: path)
    return index < count && self[index] == path
  }
}

extension Int {
  /// Creates an integer from decimal digits, or returns `nil` if there are other bytes or too many digits.
  fileprivate init?(decimal digits: ArraySlice<UInt8>) {
    self.init(String(decoding: digits, as: UTF8.self))
  }
}

extension PatchBuilder {
  /// Compares a value behind a reference with its last copy.
  ///
  /// Call this method only in an implementation of `difference`.
  ///
  /// - Parameters:
  ///   - old: The value to which the old reference currently refers.
  ///   - stamp: The stamp of the write that produced the new value, or `nil` if writes are not stamped.
  ///   - owner: The object that the new value belongs to, whose writes are stamped.
  ///   - new: The value to which the new reference currently refers.
  package mutating func referenced<Value>(
    _ old: @autoclosure () -> Value,
    stamp: @autoclosure () -> UInt64?,
    of owner: @autoclosure () -> ObjectIdentifier,
    _ new: @autoclosure () -> Value
  ) {
    // A copy would extend the lifetime of objects in the value, so the value's text is stored instead.
    guard copies != nil, isPlain(Value.self) else {
      return compareWritten(old(), new(), at: depth, isPlain: false)
    }
    // The stamp is read before the value. If the value is written in between, it is compared again.
    let stamp = stamp()
    if let stamp, copies?.isWritten(path, since: stamp) == false { return }
    // The owner is read after the stamp. If the reference gets another one in between, its earlier owner is stamped.
    written(old, new(), stamp, of: owner())
  }

  /// Compares a value behind a reference with its copy, and stores a new copy.
  private mutating func written<Value>(
    _ old: () -> Value,
    _ new: Value,
    _ stamp: UInt64?,
    of owner: ObjectIdentifier
  ) {
    if !isCopying { value(copies?.value(at: path, Value.self) ?? old(), new) }
    guard let copy = SendableCopy(new, &types) else { return }
    copies?.store(copy, stamp: stamp, of: owner, at: path)
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
