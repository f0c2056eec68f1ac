/// What was last written of the values that lie behind references, by their place.
///
/// Such a value can change while the reference stays the same, and an old and a new state then both show the new value.
package struct WrittenCopies: Sendable {
  private var texts: [[UInt8]: [UInt8]] = [:]

  /// No copies.
  package init() {}

  /// Whether nothing lies behind a reference.
  package var isEmpty: Bool { texts.isEmpty }

  /// The text of the value at a place.
  subscript(path: [UInt8]) -> [UInt8]? {
    get { texts[path] }
    set { texts[path] = newValue }
  }

  /// Forgets what lies at a place and below it.
  mutating func forget(below path: [UInt8]) {
    guard !texts.isEmpty else { return }
    texts = texts.filter { key, _ in
      !key.starts(with: path) || key.count > path.count && key[path.count] != UInt8(ascii: "/")
    }
  }
}

extension PatchBuilder {
  /// Compares, within its `difference`, a value as it was written last with what it would be written as now.
  mutating func compareWritten<Value>(_ old: Value, _ new: Value) {
    compareWritten(old, new, at: depth - 1, isPlain: isPlain(Value.self))
  }

  mutating func compareWritten<Value>(_ old: Value, _ new: Value, at level: Int, isPlain: Bool) {
    if isPlain, isCopying || hasSameBits(old, new) { return }
    let newText = text(of: new, at: level)
    if !isCopying {
      let oldText = (isPlain ? nil : copies?[path]) ?? text(of: old, at: level)
      if oldText != newText { append(from: oldText, to: newText) }
    }
    if !isPlain { copies?[path] = newText }
  }

  private func text<Value>(of value: Value, at level: Int) -> [UInt8] {
    var encoder = LogEncoder()
    encoder.depth = level
    encoder.value(value)
    return encoder.bytes
  }

  /// Adds what turns one text into the other.
  private mutating func append(from old: [UInt8], to new: [UInt8]) {
    let changes = JSON.Patch(
      from: JSON(written: LogEncoder(appendingTo: old)),
      to: JSON(written: LogEncoder(appendingTo: new)),
      splices: splices
    )
    let length = path.count
    for operation in changes.operations {
      path.append(contentsOf: operation.path.description.utf8)
      switch operation {
      case .add(_, let value):
        write(.add, value, at: 0)
      case .replace(_, let value), .test(_, let value):
        write(.replace, value, at: 0)
      case .splice(_, let splice): write(splice)
      case .remove: writeRemoval()
      case .move(let source, _), .copy(let source, _):
        writeMove(from: Array(path[..<length]) + Array(source.description.utf8))
      }
      path.removeSubrange(length...)
    }
  }

  /// Takes copies of what lies behind references in a value that is new as a whole.
  mutating func recopy<Value>(_ value: Value, at level: Int) {
    guard copies != nil, !isCopying else { return }
    copies?.forget(below: path)
    copy(value, at: level)
  }

  /// Takes copies of what lies behind references in a value.
  package mutating func copy<Value>(_ value: Value, at level: Int = 0) {
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
