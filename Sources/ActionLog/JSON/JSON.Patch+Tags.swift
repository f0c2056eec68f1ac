extension String {
  /// Whether this is a name of the format's own, such as `$date`: names of the user's that begin with a dollar sign have two.
  var isTag: Bool {
    var name = utf8.makeIterator()
    return name.next() == UInt8(ascii: "$") && name.next() != UInt8(ascii: "$")
  }
}

extension JSON {
  /// Whether this is an object of the format's own, such as `{"$double":"nan"}`.
  var isTagged: Bool { object?.keys.first?.isTag ?? false }
}

extension JSON.Pointer {
  /// The place of the tagged value that this leads into; `nil` when it leads into none.
  ///
  /// The value of an error belongs to the app, and places lead into it.
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
  /// The patch as people read it: a change within a tagged value changes the whole of that value, which it finds in the value
  /// before the patch.
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
      // Several operations may be about one value.
      if case .replace(place, _)? = patch.operations.last { patch.operations.removeLast() }
      patch.operations.append(.replace(place, new))
    }
    return patch
  }
}

extension JSON.Patch.Operation {
  /// The tagged value, where the operation has all that is under the tag.
  fileprivate var wholeTagged: JSON? {
    guard case .replace(let path, let value) = self, let tag = path.tokens.last, tag.isTag,
      tag != "$error"
    else { return nil }
    return .object([tag: value])
  }
}

extension JSON.Patch {
  /// Applies the patch where there is a value.
  fileprivate func apply(to value: inout JSON?) throws(ApplyError) {
    guard var known = value else { return }
    value = nil
    defer { value = known }
    try apply(to: &known)
  }
}

extension PatchText {
  /// The patch as people read it: a change within a tagged value changes the whole of that value, which it finds in the value
  /// before the patch.
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
