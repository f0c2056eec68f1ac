/// A patch as text that has been found to be one: its operations are read one by one, without a list of them.
package struct PatchText: Sequence {
  /// The array of operations.
  package let text: UnsafeBufferPointer<UInt8>
  /// What the only operation does, where there is one alone and written as recorders write; it is not looked for again.
  private var onlyKind: Operation.Kind?
  /// How long its path is; no more is kept, for events are handed on by copying them.
  private var onlyPathCount = 0

  init(text: UnsafeBufferPointer<UInt8>, only form: Operation.Form?) {
    self.text = text
    guard case .plain(let kind, let path, _) = form else { return }
    (onlyKind, onlyPathCount) = (kind, path.count)
  }

  /// A patch whose text is known to be one, without blanks.
  init(_ text: UnsafeBufferPointer<UInt8>) {
    var parser = JSON.Parser(bytes: text)
    parser.isCompact = true
    self = parser.skimmedPatch() ?? PatchText(text: text, only: nil)
  }

  /// Whether the patch changes nothing.
  package var isEmpty: Bool { text.count <= 2 }

  /// The only operation, where it is written as recorders write.
  var only: Operation? {
    guard let kind = onlyKind else { return nil }
    let start = 1 + kind.opening.utf8CodeUnitCount
    let end = start + onlyPathCount
    let path = UnsafeBufferPointer(rebasing: text[start..<end])
    let valueStart = kind == .remove ? end : end + 1 + Operation.valueName.utf8CodeUnitCount
    let valueEnd = kind == .remove ? end : text.count - 2
    let value = UnsafeBufferPointer(rebasing: text[valueStart..<valueEnd])
    return Operation(index: 0, form: .plain(kind, path, value))
  }

  /// The operations in order.
  package func makeIterator() -> Iterator { Iterator(text, only) }

  package struct Iterator: IteratorProtocol {
    private var parser: JSON.Parser
    private var only: Operation?
    private var index = 0

    fileprivate init(_ text: UnsafeBufferPointer<UInt8>, _ only: Operation?) {
      parser = JSON.Parser(bytes: text)
      parser.isCompact = true
      // Behind the opening bracket, or before the closing one.
      parser.position = only == nil ? 1 : text.count - 1
      self.only = only
    }

    package mutating func next() -> Operation? {
      if let only {
        self.only = nil
        return only
      }
      guard !parser.take(UInt8(ascii: "]")), let form = parser.operationText() else { return nil }
      _ = parser.take(UInt8(ascii: ","))
      defer { index += 1 }
      return Operation(index: index, form: form)
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
    path.withUnsafeBufferPointer { path in contains { $0.touches(path) } }
  }
}

extension PatchText.Operation {
  fileprivate func touches(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    guard case .plain(let kind, let own, _) = form else { return true }
    if own.count < path.count ? path.starts(with: own) : own.starts(with: path) { return true }
    // What is put in or taken out of an array moves the elements behind it.
    guard kind != .replace, let slash = own.lastIndex(of: UInt8(ascii: "/")), path.count > slash,
      own[...slash].elementsEqual(path[...slash])
    else { return false }
    let place = own[(slash + 1)...]
    guard let index = JSON.Pointer.index(UnsafeBufferPointer(rebasing: place)) else {
      return place.elementsEqual("-".utf8)
    }
    let token = path[(slash + 1)...].prefix { $0 != UInt8(ascii: "/") }
    return JSON.Pointer.index(UnsafeBufferPointer(rebasing: token)).map { $0 >= index } ?? false
  }
}

extension PatchText {
  /// An operation of a patch.
  package struct Operation {
    /// Which operation of the patch, counted from 0.
    let index: Int
    let form: Form

    /// How an operation is written.
    enum Form {
      /// As recorders write: a pointer without escapes, and a value, which a removal has not.
      case plain(Kind, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>)
      /// In another way, or another operation: the whole of it.
      case other(UnsafeBufferPointer<UInt8>)
    }

    /// What an operation that recorders write does.
    enum Kind {
      case add, remove, replace

      /// What stands before the path.
      var opening: StaticString {
        switch self {
        case .add: #"{"op":"add","path":""#
        case .remove: #"{"op":"remove","path":""#
        case .replace: #"{"op":"replace","path":""#
        }
      }
    }

    /// What stands between the closing quote of the path and the value.
    static var valueName: StaticString { #","value":"# }
  }
}

extension PatchText.Operation {
  /// The operation as a value.
  package var operation: JSON.Patch.Operation {
    switch form {
    case .plain(.add, let path, let value): .add(Self.pointer(path), Self.json(value))
    case .plain(.remove, let path, _): .remove(Self.pointer(path))
    case .plain(.replace, let path, let value): .replace(Self.pointer(path), Self.json(value))
    case .other(let text): Self.operation(text)
    }
  }

  /// Its path, where it is written as recorders write: without escapes.
  package var path: UnsafeBufferPointer<UInt8>? {
    if case .plain(_, let path, _) = form { path } else { nil }
  }

  /// Its path as a pointer, where it is written as recorders write.
  package var pointer: JSON.Pointer? { path.map(Self.pointer) }

  /// Its value, where it has one and is written as recorders write.
  package var value: UnsafeBufferPointer<UInt8>? {
    switch form {
    case .plain(.add, _, let value), .plain(.replace, _, let value): value
    case .plain(.remove, _, _), .other: nil
    }
  }

  /// Whether it adds a value.
  package var isAddition: Bool { if case .plain(.add, _, _) = form { true } else { false } }

  private static func pointer(_ text: UnsafeBufferPointer<UInt8>) -> JSON.Pointer {
    guard case .success(let tokens) = JSON.Pointer.tokens(of: text) else { return JSON.Pointer() }
    return JSON.Pointer(tokens)
  }

  /// A value that was skimmed, so that it is one.
  private static func json(_ text: UnsafeBufferPointer<UInt8>) -> JSON {
    (try? JSON(parsing: text)) ?? .null
  }

  /// An operation that was skimmed, so that it is one.
  private static func operation(_ text: UnsafeBufferPointer<UInt8>) -> JSON.Patch.Operation {
    (try? JSON.Patch.Operation(json: json(text))) ?? .test(JSON.Pointer(), .null)
  }

  /// Applies the operation to a value, which is changed where it is when nothing else holds it.
  ///
  /// - Throws: `JSON.Patch.ApplyError`; the value stays as it was.
  package func apply(to json: inout JSON) throws(JSON.Patch.ApplyError) {
    let isDone =
      switch form {
      case .plain(.add, let path, let value): json.put(Self.json(value), at: path, isNew: true)
      case .plain(.replace, let path, let value):
        json.put(Self.json(value), at: path, isNew: false)
      case .plain(.remove, let path, _): json.put(nil, at: path, isNew: false)
      case .other: false
      }
    if isDone { return }
    // The long way, which also finds the words for what is wrong.
    let operation = operation
    do throws(JSON.Patch.ApplyError) { try JSON.Patch([operation]).apply(to: &json) } catch {
      throw JSON.Patch.ApplyError(index: index, operation: operation, problem: error.problem)
    }
  }
}

extension JSON.Parser {
  /// Passes over a patch in compact text and returns it; `nil` when it is none.
  mutating func skimmedPatch() -> PatchText? {
    let start = position
    var only: PatchText.Operation.Form?
    var count = 0
    let isPatch = skipCompactArray { parser in
      guard let form = parser.operationText() else { return false }
      count += 1
      only = count == 1 ? form : nil
      return true
    }
    guard isPatch else { return nil }
    return PatchText(text: UnsafeBufferPointer(rebasing: bytes[start..<position]), only: only)
  }

  /// Passes over an operation and returns it; `nil` when it is none.
  mutating func operationText() -> PatchText.Operation.Form? {
    let (start, level) = (position, depth)
    if let form = plainOperationText() { return form }
    (position, depth) = (start, level)
    guard let json = try? value(), (try? JSON.Patch.Operation(json: json)) != nil else {
      return nil
    }
    return .other(UnsafeBufferPointer(rebasing: bytes[start..<position]))
  }

  private mutating func plainOperationText() -> PatchText.Operation.Form? {
    typealias Kind = PatchText.Operation.Kind
    depth += 1
    defer { depth -= 1 }
    let kind: Kind
    if take(Kind.replace.opening) {
      kind = .replace
    } else if take(Kind.add.opening) {
      kind = .add
    } else if take(Kind.remove.opening) {
      guard let path = pathText(), take(UInt8(ascii: "}")) else { return nil }
      return .plain(.remove, path, UnsafeBufferPointer(start: nil, count: 0))
    } else {
      return nil
    }
    guard let path = pathText(), take(PatchText.Operation.valueName), let value = skippedValue(),
      take(UInt8(ascii: "}"))
    else { return nil }
    return .plain(kind, path, value)
  }

  /// A pointer without escapes whose opening quote has been taken.
  private mutating func pathText() -> UnsafeBufferPointer<UInt8>? {
    guard let path = plainText(), path.isEmpty || path[0] == UInt8(ascii: "/"),
      !path.contains(UInt8(ascii: "~"))
    else { return nil }
    return path
  }
}
