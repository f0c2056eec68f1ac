extension String {
  /// Whether this is a reserved name of the format, such as `$date`.
  ///
  /// In a log, app names that start with a dollar sign have a second one.
  var isTag: Bool {
    var name = utf8.makeIterator()
    return name.next() == UInt8(ascii: "$") && name.next() != UInt8(ascii: "$")
  }
}

extension JSON {
  /// Whether this is a tagged value of the format, such as `{"$double":"nan"}`.
  var isTagged: Bool { object?.keys.first?.isTag ?? false }
}

extension JSON.Pointer {
  /// The path of the tagged value that the path leads into, or `nil` if it leads into none.
  ///
  /// The value inside an error belongs to the app, so paths can lead into it.
  package var taggedValue: JSON.Pointer? {
    var depth = 0
    while depth < tokens.count {
      if tokens[depth].isTag {
        guard tokens[depth] == "$error", depth + 2 < tokens.count, tokens[depth + 1] == "value"
        else { return JSON.Pointer(Array(tokens[..<depth])) }
        depth += 1
      }
      depth += 1
    }
    return nil
  }
}

extension JSON.Patch {
  /// Returns the patch in a form for people: a change inside a tagged value replaces the complete tagged value.
  ///
  /// The unchanged parts of tagged values are taken from `before`.
  func outsideTags(in before: JSON?) -> JSON.Patch {
    var patch = JSON.Patch()
    var value = before
    for operation in operations {
      try? JSON.Patch([operation]).apply(to: &value)
      guard let place = operation.path.taggedValue,
        let new = value.flatMap({ $0[place] }) ?? operation.wholeTagged
      else {
        patch.operations.append(operation)
        continue
      }
      // Several operations can change the same tagged value.
      if case .replace(place, _)? = patch.operations.last { patch.operations.removeLast() }
      patch.operations.append(.replace(place, new))
    }
    return patch
  }
}

extension JSON.Patch.Operation {
  /// The new tagged value, if the operation replaces everything under the tag.
  fileprivate var wholeTagged: JSON? {
    guard case .replace(let path, let value) = self, let tag = path.tokens.last, tag.isTag,
      tag != "$error"
    else { return nil }
    return .object([tag: value])
  }
}

extension JSON.Patch {
  /// Applies the patch, unless the value is `nil`.
  fileprivate func apply(to value: inout JSON?) throws(ApplyError) {
    guard var known = value else { return }
    value = nil
    defer { value = known }
    try apply(to: &known)
  }
}

extension PatchText {
  /// Returns the patch in a form for people: a change inside a tagged value replaces the complete tagged value.
  ///
  /// The unchanged parts of tagged values are taken from `before`.
  package func outsideTags(in before: JSON?) -> PatchText {
    var hasTag = false
    forEachOperation { operation in
      guard !hasTag else { return }
      if let path = operation.path {
        hasTag = path.indices.contains { index in
          path[index] == UInt8(ascii: "$") && path[index - 1] == UInt8(ascii: "/")
        }
      } else {
        hasTag = operation.operation.path.tokens.contains { $0.isTag }
      }
    }
    return hasTag ? PatchText(patch.outsideTags(in: before)) : self
  }
}
