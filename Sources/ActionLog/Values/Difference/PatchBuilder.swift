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
  /// Where the operations are written, behind one another in an array that is open.
  var encoder: LogEncoder
  /// Where the builder stands, as a JSON Pointer.
  var path: [UInt8] = []
  /// How many values stand around the one that is being compared, as encoders count them.
  var depth = 0
  /// What was written of values behind references, when somebody keeps it.
  package var copies: WrittenCopies?
  /// Whether only `copies` is brought up to date.
  var isCopying = false

  /// A builder that stands at the whole value and has seen no difference.
  public init() {
    encoder = LogEncoder()
    encoder.beginArray()
  }

  /// A builder that writes into the array that an encoder has opened.
  ///
  /// - Parameters:
  ///   - encoder: The encoder.
  ///   - copies: What was written of values behind references.
  ///   - path: Room for paths, from the builder before.
  package init(
    writingTo encoder: consuming LogEncoder,
    copies: consuming WrittenCopies? = nil,
    path: consuming [UInt8] = []
  ) {
    self.encoder = encoder
    self.copies = copies
    self.path = path
  }

  /// Ends the patch and hands back the encoder, with the array still open, the copies and the room for paths.
  package consuming func finish() -> (LogEncoder, WrittenCopies?, [UInt8]) {
    (encoder, copies, path)
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
    if let type = Value.self as? any LogValue.Type {
      known(type, old, new)
    } else {
      compareWritten(old, new, at: depth, isPlain: false)
    }
  }

  private mutating func known<Value, Known: LogValue>(
    _ type: Known.Type,
    _ old: Value,
    _ new: Value
  ) {
    // The same type under another name, which a cast would copy to find out.
    withUnsafePointer(to: old) { old in
      withUnsafePointer(to: new) { new in
        old.withMemoryRebound(to: Known.self, capacity: 1) { old in
          new.withMemoryRebound(to: Known.self, capacity: 1) { value(old.pointee, $0.pointee) }
        }
      }
    }
  }

  /// Adds what turns a member of one value into that of the other.
  public mutating func member<Value: LogValue>(_ name: String, _ old: Value, _ new: Value) {
    nested(name) { $0.value(old, new) }
  }

  /// Adds what turns a member of one value into that of the other, whatever its type.
  public mutating func member<Value>(_ name: String, _ old: Value, _ new: Value) {
    nested(name) { $0.value(old, new) }
  }

  /// Adds what turns a member into another that was computed from something behind a reference: what was written of it
  /// is compared, for both values may have been read from the same place.
  public mutating func computedMember<Value>(_ name: String, _ old: Value, _ new: Value) {
    nested(name) { $0.compareWritten(old, new, at: $0.depth, isPlain: false) }
  }

  /// Steps to a member of the user's type while `body` runs.
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
    write("replace") { $0.write(new, at: level) }
    recopy(new, at: level)
  }

  /// Adds a member or an element whose token stands at the end of the path.
  mutating func add<Value>(_ new: Value) {
    write("add") { $0.write(new, at: $0.depth) }
    recopy(new, at: depth)
  }

  /// Removes the value where the builder stands.
  mutating func remove() {
    write("remove") { _ in }
    copies?.forget(below: path)
  }

  /// Moves the element at an index of the array where the builder stands.
  mutating func move(from: Int, to: Int) {
    let length = path.count
    append(token: from)
    let source = path
    path.removeLast(path.count - length)
    append(token: to)
    write("move", from: source) { _ in }
    path.removeLast(path.count - length)
  }

  /// Writes an operation at the place where the builder stands.
  mutating func write(
    _ operation: StaticString,
    from source: [UInt8]? = nil,
    _ body: (inout PatchBuilder) -> Void
  ) {
    guard !isCopying else { return }
    encoder.beginObject()
    encoder.verbatim(#""op":""#)
    encoder.verbatim(operation)
    encoder.verbatim("\"")
    if let source {
      encoder.verbatim(#","from":"#)
      encoder.encode(utf8: source)
    }
    encoder.verbatim(#","path":"#)
    encoder.encode(utf8: path)
    body(&self)
    encoder.endObject()
  }

  /// Writes the member `value` of an operation.
  mutating func write<Value>(_ value: Value, at level: Int) {
    encoder.verbatim(#","value":"#)
    let outer = encoder.depth
    encoder.depth = level
    encoder.value(value)
    encoder.depth = outer
  }
}
