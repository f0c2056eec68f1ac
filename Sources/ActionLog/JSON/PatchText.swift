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
