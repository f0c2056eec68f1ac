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
