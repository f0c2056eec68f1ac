/// Collects the operations of a JSON Patch while two values are walked in step.
///
/// ```swift
/// var patch = PatchBuilder()
/// patch.member("count", 1, 2)
/// patch.patch.json  // [{"op":"replace","path":"/count","value":2}]
/// ```
public struct PatchBuilder: Sendable {
  /// The operations so far.
  public private(set) var patch = JSON.Patch()
  private var path = JSON.Pointer()

  /// A builder that stands at the whole value and has seen no difference.
  public init() {}

  /// Adds what turns one value into the other, at the place where the builder stands.
  public mutating func value<Value: LogValue>(_ old: Value, _ new: Value) {
    Value.difference(from: old, to: new, into: &self)
  }

  /// Adds what turns one value into the other, whatever their type.
  public mutating func value<Value>(_ old: Value, _ new: Value) {
    if let type = Value.self as? any LogValue.Type {
      known(type, old, new)
    } else {
      compareEncoded(old, new)
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

  /// Replaces the value where the builder stands.
  public mutating func replace<Value>(with new: Value) {
    patch.operations.append(.replace(path, JSON(logging: new)))
  }

  /// Steps to a member of the user's type while `body` runs.
  public mutating func nested(_ name: String, _ body: (inout PatchBuilder) -> Void) {
    path.tokens.append(name.utf8.first == UInt8(ascii: "$") ? "$" + name : name)
    body(&self)
    path.tokens.removeLast()
  }

  /// Writes both values and adds what differs in the text.
  mutating func compareEncoded<Value>(_ old: Value, _ new: Value) {
    var oldText = LogEncoder()
    var newText = LogEncoder()
    oldText.value(old)
    newText.value(new)
    guard oldText.bytes != newText.bytes else { return }
    let changes = JSON.Patch(from: JSON(written: oldText), to: JSON(written: newText))
    for operation in changes.operations {
      patch.operations.append(operation.moved(below: path))
    }
  }

  private mutating func known<Value, Known: LogValue>(
    _ type: Known.Type,
    _ old: Value,
    _ new: Value
  ) {
    if let old = old as? Known, let new = new as? Known { value(old, new) }
  }
}

extension JSON.Patch.Operation {
  /// The same operation on a value that stands at a place within another.
  fileprivate func moved(below base: JSON.Pointer) -> Self {
    func below(_ path: JSON.Pointer) -> JSON.Pointer { JSON.Pointer(base.tokens + path.tokens) }
    return switch self {
    case .add(let path, let value): .add(below(path), value)
    case .remove(let path): .remove(below(path))
    case .replace(let path, let value): .replace(below(path), value)
    case .move(let from, let path): .move(from: below(from), to: below(path))
    case .copy(let from, let path): .copy(from: below(from), to: below(path))
    case .test(let path, let value): .test(below(path), value)
    }
  }
}

extension JSON {
  /// A value as the log writes it.
  public init(logging value: some Any) {
    var encoder = LogEncoder()
    encoder.value(value)
    self.init(written: encoder)
  }

  /// What an encoder wrote; a hand-written `encode(to:)` that wrote no JSON is an opaque value.
  package init(written encoder: LogEncoder) {
    do throws(ParseError) { try self.init(parsing: encoder.bytes) } catch {
      self = ["$opaque": "LogValue", "reason": .string("it wrote no JSON value: \(error)")]
    }
  }
}
