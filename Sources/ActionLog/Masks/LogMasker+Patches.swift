extension LogMasker {
  /// The patch as it applies to the masked state: nothing changes within what is masked as a whole.
  ///
  /// What it teaches may show in parts of the state that it does not touch; `shows` tells.
  ///
  /// - Parameter patch: A patch that the recorder has made.
  /// - Returns: The patch; nil when it moves elements that masks name by their number, for others are masked then, or
  ///   splices a text.
  package mutating func masked(_ patch: JSON.Patch) -> JSON.Patch? {
    var operations: [JSON.Patch.Operation] = []
    for operation in patch.operations {
      let path = operation.path
      switch place(of: path) {
      case .hidden where operation.isSplice: return nil
      case .hidden(let masks, let names):
        // What is left out is no secret.
        guard !masks.isEmpty else { continue }
        learn(operation.value, by: masks, in: .state)
        for name in names { learn(name: name) }
      case .open(let match, let omissions, let isNumbered):
        let value = operation.value.map { mask($0, match, omissions, in: .state) }
        switch operation {
        case .add where !isNumbered: operations.append(.add(path, value ?? .null))
        case .remove where !isNumbered: operations.append(.remove(path))
        case .move(let from, _) where !isNumbered && from.isBeside(path):
          operations.append(operation)
        case .replace: operations.append(.replace(path, value ?? .null))
        case .test: operations.append(.test(path, value ?? .null))
        // Which of the text is secret shows in all of it only.
        case .add, .remove, .move, .copy, .splice: return nil
        }
      }
    }
    // What the last of them has taught may show in the first.
    return JSON.Patch(operations.map { clean($0) })
  }

  /// A place in the state.
  private enum Place {
    /// It lies in what is masked or left out as a whole, these steps below it.
    case hidden(by: [Int], below: ArraySlice<String>)
    /// It can be written, with masks for what lies in it; whether masks name those beside it by their number.
    case open(MaskMatch, omissions: MaskMatch, isNumbered: Bool)
  }

  private func place(of path: JSON.Pointer) -> Place {
    var match = MaskMatch(masks.state)
    var omissions = MaskMatch(masks.omitted)
    var isNumbered = false
    for (index, token) in path.tokens.enumerated() {
      isNumbered = false
      if match.isEmpty, omissions.isEmpty { break }
      let found = match.complete
      guard found.isEmpty, omissions.complete.isEmpty else {
        return .hidden(by: found, below: path.tokens[index...])
      }
      guard token != "$some" else { continue }
      isNumbered = match.namesElements || omissions.namesElements
      match = match.step(token)
      omissions = omissions.step(token)
    }
    return .open(match, omissions: omissions, isNumbered: isNumbered)
  }

  private func clean(_ operation: JSON.Patch.Operation) -> JSON.Patch.Operation {
    let path = clean(operation.path)
    return switch operation {
    case .add(_, let value): .add(path, clean(value))
    case .replace(_, let value): .replace(path, clean(value))
    case .test(_, let value): .test(path, clean(value))
    case .remove: .remove(path)
    case .move(let from, _): .move(from: clean(from), to: path)
    case .copy(let from, _): .copy(from: clean(from), to: path)
    case .splice: operation
    }
  }

  private func clean(_ path: JSON.Pointer) -> JSON.Pointer {
    texts.isEmpty ? path : JSON.Pointer(path.tokens.map { cleanName($0) })
  }
}

extension JSON.Pointer {
  /// Whether both places lie in the same array.
  fileprivate func isBeside(_ other: JSON.Pointer) -> Bool {
    tokens.count == other.tokens.count && tokens.dropLast() == other.tokens.dropLast()
  }
}

extension JSON.Patch.Operation {
  /// The value that it writes.
  fileprivate var value: JSON? {
    switch self {
    case .add(_, let value), .replace(_, let value), .test(_, let value): value
    case .remove, .move, .copy, .splice: nil
    }
  }
}
