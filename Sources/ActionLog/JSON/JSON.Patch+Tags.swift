extension String {
  /// Whether the string is a reserved name of the format, such as `$date`.
  ///
  /// A log adds a second dollar sign to app names that start with one.
  var isTag: Bool {
    var name = utf8.makeIterator()
    return name.next() == UInt8(ascii: "$") && name.next() != UInt8(ascii: "$")
  }
}

extension JSON {
  /// Whether the value is a tagged value of the format, such as `{"$double":"nan"}`.
  var isTagged: Bool { object?.keys.first?.isTag ?? false }
}

extension JSON.Pointer {
  /// The path of the tagged value into which this path leads, or `nil` if there is none.
  ///
  /// The value inside an error belongs to the app, so paths can lead into that value.
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
  /// Returns the patch in a form for people, in which a change inside a tagged value replaces the complete tagged
  /// value.
  ///
  /// Copies the unchanged parts of tagged values from `before`.
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
  /// The new tagged value, if the operation replaces its entire content.
  fileprivate var wholeTagged: JSON? {
    guard case .replace(let path, let value) = self, let tag = path.tokens.last, tag.isTag,
      tag != "$error"
    else { return nil }
    return .object([tag: value])
  }
}

extension JSON.Patch {
  /// Applies the patch, if `value` isn't `nil`.
  fileprivate func apply(to value: inout JSON?) throws(ApplyError) {
    guard var known = value else { return }
    value = nil
    defer { value = known }
    try apply(to: &known)
  }
}

extension PatchText {
  /// Returns the patch in a form for people, in which a change inside a tagged value replaces the complete tagged
  /// value.
  ///
  /// Copies the unchanged parts of tagged values from `before`.
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
