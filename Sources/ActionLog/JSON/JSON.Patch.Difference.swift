extension JSON.Patch {
  /// The patch that turns one value into the other.
  ///
  /// It walks both in step and goes as deep as the kinds agree. In arrays the equal elements at either end stay, those
  /// between are paired in order, and what is left over is inserted or removed.
  ///
  /// - Parameters:
  ///   - old: The value to start from.
  ///   - new: The value to end with.
  ///   - splices: Whether long texts that change in a part are spliced, which goes beyond RFC 6902.
  public init(from old: JSON, to new: JSON, splices: Bool = false) {
    self.init()
    append(from: old, to: new, at: JSON.Pointer(), splices)
  }

  private mutating func append(
    from old: JSON,
    to new: JSON,
    at path: JSON.Pointer,
    _ splices: Bool
  ) {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      for (key, value) in old {
        if let changed = new[key] {
          append(from: value, to: changed, at: path.appending(key), splices)
        } else {
          operations.append(.remove(path.appending(key)))
        }
      }
      for (key, value) in new where old.position(of: key) == nil {
        operations.append(.add(path.appending(key), value))
      }
    case (.array(let old), .array(let new)): append(from: old, to: new, at: path, splices)
    case (.string(let old), .string(let text)) where splices:
      guard !old.hasSameBytes(as: text) else { return }
      operations.append(
        Splice(from: old, to: text).map { .splice(path, $0) } ?? .replace(path, new)
      )
    default:
      if old != new { operations.append(.replace(path, new)) }
    }
  }

  private mutating func append(
    from old: [JSON],
    to new: [JSON],
    at path: JSON.Pointer,
    _ splices: Bool
  ) {
    let shorter = min(old.count, new.count)
    var start = 0
    while start < shorter, old[start] == new[start] { start += 1 }
    var end = 0
    while end < shorter - start, old[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
    let paired = shorter - start - end
    for index in start..<start + paired {
      append(from: old[index], to: new[index], at: path.appending(String(index)), splices)
    }
    // Removed from the back, so that no removal shifts the index of another.
    for index in (start + paired..<old.count - end).reversed() {
      operations.append(.remove(path.appending(String(index))))
    }
    for index in start + paired..<new.count - end {
      operations.append(.add(path.appending(String(index)), new[index]))
    }
  }
}
