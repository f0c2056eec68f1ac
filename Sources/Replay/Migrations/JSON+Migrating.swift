public import ActionLog

// The functions take JSON Pointers, in which `*` matches each element of an array and each member of an object. A step
// covers all paths at which a value can occur, and most states lack some of them. A missing value is therefore not an
// error by default.
extension JSON {
  /// Moves a value to another path, for example to rename a member or a case.
  ///
  /// ```swift
  /// try state.move(from: "/name", to: "/user/name")
  /// try state.move(from: "/rows/*/name", to: "/rows/*/title")
  /// ```
  ///
  /// - Parameters:
  ///   - source: A JSON Pointer to the value. The wildcard `*` matches each element or member.
  ///   - destination: A JSON Pointer to the new path, whose container must exist. Each `*` is replaced with the token
  ///     that the corresponding `*` in `source` matches.
  ///   - isRequired: Whether a missing value is an error.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`, or `MigrationPlaceError` if a required value is
  ///   missing.
  public mutating func move(
    from source: String,
    to destination: String,
    isRequired: Bool = false
  ) throws {
    let target = try Pointer(parsing: destination)
    for (place, stars) in try places(source, isRequired: isRequired) {
      var stars = stars[...]
      let tokens = target.tokens.map { $0 == "*" ? stars.popFirst() ?? $0 : $0 }
      if let renamed = renaming(place, to: Pointer(tokens)) {
        self = renamed
      } else {
        try Patch([.move(from: place, to: Pointer(tokens))]).apply(to: &self)
      }
    }
  }

  /// Returns this value with a member renamed in place.
  ///
  /// - Returns: The value, or `nil` if `source` and `target` are not members of the same object, or if `target` already
  ///   exists.
  private func renaming(_ source: Pointer, to target: Pointer) -> JSON? {
    let owner = Pointer(source.tokens.dropLast())
    guard let name = source.tokens.last, let newName = target.tokens.last,
      owner.tokens[...] == target.tokens.dropLast(), case .object(let object)? = self[owner],
      object[newName] == nil
    else { return nil }
    let members = object.map { ($0.key == name ? newName : $0.key, $0.value) }
    return replacing(owner, with: .object(Object(members: members)))
  }

  /// Sets a value at a path, if the object or array that contains the path exists.
  ///
  /// ```swift
  /// try state.set(false, at: "/rows/*/isPinned")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value to set, such as a literal.
  ///   - place: A JSON Pointer to an existing element, or to a member of an existing object. The wildcard `*` matches
  ///     each element or member.
  ///   - isRequired: Whether a missing object or array is an error.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`, or `MigrationPlaceError` if a required object or
  ///   array is missing.
  public mutating func set(_ value: JSON, at place: String, isRequired: Bool = false) throws {
    let pointer = try Pointer(parsing: place)
    guard let last = pointer.tokens.last else {
      self = value
      return
    }
    let containers = Pointer(pointer.tokens.dropLast())
    let found = matches(containers.tokens[...]).filter { place, _ in
      switch self[place] {
      case .object?, .array?: true
      default: false
      }
    }
    if isRequired, found.isEmpty { throw MigrationPlaceError(place: place) }
    MigrationPathUsage.current?.recordLookup(place, isFound: !found.isEmpty)
    for (container, _) in found {
      let place = container.appending(last)
      let isElement = self[container]?.array != nil
      try Patch([isElement ? .replace(place, value) : .add(place, value)]).apply(to: &self)
    }
  }

  /// Removes the values at a path.
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer to the values. The wildcard `*` matches each element or member.
  ///   - isRequired: Whether a missing value is an error.
  /// - Throws: `JSON.Pointer.SyntaxError`, or `MigrationPlaceError` if a required value is missing.
  public mutating func remove(at place: String, isRequired: Bool = false) throws {
    // In reverse order, so that the indexes of the remaining elements stay valid.
    for (place, _) in try places(place, isRequired: isRequired).reversed() {
      try Patch([.remove(place)]).apply(to: &self)
    }
  }

  /// Replaces a value with an object that contains the value as its only member.
  ///
  /// ```swift
  /// try state.wrap("/total", in: "cents")  // {"total":650} becomes {"total":{"cents":650}}
  /// ```
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer to the value. The wildcard `*` matches each element or member.
  ///   - member: The name of the new object's member.
  ///   - isRequired: Whether a missing value is an error.
  /// - Throws: `JSON.Pointer.SyntaxError`, or `MigrationPlaceError` if a required value is missing.
  public mutating func wrap(
    _ place: String,
    in member: String,
    isRequired: Bool = false
  ) throws {
    try change(place, isRequired: isRequired) { value in
      value = .object(Object(members: [(member, value)]))
    }
  }

  /// Changes a value with a closure.
  ///
  /// ```swift
  /// try state.change("/rows/*/price") { price in price = .string("\(price.int ?? 0) EUR") }
  /// ```
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer to the value. The wildcard `*` matches each element or member.
  ///   - isRequired: Whether a missing value is an error.
  ///   - body: A closure that changes the value in place.
  /// - Throws: `JSON.Pointer.SyntaxError`, an error of `body`, or `MigrationPlaceError` if a required value is missing.
  public mutating func change(
    _ place: String,
    isRequired: Bool = false,
    _ body: (inout JSON) throws -> Void
  ) throws {
    for (place, _) in try places(place, isRequired: isRequired) {
      guard var value = self[place] else { continue }
      try body(&value)
      self = replacing(place, with: value)
    }
  }

  /// Returns the paths in this value that match a JSON Pointer, each with the tokens that its wildcards `*` match.
  private func places(
    _ text: String,
    isRequired: Bool
  ) throws -> [(place: Pointer, stars: [String])] {
    let found = matches(try Pointer(parsing: text).tokens[...])
    if isRequired, found.isEmpty { throw MigrationPlaceError(place: text) }
    MigrationPathUsage.current?.recordLookup(text, isFound: !found.isEmpty)
    return found
  }

  private func matches(_ tokens: ArraySlice<String>) -> [(place: Pointer, stars: [String])] {
    guard let token = tokens.first else { return [(Pointer(), [])] }
    let parts: [(String, JSON)] =
      switch self {
      case .object(let object) where token == "*": object.map { ($0.key, $0.value) }
      case .array(let elements) where token == "*":
        elements.enumerated().map { ("\($0.offset)", $0.element) }
      default: self[Pointer([token])].map { [(token, $0)] } ?? []
      }
    return parts.flatMap { name, part in
      part.matches(tokens.dropFirst()).map { place, stars in
        (Pointer([name] + place.tokens), token == "*" ? [name] + stars : stars)
      }
    }
  }
}

/// An error that reports a path that a migration requires but a value lacks.
///
/// ```swift
/// try state.move(from: "/name", to: "/title", isRequired: true)  // throws for a state without a name
/// ```
public struct MigrationPlaceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The JSON Pointer to the missing value, as the migration step wrote it.
  public let place: String

  /// A message that names the missing path.
  public var description: String { Wording.noPlace(place) }
}
