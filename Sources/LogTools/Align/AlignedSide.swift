import ActionLog

/// One of two logs that are compared, at a step, with the state before it.
struct AlignedSide {
  private var steps: LoggedSteps
  private var cursor = LogCursor()
  /// The step; `nil` after the last one.
  private(set) var step: LoggedSteps.Step?
  /// The index of the step.
  private(set) var index = -1
  /// Whether a checkpoint has restored a state that was unknown before it.
  var hasNewState = false

  init(_ events: @escaping LogComparison.Events) { steps = LoggedSteps(events) }

  /// The state; `nil` where the log does not tell it.
  var state: JSON? { cursor.state }

  /// Goes to the next step, past checkpoints.
  mutating func prepare() throws {
    step = nil
    index += 1
    while let item = try steps.next() {
      switch item {
      case .step(let step):
        self.step = step
        return
      case .checkpoint(let checkpoint):
        let isKnown = cursor.state != nil
        try? cursor.move(to: .checkpoint(checkpoint))
        try? cursor.apply()
        if !isKnown { hasNewState = true }
      }
    }
  }

  /// Makes the state what it is after the step.
  ///
  /// - Returns: A difference where the change does not fit.
  mutating func apply(of seq: Int) -> [LogDifference] {
    guard let update = step?.update else { return [] }
    do throws(LogCursor.BrokenPatch) {
      try cursor.move(to: update)
      try cursor.apply()
      return []
    } catch {
      return [
        LogDifference(
          seq: seq,
          cause: .sequence,
          subject: error.error.operation.path.description,
          message: "the patch does not fit the state: \(error.error)"
        )
      ]
    }
  }
}

/// The members of a state that patches touch.
struct TouchedMembers {
  /// The names; `nil` for the whole state.
  private(set) var names: Set<String>? = []

  var isEmpty: Bool { names?.isEmpty == true }

  mutating func insert(_ patch: JSON.Patch) {
    for path in patch.operations.lazy.flatMap(\.paths) {
      if let name = path.tokens.first { names?.insert(name) } else { names = nil }
    }
  }
}

/// A place in a state, in which rows are named by what they are instead of where they stand.
struct RowPlace {
  private(set) var steps: [JSON] = []

  /// Follows a path.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - state: The state in which it leads somewhere.
  ///   - inserts: Whether it ends before an element: it is named by the one that stands there before.
  init(_ path: JSON.Pointer, in state: JSON, inserts: Bool) {
    var value: JSON? = state
    for (depth, token) in path.tokens.enumerated() {
      let isLast = depth + 1 == path.tokens.count
      guard case .array(let elements)? = value else {
        steps.append(.string(token))
        value = value?[token]
        continue
      }
      let index = token == "-" ? elements.count : JSON.Pointer.index(token) ?? elements.count
      let isInsertion = inserts && isLast
      let row = isInsertion ? index - 1 : index
      guard elements.indices.contains(row) else {
        steps.append(isInsertion && index == 0 ? ["first"] : .number(JSON.Number(index)))
        value = nil
        continue
      }
      value = elements[row]
      steps.append([Self.name(of: elements[row], at: row), .bool(isInsertion)])
    }
  }

  private static func name(of row: JSON, at index: Int) -> JSON {
    if let id = row["id"] { return id }
    // A row without an id is named by its index, unless it is its own value.
    return row.object == nil && row.array == nil ? row : .number(JSON.Number(index))
  }
}
