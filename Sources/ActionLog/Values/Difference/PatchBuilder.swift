/// A builder for a JSON Patch, which compares two values member by member.
///
/// ```swift
/// var patch = PatchBuilder()
/// patch.member("count", 1, 2)
/// patch.patch.json  // [{"op":"replace","path":"/count","value":2}]
/// ```
///
/// Operations are written directly as text. Unchanged values cost only the comparison.
public struct PatchBuilder: Sendable {
  /// The encoder, in which an array of operations is open.
  var encoder: LogEncoder
  /// The path of the current value as a JSON Pointer, in UTF-8.
  var path: [UInt8] = []
  /// The nesting depth of the current value, counted like `LogEncoder.depth`.
  var depth = 0
  /// Whether partial changes to long strings become splices.
  ///
  /// Otherwise, the strings are replaced, as RFC 6902 requires.
  var splices = false
  /// The last logged values behind references, or `nil` if the builder doesn't store them.
  var copies: ReferencedValueCopies?
  /// The sorted texts of collections that are written in byte order.
  var sortedTexts = SortedTextCache()
  /// Whether the builder only updates `copies`, without writing operations.
  var isCopying = false
  /// The capabilities of recently used types.
  var types = RecentTypes()
  /// The marks to write for a masker, or `nil` for a log without masks.
  var marks: MaskerMarkings?
  /// The number of operations that the builder has written.
  private var operationCount = 0

  /// Creates a builder whose path is the root of the values.
  public init() {
    encoder = LogEncoder()
    encoder.beginArray()
  }

  /// Creates a builder without an output, which `write(to:_:)` provides.
  ///
  /// - Parameter copies: The last logged values behind references, or `nil` to store none.
  init(copies: ReferencedValueCopies?) {
    encoder = LogEncoder()
    self.copies = copies
  }

  /// Runs the builder, which appends to the array of operations that an encoder has opened.
  mutating func write(
    to encoder: inout LogEncoder,
    _ body: (inout PatchBuilder) -> Void
  ) {
    // Swaps the encoders, so that the output is not copied.
    swap(&encoder, &self.encoder)
    body(&self)
    swap(&encoder, &self.encoder)
  }

  /// The operations that the builder has written, if it was created with `init()`.
  public var patch: JSON.Patch {
    var encoder = encoder
    encoder.endArray()
    return (try? JSON.Patch(json: JSON(written: encoder))) ?? JSON.Patch()
  }
}

extension PatchBuilder {
  /// Appends the changes from one value to another, at the current path.
  public mutating func value<Value: LogValue>(_ old: Value, _ new: Value) {
    // A value that is nested too deeply is logged only by its type.
    guard depth < LogEncoder.deepestNesting else { return }
    depth += 1
    Value.difference(from: old, to: new, into: &self)
    depth -= 1
  }

  /// Appends the changes from one value of any type to another, at the current path.
  public mutating func value<Value>(_ old: Value, _ new: Value) {
    let capabilities = types.capabilities(of: Value.self)
    if let type = capabilities.logValue {
      known(type, old, new)
    } else {
      guard !members(from: old, to: new) else { return }
      compareWritten(old, new, at: depth, isPlain: capabilities.isPlain)
    }
  }

  private mutating func known<Value, Known: LogValue>(
    _ type: Known.Type,
    _ old: Value,
    _ new: Value
  ) {
    SameTypeProof<Value, Known>()?.lend(old, new) { value($0, $1) }
  }

  /// Appends the changes to the member with the given name.
  public mutating func member<Value: LogValue>(_ name: String, _ old: Value, _ new: Value) {
    if !isUnchanged(old, new, named: name) { nested(name) { $0.value(old, new) } }
  }

  /// Appends the changes to the member with the given name, whose value can have any type.
  public mutating func member<Value>(_ name: String, _ old: Value, _ new: Value) {
    if !isUnchanged(old, new, named: name) { nested(name) { $0.value(old, new) } }
  }

  /// Appends the changes to a member that is computed from a value behind a reference.
  ///
  /// Compares the new value with the last logged one, because both states can refer to the same object.
  ///
  /// ```swift
  /// static func difference(from old: Document, to new: Document, into patch: inout PatchBuilder) {
  ///   patch.computedMember("text", old.text, new.text)  // `text` reads a text storage, which is an object
  /// }
  /// ```
  public mutating func computedMember<Value>(_ name: String, _ old: Value, _ new: Value) {
    nested(name) { $0.compareWritten(old, new, at: $0.depth, isPlain: false) }
  }

  /// Appends the changes to the only associated value of a case.
  public mutating func _$case<Payload: LogValue>(
    _ name: String,
    _ old: Payload,
    _ new: Payload,
    as label: String = "_0"
  ) {
    nested(name) { $0.member(label, old, new) }
  }

  /// Appends the changes to the only associated value of a case, which can have any type.
  public mutating func _$case<Payload>(
    _ name: String,
    _ old: Payload,
    _ new: Payload,
    as label: String = "_0"
  ) {
    nested(name) { $0.member(label, old, new) }
  }

  /// Calls `body` with a member's name appended to the path.
  ///
  /// ```swift
  /// patch.nested("settings") { $0.member("isCompact", false, true) }
  /// patch.patch.json  // [{"op":"replace","path":"/settings/isCompact","value":true}]
  /// ```
  public mutating func nested(_ name: String, _ body: (inout PatchBuilder) -> Void) {
    let length = path.count
    append(token: name)
    body(&self)
    path.removeLast(path.count - length)
  }

  /// Calls `body` with an element's index appended to the path.
  mutating func nested(_ index: Int, _ body: (inout PatchBuilder) -> Void) {
    let length = path.count
    append(token: index)
    body(&self)
    path.removeLast(path.count - length)
  }

  /// Appends the name of a member to the path, with the escapes of the log and of RFC 6901, section 3.
  private mutating func append(token name: String) {
    path.append(UInt8(ascii: "/"))
    var name = name
    let isEscaped = name.withUTF8 { utf8 in
      if utf8.first == UInt8(ascii: "$") { path.append(UInt8(ascii: "$")) }
      guard !utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else {
        return false
      }
      path.append(contentsOf: utf8)
      return true
    }
    if !isEscaped { path.append(contentsOf: JSON.Pointer.escape(name).utf8) }
  }

  mutating func append(token index: Int) {
    path.append(UInt8(ascii: "/"))
    path.append(decimal: index)
  }
}

extension PatchBuilder {
  /// Replaces the value at the current path.
  ///
  /// Call this method only in an implementation of `difference`.
  public mutating func replace<Value>(with new: Value) { replace(with: new, at: depth - 1) }

  mutating func replace<Value>(with new: Value, at level: Int) {
    write(.replace, new, at: level)
    recopy(new, at: level)
  }

  /// Adds a member or an element at the current path.
  mutating func add<Value>(_ new: Value) {
    write(.add, new, at: depth)
    recopy(new, at: depth)
  }

  /// Removes the value at the current path.
  mutating func remove() {
    writeRemoval()
    copies?.forget(below: path)
  }

  /// Moves an element inside the array at the current path.
  mutating func move(from: Int, to: Int) {
    let length = path.count
    append(token: from)
    let source = path
    path.removeLast(path.count - length)
    append(token: to)
    writeMove(from: source)
    path.removeLast(path.count - length)
  }

  /// Writes an operation of the given kind at the current path, with a value to encode.
  mutating func write<Value>(_ kind: PatchText.LoggedOperation.Kind, _ value: Value, at level: Int)
  {
    guard !isCopying else { return }
    operationCount &+= 1
    encoder.beginText(kind.opening)
    encoder.append(escaping: path)
    encoder.verbatim(#"","value":"#)
    let outer = encoder.depth
    encoder.depth = level
    encoder.value(value)
    encoder.depth = outer
    encoder.endObject()
  }

  /// Replaces the string at the current path, or writes a splice if that is shorter.
  mutating func replace(_ old: String, with new: String, at level: Int) {
    guard splices, let splice = JSON.Patch.Splice(from: old, to: new) else {
      return replace(with: new, at: level)
    }
    write(splice)
  }

  /// Writes a splice of the string at the current path.
  mutating func write(_ splice: JSON.Patch.Splice) {
    guard !isCopying else { return }
    operationCount &+= 1
    encoder.beginText(#"{"op":"splice","path":""#)
    encoder.append(escaping: path)
    encoder.verbatim(#"","at":"#)
    encoder.encode(splice.offset)
    encoder.verbatim(#","remove":"#)
    encoder.encode(splice.removedCount)
    encoder.verbatim(#","insert":"#)
    encoder.encode(splice.inserted)
    encoder.endObject()
  }

  /// Writes an operation of the given kind at the current path, with the JSON text of a value.
  mutating func write(_ kind: PatchText.LoggedOperation.Kind, text: [UInt8]) {
    operationCount &+= 1
    encoder.beginText(kind.opening)
    encoder.append(escaping: path)
    encoder.verbatim(#"","value":"#)
    encoder.raw(text)
    encoder.endObject()
  }

  /// Writes an operation that removes the value at the current path.
  mutating func writeRemoval() {
    guard !isCopying else { return }
    operationCount &+= 1
    encoder.beginText(PatchText.LoggedOperation.Kind.remove.opening)
    encoder.append(escaping: path)
    encoder.verbatim(#""}"#, needsComma: true)
  }

  /// Writes an operation that moves a value from another path to the current one.
  mutating func writeMove(from source: [UInt8]) {
    guard !isCopying else { return }
    operationCount &+= 1
    encoder.beginText(#"{"op":"move","from":""#)
    encoder.append(escaping: source)
    encoder.verbatim(#"","path":""#)
    encoder.append(escaping: path)
    encoder.verbatim(#""}"#, needsComma: true)
  }
}

// The operations for an array, set, dictionary, or row are never longer than its replacement.
extension PatchBuilder {
  /// The position in the output at which the operations of a container start.
  struct ContainerStart {
    fileprivate let mark: LogEncoder.EncoderPosition
    fileprivate let operationCount: Int
  }

  /// The position in the output at which the next operation starts.
  var start: ContainerStart { ContainerStart(mark: encoder.mark, operationCount: operationCount) }

  /// Replaces the operations of a container with a single replacement, if that is shorter.
  ///
  /// - Parameters:
  ///   - start: The position at which the container's operations start.
  ///   - count: The number of elements in the new value.
  ///   - shortest: The length of the shortest possible element in bytes.
  ///   - new: A closure that returns the new value.
  mutating func shorten<Value>(
    since start: ContainerStart,
    count: Int,
    shortest: Int,
    to new: () -> Value
  ) {
    let length = length(since: start)
    // A single operation can't be longer than a replacement, which has the same members besides the value.
    guard operationCount &- start.operationCount > 1, length > count * shortest else { return }
    let end = encoder.mark
    encoder.limit = end.count + length
    write(.replace, new(), at: depth - 1)
    encoder.limit = .max
    keepShorter(length, since: start, to: end)
  }

  /// Replaces the operations of a container with a single replacement, if that is shorter.
  ///
  /// - Parameters:
  ///   - start: The position at which the container's operations start.
  ///   - text: The JSON text of the new value.
  mutating func shorten(since start: ContainerStart, to text: [UInt8]) {
    let length = length(since: start)
    guard operationCount &- start.operationCount > 1, length > text.count else { return }
    let end = encoder.mark
    write(.replace, text: text)
    keepShorter(length, since: start, to: end)
  }

  /// Returns the length of a container's operations in bytes, including a comma.
  private func length(since start: ContainerStart) -> Int {
    encoder.bytes.count - start.mark.count + (start.mark.needsComma ? 0 : 1)
  }

  /// Removes the operations of a container, or the replacement that follows them, whichever is longer.
  ///
  /// - Parameters:
  ///   - length: The length of the operations in bytes.
  ///   - start: The position at which the operations start.
  ///   - end: The position at which the operations end and the replacement starts.
  private mutating func keepShorter(
    _ length: Int,
    since start: ContainerStart,
    to end: LogEncoder.EncoderPosition
  ) {
    if encoder.bytes.count - end.count < length {
      encoder.remove(from: start.mark, to: end)
    } else {
      encoder.rewind(to: end)
    }
  }
}

// These are fast paths for the most frequent types of members. The path of an unchanged member is not written.
extension PatchBuilder {
  /// Replaces an integer member if it has changed.
  public mutating func member(_ name: String, _ old: Int, _ new: Int) {
    if old != new { replaceMember(name, with: new) }
  }

  /// Replaces a Boolean member if it has changed.
  public mutating func member(_ name: String, _ old: Bool, _ new: Bool) {
    if old != new { replaceMember(name, with: new) }
  }

  /// Replaces a floating-point member if it has changed.
  public mutating func member(_ name: String, _ old: Double, _ new: Double) {
    // All NaN values have the same form in a log, regardless of their bits.
    if old.bitPattern != new.bitPattern, !old.isNaN || !new.isNaN {
      replaceMember(name, with: new)
    }
  }

  /// Replaces a string member, or a part of it, if its bytes have changed.
  public mutating func member(_ name: String, _ old: String, _ new: String) {
    guard !hasSameBits(old, new), !old.hasSameBytes(as: new) else { return }
    nested(name) { $0.replace(old, with: new, at: $0.depth) }
  }

  private mutating func replaceMember<Value: LogValue>(_ name: String, with new: Value) {
    nested(name) { $0.replace(with: new, at: $0.depth) }
  }
}

extension PatchBuilder {
  /// Whether values of a type contain no mutable objects, so that copies with the same bits are equal.
  package mutating func isPlain<Value>(_ type: Value.Type) -> Bool { types.isPlain(type) }

  /// Whether two values at the current path have the same bits and contain no references to values that could have
  /// changed.
  package mutating func isUnchanged<Value>(_ old: Value, _ new: Value) -> Bool {
    guard hasSameBits(old, new) else { return false }
    return isPlain(Value.self) || !isCopying && copies?.areCurrent(at: path) == true
  }

  /// Whether two values of a member have the same bits and contain no references to values that could have changed.
  private mutating func isUnchanged<Value>(_ old: Value, _ new: Value, named name: String) -> Bool {
    guard hasSameBits(old, new) else { return false }
    if isPlain(Value.self) { return true }
    var isUnchanged = false
    nested(name) { isUnchanged = $0.isUnchanged(old, new) }
    return isUnchanged
  }

  /// Whether two elements have the same bits and contain no references to values that could have changed.
  mutating func isUnchanged<Value>(_ old: Value, _ new: Value, at index: Int) -> Bool {
    guard hasSameBits(old, new) else { return false }
    if isPlain(Value.self) { return true }
    var isUnchanged = false
    nested(index) { isUnchanged = $0.isUnchanged(old, new) }
    return isUnchanged
  }
}
