extension JSON.Patch {
  /// Applies the operations in order.
  ///
  /// If an operation fails, `json` stays unchanged (RFC 6902, section 5).
  ///
  /// - Throws: A `JSON.Patch.ApplyError` that names the operation.
  public func apply(to json: inout JSON) throws(ApplyError) {
    var copies = CopyBudget()
    try apply(to: &json, &copies)
  }

  /// Applies the operations as `apply(to:)` does, within a copy budget that all patches in a log share.
  package func apply(to json: inout JSON, _ copies: inout CopyBudget) throws(ApplyError) {
    // Changes are made in place and undone on failure. A copy of the value would make each change as expensive as the
    // value is large.
    var undo: [Operation] = []
    for (index, operation) in operations.enumerated() {
      let isLast = index == operations.count - 1
      do throws(Problem) {
        try operation.apply(to: &json, &copies, undo: isLast ? nil : { undo.append($0) })
      } catch {
        for operation in undo.reversed() { try? operation.apply(to: &json, &copies, undo: nil) }
        throw ApplyError(index: index, operation: operation, problem: error)
      }
    }
  }

  /// The maximum nesting of arrays and objects in a state.
  ///
  /// The checkpoint object around the state adds one level.
  static let mostLevels = JSON.deepestNesting - 1

  /// An error for a patch operation that can't be applied to a value.
  ///
  /// ```swift
  /// var state: JSON = ["count": 1]
  /// do { try JSON.Patch([.remove(JSON.Pointer(["name"]))]).apply(to: &state) } catch { print(error) }
  /// // operation 0, {"op":"remove","path":"/name"}, finds no value at '/name'
  /// ```
  public struct ApplyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The index of the operation in the patch, counted from 0.
    public let index: Int
    /// The operation that failed.
    public let operation: Operation
    /// The reason why the operation failed.
    public let problem: Problem
    /// The operation and the reason for its failure, as text for people.
    public var description: String { Wording.describe(self) }
  }

  /// The reasons why an operation can't be applied.
  ///
  /// ```swift
  /// do { try patch.apply(to: &state) } catch {
  ///   if case .missing(let place) = error.problem { print("there is no \(place)") }
  /// }
  /// ```
  public enum Problem: Error, Hashable, Sendable {
    /// The value has no member or element at this path, or no container for one.
    case missing(JSON.Pointer)
    /// The last token of this path is not an index of the array, or the index is out of bounds.
    case badIndex(JSON.Pointer)
    /// A `test` operation found a value other than the expected one.
    case testFailed(found: JSON)
    /// A `move` operation would move a value into itself.
    case moveIntoItself
    /// The operation would nest arrays and objects deeper than a checkpoint can.
    case nestedTooDeep
    /// The `copy` operations in the log would add more than 4 MiB to a state.
    case tooLarge
    /// A `splice` operation found a value that is not a string.
    case notText(found: JSON)
    /// A `splice` operation found a string that is too short for its range, or its range splits a Unicode scalar.
    case badRange(offset: Int, removedCount: Int, textCount: Int)
  }
}

extension JSON.Patch.Operation {
  /// Applies the operation.
  ///
  /// If the operation fails, `json` stays unchanged.
  ///
  /// - Parameters:
  ///   - json: The value to change.
  ///   - copies: The budget for bytes that `copy` operations create.
  ///   - undo: Receives the inverse operations. Applying them in reverse order restores the value.
  /// - Throws: A `JSON.Patch.Problem`.
  fileprivate func apply(
    to json: inout JSON,
    _ copies: inout JSON.Patch.CopyBudget,
    undo: ((JSON.Patch.Operation) -> Void)?
  ) throws(JSON.Patch.Problem) {
    switch self {
    case .add(let path, let value):
      try path.check(levelsOf: value)
      try json.add(value, at: path, undo)
    case .remove(let path):
      let value = try json.remove(at: path)
      undo?(.add(path, value))
    case .replace(let path, let value):
      try path.check(levelsOf: value)
      let old = undo == nil ? nil : json[path]
      try json.replace(with: value, at: path)
      if let old { undo?(.replace(path, old)) }
    case .move(let from, let path):
      if from == path {
        guard json[from] != nil else { throw .missing(from) }
        return
      }
      guard !path.tokens.starts(with: from.tokens) else { throw .moveIntoItself }
      let value = try json.remove(at: from)
      undo?(.add(from, value))
      do throws(JSON.Patch.Problem) {
        if path.tokens.count > from.tokens.count { try path.check(levelsOf: value) }
        try json.add(value, at: path, undo)
      } catch {
        if undo == nil { try json.add(value, at: from, nil) }
        throw error
      }
    case .copy(let from, let path):
      guard let value = json[from] else { throw .missing(from) }
      if path.tokens.count > from.tokens.count { try path.check(levelsOf: value) }
      try copies.spend(on: value, in: json)
      try json.add(value, at: path, undo)
    case .test(let path, let value):
      guard let found = json[path] else { throw .missing(path) }
      guard found == value else { throw .testFailed(found: found) }
    case .splice(let path, let splice):
      let inverse = try json.splice(splice, at: path)
      undo?(.splice(path, inverse))
    }
  }
}

extension JSON.Pointer {
  /// Throws an error if `value` at this path would exceed the maximum nesting of a state.
  ///
  /// Each level uses stack space when the state is read.
  fileprivate func check(levelsOf value: JSON) throws(JSON.Patch.Problem) {
    if value.isNested(deeperThan: JSON.Patch.mostLevels - tokens.count) { throw .nestedTooDeep }
  }
}

extension JSON {
  /// Moves the value out of `self`, so that it has one owner and is changed without a copy.
  private mutating func moveOut() -> JSON {
    var taken = JSON.null
    swap(&taken, &self)
    return taken
  }

  /// Moves the members out of `self`, or returns `nil` if the value is not an object.
  private mutating func moveOutObject() -> Object? {
    guard case .object(let object) = self else { return nil }
    self = .null
    return object
  }

  /// Moves the elements out of `self`, or returns `nil` if the value is not an array.
  private mutating func moveOutArray() -> [JSON]? {
    guard case .array(let elements) = self else { return nil }
    self = .null
    return elements
  }

  /// Calls `body` with the container of the value at a path, and with the path's last token.
  private mutating func container<Result>(
    of path: Pointer,
    at depth: Int = 0,
    _ body: (inout JSON, String) throws(Patch.Problem) -> Result
  ) throws(Patch.Problem) -> Result {
    let token = path.tokens[depth]
    if depth == path.tokens.count - 1 { return try body(&self, token) }
    if var object = moveOutObject() {
      defer { self = .object(object) }
      guard let slot = object.slot(of: token) else { throw .missing(path) }
      var member = JSON.null
      object.modify(in: slot) { swap(&member, &$0) }
      defer { object.modify(in: slot) { swap(&member, &$0) } }
      return try member.container(of: path, at: depth + 1, body)
    } else if var elements = moveOutArray() {
      defer { self = .array(elements) }
      guard let index = Pointer.index(token), index < elements.count else { throw .badIndex(path) }
      var element = JSON.null
      swap(&element, &elements[index])
      defer { swap(&element, &elements[index]) }
      return try element.container(of: path, at: depth + 1, body)
    } else {
      throw .missing(path)
    }
  }

  fileprivate mutating func add(
    _ value: JSON,
    at path: Pointer,
    _ undo: ((Patch.Operation) -> Void)?
  ) throws(Patch.Problem) {
    guard !path.tokens.isEmpty else {
      undo?(.replace(path, self))
      self = value
      return
    }
    let inverse = try container(of: path) {
      (container, token) throws(Patch.Problem) -> Patch.Operation in
      if var object = container.moveOutObject() {
        let old = object[token]
        object[token] = value
        container = .object(object)
        return old.map { .replace(path, $0) } ?? .remove(path)
      } else if var elements = container.moveOutArray() {
        defer { container = .array(elements) }
        guard let index = token == "-" ? elements.count : Pointer.index(token),
          index <= elements.count
        else { throw .badIndex(path) }
        elements.insert(value, at: index)
        return .remove(Pointer(path.tokens.dropLast() + [String(index)]))
      } else {
        throw .missing(path)
      }
    }
    undo?(inverse)
  }

  fileprivate mutating func remove(at path: Pointer) throws(Patch.Problem) -> JSON {
    guard !path.tokens.isEmpty else { return moveOut() }
    return try container(of: path) { (container, token) throws(Patch.Problem) in
      if var object = container.moveOutObject() {
        defer { container = .object(object) }
        guard let value = object[token] else { throw .missing(path) }
        object[token] = nil
        return value
      } else if var elements = container.moveOutArray() {
        defer { container = .array(elements) }
        guard let index = Pointer.index(token), index < elements.count else {
          throw .badIndex(path)
        }
        return elements.remove(at: index)
      } else {
        throw .missing(path)
      }
    }
  }

  fileprivate mutating func replace(with value: JSON, at path: Pointer) throws(Patch.Problem) {
    try modify(at: path) { (place) throws(Patch.Problem) in place = value }
  }

  /// Changes a range of the string at a path in place.
  ///
  /// - Returns: The inverse splice.
  fileprivate mutating func splice(
    _ splice: Patch.Splice,
    at path: Pointer
  ) throws(Patch.Problem) -> Patch.Splice {
    try modify(at: path) { (place) throws(Patch.Problem) in
      guard case .string(var text) = place else { throw .notText(found: place) }
      // Releases the second reference, so that the string is changed without a copy.
      place = .null
      defer { place = .string(text) }
      return try splice.apply(to: &text)
    }
  }

  /// Calls `body` with the existing value at a path.
  private mutating func modify<Result>(
    at path: Pointer,
    _ body: (inout JSON) throws(Patch.Problem) -> Result
  ) throws(Patch.Problem) -> Result {
    guard !path.tokens.isEmpty else { return try body(&self) }
    return try container(of: path) { (container, token) throws(Patch.Problem) in
      var value = JSON.null
      if var object = container.moveOutObject() {
        defer { container = .object(object) }
        guard let slot = object.slot(of: token) else { throw .missing(path) }
        object.modify(in: slot) { swap(&value, &$0) }
        defer { object.modify(in: slot) { swap(&value, &$0) } }
        return try body(&value)
      } else if var elements = container.moveOutArray() {
        defer { container = .array(elements) }
        guard let index = Pointer.index(token), index < elements.count else {
          throw .badIndex(path)
        }
        return try body(&elements[index])
      } else {
        throw .missing(path)
      }
    }
  }
}
