/// A patch in a log, as text or as parsed operations.
///
/// The operations in text are read one by one, without creating an array. The text was written by an encoder, or was
/// validated when its line was read.
package struct PatchText: Sendable {
  private enum PatchStorage: Sendable {
    case patch(JSON.Patch)
    /// A range of a line that is known to be a valid patch.
    case text(LogBytes, Range<Int>)
  }

  private let form: PatchStorage

  /// Wraps a parsed patch.
  package init(_ patch: JSON.Patch) { form = .patch(patch) }

  /// Wraps UTF-8 text that an encoder has written.
  package init(encoded text: [UInt8]) { self.init(LogBytes(text), 0..<text.count) }

  /// Refers to a range of a line whose text was validated.
  init(_ bytes: LogBytes, _ range: Range<Int>) { form = .text(bytes, range) }

  /// Wraps a JSON value, or returns `nil` if the value is not a patch.
  init?(_ value: JSONText) {
    let (bytes, range) = value.place
    var parser = JSON.Parser(bytes: bytes.bytes(range))
    if parser.skipPatch(), parser.position == range.count {
      self.init(bytes, range)
    } else if let patch = try? JSON.Patch(json: value.json) {
      self.init(patch)
    } else {
      return nil
    }
  }

  /// Whether the patch has no operations.
  package var isEmpty: Bool {
    switch form {
    case .patch(let patch): patch.isEmpty
    case .text(_, let range): range.count == 2
    }
  }

  /// The parsed patch, which is parsed from the text each time if necessary.
  package var patch: JSON.Patch {
    if case .patch(let patch) = form { return patch }
    var patch = JSON.Patch()
    forEachOperation { patch.operations.append($0.operation) }
    return patch
  }

  /// Whether both patches are text, and the texts are equal.
  package func hasSameText(as other: PatchText) -> Bool {
    guard case .text(let bytes, let range) = form,
      case .text(let others, let otherRange) = other.form
    else { return false }
    return bytes.hasSame(range, as: others, otherRange)
  }

  /// Whether the patch's text equals `text`.
  package func hasText(_ text: [UInt8]) -> Bool {
    guard case .text(let bytes, let range) = form else { return false }
    return bytes.withBytes(range) { own in text.withBytes { own.hasSameBytes(as: $0) } }
  }

  /// Calls a closure with each operation, in order.
  package func forEachOperation<Failure: Error>(
    _ body: (borrowing LoggedOperation) throws(Failure) -> Void
  ) throws(Failure) {
    switch form {
    case .patch(let patch):
      for (index, operation) in patch.operations.enumerated() {
        try body(LoggedOperation(index: index, form: .operation(operation)))
      }
    case .text(let bytes, let range):
      try bytes.withBytes(range) { (bytes) throws(Failure) in
        var parser = JSON.Parser(bytes: bytes)
        parser.isCompact = true
        parser.position = 1
        var index = 0
        while let form = parser.operationText() {
          try body(LoggedOperation(index: index, form: form))
          index += 1
          guard parser.consume(UInt8(ascii: ",")) else { return }
        }
      }
    }
  }
}

extension PatchText {
  /// Appends the patch's text in UTF-8.
  package func append(to bytes: inout [UInt8]) {
    text.withBytes { bytes += $0 }
  }

  /// The patch as a JSON value, an array of operations.
  fileprivate var text: JSONText {
    switch form {
    case .patch(let patch): JSONText(patch.json)
    case .text(let bytes, let range): JSONText(bytes, range)
    }
  }
}

extension PatchText: Equatable {
  /// Compares the operations of two patches, without parsing if their texts are equal.
  package static func == (lhs: PatchText, rhs: PatchText) -> Bool {
    lhs.hasSameText(as: rhs) || lhs.patch == rhs.patch
  }
}

extension LogEncoder {
  /// Writes a member whose name is part of the format, and needs no escapes.
  mutating func field(_ name: String, _ patch: PatchText) {
    field(name, patch.text)
  }
}

extension PatchText {
  /// Applies the operations in order.
  ///
  /// If an operation fails, the previous ones stay applied.
  ///
  /// - Parameters:
  ///   - json: The value to change.
  ///   - copies: The budget for bytes that `copy` operations create, shared by all patches in a log.
  /// - Throws: A `JSON.Patch.ApplyError` that names the operation.
  package func apply(
    to json: inout JSON,
    _ copies: inout JSON.Patch.CopyBudget
  ) throws(JSON.Patch.ApplyError) {
    try forEachOperation { (operation) throws(JSON.Patch.ApplyError) in
      try operation.apply(to: &json, &copies)
    }
  }

  /// Applies the operations with a separate copy budget.
  ///
  /// - Throws: A `JSON.Patch.ApplyError` that names the operation.
  package func apply(to json: inout JSON) throws(JSON.Patch.ApplyError) {
    var copies = JSON.Patch.CopyBudget()
    try apply(to: &json, &copies)
  }

  /// Whether an operation could change the value at a path.
  ///
  /// The result can be `true` although no operation changes the value.
  package func touches(_ path: [UInt8]) -> Bool {
    var isTouched = false
    path.withUnsafeBufferPointer { path in
      forEachOperation { isTouched = isTouched || $0.touches(path) }
    }
    return isTouched
  }
}

extension PatchText {
  /// An operation in a patch, valid while the patch is read.
  package struct LoggedOperation: ~Copyable {
    /// The index of the operation in the patch, counted from 0.
    let index: Int
    let form: OperationText

    /// The two forms in which an operation is kept: as text, or parsed.
    enum OperationText {
      /// The form that recorders write: a kind, a pointer without escapes, and a value.
      ///
      /// The value of a removal is empty.
      case plain(Kind, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>)
      /// A parsed operation of any kind, whose text doesn't have the form that recorders write.
      case operation(JSON.Patch.Operation)
    }

    /// The kinds of operations that recorders write.
    enum Kind {
      case add, remove, replace

      /// The operation's text that precedes the path.
      var opening: StaticString {
        switch self {
        case .add: #"{"op":"add","path":""#
        case .remove: #"{"op":"remove","path":""#
        case .replace: #"{"op":"replace","path":""#
        }
      }
    }
  }
}

extension PatchText.LoggedOperation {
  /// The operation in its parsed form.
  package var operation: JSON.Patch.Operation {
    switch form {
    case .plain(.add, let path, let value): .add(Self.pointer(path), Self.json(value))
    case .plain(.remove, let path, _): .remove(Self.pointer(path))
    case .plain(.replace, let path, let value): .replace(Self.pointer(path), Self.json(value))
    case .operation(let operation): operation
    }
  }

  /// The bytes of the path, or `nil` if the operation doesn't have the recorder's form.
  package var path: UnsafeBufferPointer<UInt8>? {
    if case .plain(_, let path, _) = form { path } else { nil }
  }

  /// The path as a pointer, or `nil` if the operation doesn't have the recorder's form.
  package var pointer: JSON.Pointer? { path.map(Self.pointer) }

  /// The text of the value, or `nil` if the operation has no value or doesn't have the recorder's form.
  package var value: UnsafeBufferPointer<UInt8>? {
    switch form {
    case .plain(.add, _, let value), .plain(.replace, _, let value): value
    case .plain(.remove, _, _), .operation: nil
    }
  }

  /// Whether the operation is an `add` operation in the recorder's form.
  package var isAddition: Bool { if case .plain(.add, _, _) = form { true } else { false } }

  private static func pointer(_ text: UnsafeBufferPointer<UInt8>) -> JSON.Pointer {
    guard case .success(let tokens) = JSON.Pointer.tokens(of: text) else { return JSON.Pointer() }
    return JSON.Pointer(tokens)
  }

  /// Parses the text of a value that was already validated.
  private static func json(_ text: UnsafeBufferPointer<UInt8>) -> JSON {
    (try? JSON(parsing: text)) ?? .null
  }

  /// Applies the operation to a value, without a copy if the value has no other reference.
  ///
  /// - Throws: A `JSON.Patch.ApplyError`. The value is then unchanged.
  package borrowing func apply(
    to json: inout JSON,
    _ copies: inout JSON.Patch.CopyBudget
  ) throws(JSON.Patch.ApplyError) {
    let isDone =
      switch form {
      case .plain(.add, let path, let value): json.setValue(value, at: path, isNew: true)
      case .plain(.replace, let path, let value): json.setValue(value, at: path, isNew: false)
      case .plain(.remove, let path, _): json.setValue(nil, at: path, isNew: false)
      case .operation: false
      }
    if isDone { return }
    // `JSON.Patch` handles all other cases, and determines the exact error.
    let operation = operation
    do throws(JSON.Patch.ApplyError) {
      try JSON.Patch([operation]).apply(to: &json, &copies)
    } catch {
      throw JSON.Patch.ApplyError(index: index, operation: operation, problem: error.problem)
    }
  }

  fileprivate borrowing func touches(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
    guard case .plain(let kind, let own, _) = form else { return true }
    if own.count < path.count ? path.starts(with: own) : own.starts(with: path) { return true }
    // An insertion or removal in an array moves the elements after it.
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

extension JSON.Parser {
  /// Skips a patch without whitespace, which is the value of an event's member.
  ///
  /// - Returns: `false` if the text is not a patch.
  mutating func skipPatch() -> Bool {
    isCompact = true
    guard consume(UInt8(ascii: "[")) else { return false }
    // The event and the array of operations each add one level.
    depth = 2
    if !consume(UInt8(ascii: "]")) {
      repeat { guard operationText() != nil else { return false } } while consume(UInt8(ascii: ","))
      guard consume(UInt8(ascii: "]")) else { return false }
    }
    depth = 1
    return true
  }

  /// Consumes an operation and returns its form, or returns `nil` if the text is not an operation.
  fileprivate mutating func operationText() -> PatchText.LoggedOperation.OperationText? {
    let (start, level) = (position, depth)
    if let form = plainOperationText() { return form }
    (position, depth) = (start, level)
    // The text must not contain whitespace, which the parser would accept.
    guard skipValue() else { return nil }
    position = start
    guard let json = try? value(), let operation = try? JSON.Patch.Operation(json: json) else {
      return nil
    }
    return .operation(operation)
  }

  private mutating func plainOperationText() -> PatchText.LoggedOperation.OperationText? {
    typealias Kind = PatchText.LoggedOperation.Kind
    let kind: Kind
    if consume(Kind.replace.opening) {
      kind = .replace
    } else if consume(Kind.add.opening) {
      kind = .add
    } else if consume(Kind.remove.opening) {
      guard let path = pathText(), consume(UInt8(ascii: "}")) else { return nil }
      return .plain(.remove, path, UnsafeBufferPointer(start: nil, count: 0))
    } else {
      return nil
    }
    depth += 1
    guard let path = pathText(), consume(#","value":"#), let value = skippedValue(),
      consume(UInt8(ascii: "}"))
    else { return nil }
    depth -= 1
    return .plain(kind, path, value)
  }

  /// Consumes a pointer without escapes, whose opening quote was already consumed.
  private mutating func pathText() -> UnsafeBufferPointer<UInt8>? {
    let start = position
    guard passPlainBytes(), consume(UInt8(ascii: "\"")) else { return nil }
    let path = UnsafeBufferPointer(rebasing: bytes[start..<(position - 1)])
    guard path.isEmpty || path[0] == UInt8(ascii: "/"), !path.contains(UInt8(ascii: "~")),
      path.levels <= JSON.deepestNesting
    else { return nil }
    return path
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of tokens in a pointer.
  fileprivate var levels: Int { reduce(0) { $0 + ($1 == UInt8(ascii: "/") ? 1 : 0) } }
}

extension JSON {
  /// Sets or inserts a value from text that was already validated.
  ///
  /// - Returns: `false` if only `JSON.Patch` can apply the change, or if the value would be nested too deeply.
  fileprivate mutating func setValue(
    _ value: UnsafeBufferPointer<UInt8>,
    at path: UnsafeBufferPointer<UInt8>,
    isNew: Bool
  ) -> Bool {
    var parser = Parser(bytes: value)
    if let first = value.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
      parser.depth = path.levels + JSON.deepestNesting - Patch.mostLevels
    }
    guard let json = try? parser.document() else { return false }
    return setValue(json, at: path, isNew: isNew)
  }
}
