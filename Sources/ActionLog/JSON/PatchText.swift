/// A patch as text that has been found to be one: its operations are read one by one, without a list of them.
package struct PatchText: Sequence {
  /// The array of operations.
  package let text: UnsafeBufferPointer<UInt8>

  /// Whether the patch changes nothing.
  package var isEmpty: Bool { text.count <= 2 }

  /// The operations in order.
  package func makeIterator() -> Iterator { Iterator(text) }

  package struct Iterator: IteratorProtocol {
    private var parser: JSON.Parser
    private var index = 0

    fileprivate init(_ text: UnsafeBufferPointer<UInt8>) {
      parser = JSON.Parser(bytes: text)
      parser.isCompact = true
      _ = parser.take(UInt8(ascii: "["))
    }

    package mutating func next() -> Operation? {
      guard !parser.take(UInt8(ascii: "]")), let form = parser.operationText() else { return nil }
      _ = parser.take(UInt8(ascii: ","))
      defer { index += 1 }
      return Operation(index: index, form: form)
    }
  }

  /// An operation of a patch.
  package struct Operation {
    /// Which operation of the patch, counted from 0.
    let index: Int
    let form: Form

    /// How an operation is written.
    enum Form {
      /// As recorders write: a pointer without escapes, and a value.
      case add(UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>)
      case remove(UnsafeBufferPointer<UInt8>)
      case replace(UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>)
      /// In another way, or another operation.
      case whole(JSON.Patch.Operation)
    }
  }
}

extension PatchText.Operation {
  /// The operation as a value.
  package var operation: JSON.Patch.Operation {
    switch form {
    case .add(let path, let value): .add(Self.pointer(path), Self.json(value))
    case .remove(let path): .remove(Self.pointer(path))
    case .replace(let path, let value): .replace(Self.pointer(path), Self.json(value))
    case .whole(let operation): operation
    }
  }

  /// Its path, where it is written as recorders write: without escapes.
  package var path: UnsafeBufferPointer<UInt8>? {
    switch form {
    case .add(let path, _), .remove(let path), .replace(let path, _): path
    case .whole: nil
    }
  }

  /// Its value, where it has one and is written as recorders write.
  package var value: UnsafeBufferPointer<UInt8>? {
    switch form {
    case .add(_, let value), .replace(_, let value): value
    case .remove, .whole: nil
    }
  }

  /// Whether it adds a value.
  package var isAddition: Bool { if case .add = form { true } else { false } }

  private static func pointer(_ text: UnsafeBufferPointer<UInt8>) -> JSON.Pointer {
    guard case .success(let tokens) = JSON.Pointer.tokens(of: text) else { return JSON.Pointer() }
    return JSON.Pointer(tokens)
  }

  /// A value that was skimmed, so that it is one.
  fileprivate static func json(_ text: UnsafeBufferPointer<UInt8>) -> JSON {
    (try? JSON(parsing: text)) ?? .null
  }

  /// Applies the operation to a value, which is changed where it is when nothing else holds it.
  ///
  /// - Throws: `JSON.Patch.ApplyError`; the value stays as it was.
  package func apply(to json: inout JSON) throws(JSON.Patch.ApplyError) {
    let isDone =
      switch form {
      case .add(let path, let value): json.put(Self.json(value), at: path, isNew: true)
      case .replace(let path, let value): json.put(Self.json(value), at: path, isNew: false)
      case .remove(let path): json.put(nil, at: path, isNew: false)
      case .whole: false
      }
    if isDone { return }
    // The long way, which also finds the words for what is wrong.
    let operation = operation
    do throws(JSON.Patch.ApplyError) { try JSON.Patch([operation]).apply(to: &json) } catch {
      throw JSON.Patch.ApplyError(index: index, operation: operation, problem: error.problem)
    }
  }
}

extension PatchText {
  /// Applies the operations in order; when one fails, those before it stay applied.
  ///
  /// - Throws: `JSON.Patch.ApplyError` that names the operation.
  package func apply(to json: inout JSON) throws(JSON.Patch.ApplyError) {
    for operation in self { try operation.apply(to: &json) }
  }

  /// Whether an operation may change the value at a path; some that do not may be among these.
  package func touches(_ path: [UInt8]) -> Bool {
    contains { operation in
      guard let own = operation.path else { return true }
      return own.count < path.count ? path.starts(with: own) : own.starts(with: path)
    }
  }
}

extension JSON.Parser {
  /// Passes over a patch and returns it; `nil` when it is none.
  mutating func skimmedPatch() -> PatchText? {
    let start = position
    guard skipCompactArray({ $0.operationText() != nil }) else { return nil }
    return PatchText(text: UnsafeBufferPointer(rebasing: bytes[start..<position]))
  }

  /// Passes over an operation and returns it; `nil` when it is none.
  fileprivate mutating func operationText() -> PatchText.Operation.Form? {
    let start = position
    depth += 1
    defer { depth -= 1 }
    if take(#"{"op":"replace","path":""#) {
      if let (path, value) = pathAndValueText() { return .replace(path, value) }
    } else if take(#"{"op":"add","path":""#) {
      if let (path, value) = pathAndValueText() { return .add(path, value) }
    } else if take(#"{"op":"remove","path":""#) {
      if let path = pathText(), take("}") { return .remove(path) }
    }
    position = start
    depth -= 1
    defer { depth += 1 }
    guard let json = try? value(), let operation = try? JSON.Patch.Operation(json: json) else {
      return nil
    }
    return .whole(operation)
  }

  private mutating func pathAndValueText() -> (
    path: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
  )? {
    guard let path = pathText(), take(#","value":"#), let value = skippedValue(), take("}") else {
      return nil
    }
    return (path, value)
  }

  /// A pointer without escapes whose opening quote has been taken.
  private mutating func pathText() -> UnsafeBufferPointer<UInt8>? {
    guard let path = plainText(), path.isEmpty || path[0] == UInt8(ascii: "/"),
      !path.contains(UInt8(ascii: "~"))
    else { return nil }
    return path
  }
}
