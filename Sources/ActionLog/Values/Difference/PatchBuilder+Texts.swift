// Compares JSON texts, for values that can't be compared member by member.
extension PatchBuilder {
  /// Appends the changes between two values, given as JSON text.
  package mutating func texts(from old: [UInt8], to new: [UInt8]) {
    old.withUnsafeBufferPointer { old in
      new.withUnsafeBufferPointer { new in texts(from: old, to: new) }
    }
  }

  private mutating func texts(
    from old: UnsafeBufferPointer<UInt8>,
    to new: UnsafeBufferPointer<UInt8>
  ) {
    guard !old.hasSameBytes(as: new) else { return }
    let (mark, length) = (encoder.mark, path.count)
    if members(from: old, to: new) { return }
    encoder.rewind(to: mark)
    path.removeSubrange(length...)
    trees(from: old, to: new)
  }

  /// Compares the members of two objects that have the same names in the same order.
  ///
  /// - Returns: `false` if the objects don't have this form. The caller must then discard the output.
  private mutating func members(
    from old: UnsafeBufferPointer<UInt8>,
    to new: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var (old, new) = (JSON.Parser(bytes: old), JSON.Parser(bytes: new))
    (old.isCompact, new.isCompact) = (true, true)
    let opening = UInt8(ascii: "{")
    guard old.consume(opening), new.consume(opening) else { return false }
    var changed: [UnsafeBufferPointer<UInt8>] = []
    repeat {
      guard let name = old.plainName(), let newName = new.plainName(),
        name.hasSameBytes(as: newName),
        // The log doesn't contain the contents of an opaque value, so the complete value is replaced.
        !name.elementsEqual("$opaque".utf8),
        // If a name occurs twice, a reader of the log keeps only the last value. `trees` handles this case.
        !changed.contains(where: { $0.hasSameBytes(as: name) }),
        let oldValue = old.skippedValue(), let newValue = new.skippedValue()
      else { return false }
      guard !oldValue.hasSameBytes(as: newValue) else { continue }
      changed.append(name)
      let length = path.count
      path.append(UInt8(ascii: "/"))
      path.append(contentsOf: name)
      texts(from: oldValue, to: newValue)
      path.removeSubrange(length...)
    } while old.consume(UInt8(ascii: ",")) && new.consume(UInt8(ascii: ","))
    let closing = UInt8(ascii: "}")
    return old.consume(closing) && new.consume(closing)
  }

  /// Parses two values, and compares them as trees.
  private mutating func trees(
    from old: UnsafeBufferPointer<UInt8>,
    to new: UnsafeBufferPointer<UInt8>
  ) {
    let changes = JSON.Patch(
      from: JSON(written: LogEncoder(appendingTo: Array(old))),
      to: JSON(written: LogEncoder(appendingTo: Array(new))),
      JSON.Patch.PatchOptions(splices: splices, prefix: path.count)
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
}

extension JSON.Parser {
  /// Consumes the name of a member and the colon after it.
  ///
  /// - Returns: The name, or `nil` if it is invalid or contains characters that are escaped in JSON or in a path.
  fileprivate mutating func plainName() -> UnsafeBufferPointer<UInt8>? {
    let start = position + 1
    guard consume(UInt8(ascii: "\"")) else { return nil }
    _ = passPlainBytes()
    let name = UnsafeBufferPointer(rebasing: bytes[start..<position])
    guard consume(UInt8(ascii: "\"")), consume(UInt8(ascii: ":")),
      !name.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") })
    else { return nil }
    return name
  }
}
