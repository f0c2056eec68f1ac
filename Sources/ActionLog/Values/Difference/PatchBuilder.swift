/// Collects the operations of a JSON Patch while two values are walked in step.
///
/// ```swift
/// var patch = PatchBuilder()
/// patch.member("count", 1, 2)
/// patch.patch.json  // [{"op":"replace","path":"/count","value":2}]
/// ```
///
/// Operations are written as text where they are to stand in the end. The values of which nothing is written because
/// they have not changed cost no more than a look at them.
public struct PatchBuilder: Sendable {
  /// Where the operations are written, one after the other in an array that is open.
  var encoder: LogEncoder
  /// Where the builder stands, as a JSON Pointer.
  var path: [UInt8] = []
  /// How many values stand around the one that is being compared, as encoders count them.
  var depth = 0
  /// Whether long texts that change in a part are spliced; else they are replaced, as RFC 6902 knows it.
  var splices = false
  /// What was written of values behind references; nil where it is not kept.
  var copies: WrittenCopies?
  /// The texts of what is written in the order of its bytes.
  var sortedTexts = KeptTexts()
  /// Whether only `copies` is brought up to date.
  var isCopying = false
  /// What is known of the types that have come up.
  var types = RecentTypes()
  /// What is marked in the text for a masker.
  var marks: LogMarkings?
  /// How many operations were written.
  private var operationCount = 0

  /// A builder that stands at the whole value and has seen no difference.
  public init() {
    encoder = LogEncoder()
    encoder.beginArray()
  }

  /// A builder that writes where it is told.
  ///
  /// - Parameter copies: What was written of values behind references.
  init(copies: WrittenCopies?) {
    encoder = LogEncoder()
    self.copies = copies
  }

  /// Lets the builder write into the array that an encoder has opened.
  mutating func write(
    to encoder: inout LogEncoder,
    _ body: (inout PatchBuilder) -> Void
  ) {
    // Swapped, so that the text grows where it is.
    swap(&encoder, &self.encoder)
    body(&self)
    swap(&encoder, &self.encoder)
  }

  /// The operations so far, of a builder that was made without an encoder.
  public var patch: JSON.Patch {
    var encoder = encoder
    encoder.endArray()
    return (try? JSON.Patch(json: JSON(written: encoder))) ?? JSON.Patch()
  }
}

extension PatchBuilder {
  /// Adds what turns one value into the other, at the place where the builder stands.
  public mutating func value<Value: LogValue>(_ old: Value, _ new: Value) {
    // What is nested deeper is written as its type's name.
    guard depth < LogEncoder.deepestNesting else { return }
    depth += 1
    Value.difference(from: old, to: new, into: &self)
    depth -= 1
  }

  /// Adds what turns one value into the other, whatever their type.
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
    TypeEquality<Value, Known>()?.lend(old, new) { value($0, $1) }
  }

  /// Adds what turns a member of one value into that of the other.
  public mutating func member<Value: LogValue>(_ name: String, _ old: Value, _ new: Value) {
    if !isUnchanged(old, new) { nested(name) { $0.value(old, new) } }
  }

  /// Adds what turns a member of one value into that of the other, whatever its type.
  public mutating func member<Value>(_ name: String, _ old: Value, _ new: Value) {
    if !isUnchanged(old, new) { nested(name) { $0.value(old, new) } }
  }

  /// Adds what turns a member into another that was computed from something behind a reference: what was written of it
  /// is compared, for both values may have been read from the same place.
  ///
  /// ```swift
  /// static func difference(from old: Document, to new: Document, into patch: inout PatchBuilder) {
  ///   patch.computedMember("text", old.text, new.text)  // `text` reads a text storage, which is an object
  /// }
  /// ```
  public mutating func computedMember<Value>(_ name: String, _ old: Value, _ new: Value) {
    nested(name) { $0.compareWritten(old, new, at: $0.depth, isPlain: false) }
  }

  /// Adds what turns the only associated value of a case into that of another value of this case.
  public mutating func _$case<Payload: LogValue>(
    _ name: String,
    _ old: Payload,
    _ new: Payload,
    as label: String = "_0"
  ) {
    nested(name) { $0.member(label, old, new) }
  }

  /// Adds what turns the only associated value of a case, whatever its type, into that of another value of this case.
  public mutating func _$case<Payload>(
    _ name: String,
    _ old: Payload,
    _ new: Payload,
    as label: String = "_0"
  ) {
    nested(name) { $0.member(label, old, new) }
  }

  /// Steps to a member of the user's type while `body` runs.
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

  /// Steps to an element while `body` runs.
  mutating func nested(_ index: Int, _ body: (inout PatchBuilder) -> Void) {
    let length = path.count
    append(token: index)
    body(&self)
    path.removeLast(path.count - length)
  }

  /// Appends the name of a member, escaped as the log and RFC 6901, section 3 want it.
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
  /// Replaces the value where the builder stands, within its `difference`.
  public mutating func replace<Value>(with new: Value) { replace(with: new, at: depth - 1) }

  mutating func replace<Value>(with new: Value, at level: Int) {
    write(.replace, new, at: level)
    recopy(new, at: level)
  }

  /// Adds a member or an element whose token stands at the end of the path.
  mutating func add<Value>(_ new: Value) {
    write(.add, new, at: depth)
    recopy(new, at: depth)
  }

  /// Removes the value where the builder stands.
  mutating func remove() {
    writeRemoval()
    copies?.forget(below: path)
  }

  /// Moves the element at an index of the array where the builder stands.
  mutating func move(from: Int, to: Int) {
    let length = path.count
    append(token: from)
    let source = path
    path.removeLast(path.count - length)
    append(token: to)
    writeMove(from: source)
    path.removeLast(path.count - length)
  }

  /// Writes that a value is put where the builder stands.
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

  /// Replaces the text where the builder stands, or changes it in a part where that is shorter.
  mutating func replace(_ old: String, with new: String, at level: Int) {
    guard splices, let splice = JSON.Patch.Splice(from: old, to: new) else {
      return replace(with: new, at: level)
    }
    write(splice)
  }

  /// Writes that the text where the builder stands changes in a part.
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

  /// Writes that a value that is text already is put where the builder stands.
  mutating func write(_ kind: PatchText.LoggedOperation.Kind, text: [UInt8]) {
    operationCount &+= 1
    encoder.beginText(kind.opening)
    encoder.append(escaping: path)
    encoder.verbatim(#"","value":"#)
    encoder.raw(text)
    encoder.endObject()
  }

  /// Writes that the value where the builder stands is removed.
  mutating func writeRemoval() {
    guard !isCopying else { return }
    operationCount &+= 1
    encoder.beginText(PatchText.LoggedOperation.Kind.remove.opening)
    encoder.append(escaping: path)
    encoder.verbatim(#""}"#, needsComma: true)
  }

  /// Writes that a value is moved to where the builder stands.
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

// A patch is never longer than one that replaces the array, set, dictionary or row.
extension PatchBuilder {
  /// The point at which the operations of a container begin.
  struct ContainerStart {
    fileprivate let mark: LogEncoder.EncoderPosition
    fileprivate let operationCount: Int
  }

  /// Where the next operation will stand.
  var start: ContainerStart { ContainerStart(mark: encoder.mark, operationCount: operationCount) }

  /// Puts one operation in the place of those of a container, where it is shorter.
  ///
  /// - Parameters:
  ///   - start: Where the operations begin.
  ///   - count: At most how many elements the new value has.
  ///   - shortest: The length of the shortest element.
  ///   - new: The new value, within its `difference`.
  mutating func shorten<Value>(
    since start: ContainerStart,
    count: Int,
    shortest: Int,
    to new: () -> Value
  ) {
    let length = length(since: start)
    // One operation that puts a value somewhere is not longer than all that is around the value.
    guard operationCount &- start.operationCount > 1, length > count * shortest else { return }
    let end = encoder.mark
    encoder.limit = end.count + length
    write(.replace, new(), at: depth - 1)
    encoder.limit = .max
    keepShorter(length, since: start, to: end)
  }

  /// The same for a container whose new value is written already.
  mutating func shorten(since start: ContainerStart, to text: [UInt8]) {
    let length = length(since: start)
    guard operationCount &- start.operationCount > 1, length > text.count else { return }
    let end = encoder.mark
    write(.replace, text: text)
    keepShorter(length, since: start, to: end)
  }

  /// The bytes of the operations of a container, with the comma that an operation after them has.
  private func length(since start: ContainerStart) -> Int {
    encoder.bytes.count - start.mark.count + (start.mark.needsComma ? 0 : 1)
  }

  /// Removes the operations of a container, or the one after them that replaces it: whichever is longer.
  ///
  /// - Parameters:
  ///   - length: The length of the operations.
  ///   - start: Where they begin.
  ///   - end: Where they end.
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

// Most members are one of these, and most have not changed: nothing is written of where they stand.
extension PatchBuilder {
  /// Replaces a member that is another integer.
  public mutating func member(_ name: String, _ old: Int, _ new: Int) {
    if old != new { replaceMember(name, with: new) }
  }

  /// Replaces a member that is another truth value.
  public mutating func member(_ name: String, _ old: Bool, _ new: Bool) {
    if old != new { replaceMember(name, with: new) }
  }

  /// Replaces a member that is another number.
  public mutating func member(_ name: String, _ old: Double, _ new: Double) {
    // What is not a number is written alike, whatever its bits.
    if old.bitPattern != new.bitPattern, !old.isNaN || !new.isNaN {
      replaceMember(name, with: new)
    }
  }

  /// Replaces a member that is another string.
  public mutating func member(_ name: String, _ old: String, _ new: String) {
    guard !hasSameBits(old, new), !old.hasSameBytes(as: new) else { return }
    nested(name) { $0.replace(old, with: new, at: $0.depth) }
  }

  private mutating func replaceMember<Value: LogValue>(_ name: String, with new: Value) {
    nested(name) { $0.replace(with: new, at: $0.depth) }
  }
}

extension PatchBuilder {
  /// Whether the values of a type hold nothing that changes in place, so that copies that have not been changed are
  /// the same.
  package mutating func isPlain<Value>(_ type: Value.Type) -> Bool { types.isPlain(type) }

  /// Whether two values are unchanged copies, and hold nothing that changes in place, or nothing that has.
  package mutating func isUnchanged<Value>(_ old: Value, _ new: Value) -> Bool {
    guard hasSameBits(old, new) else { return false }
    return isPlain(Value.self) || !isCopying && copies?.areCurrent == true
  }
}
