public import ActionLog

// The functions take JSON Pointers, in which `*` stands for each element of an array and each member of an object. A step
// names all places that a value may have, and most values lack some of them: a value that is not there is no error.
extension JSON {
  /// Moves a value to another place: a renamed member, a renamed case.
  ///
  /// ```swift
  /// try state.move(from: "/name", to: "/user/name")
  /// try state.move(from: "/rows/*/name", to: "/rows/*/title")
  /// ```
  ///
  /// - Parameters:
  ///   - source: A JSON Pointer to the old place; `*` stands for each element or member.
  ///   - destination: A JSON Pointer to the new place, whose container must exist; a `*` stands for what that of the source
  ///     stands for.
  ///   - isRequired: Whether it is an error when there is no value.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`; `MigrationPlaceError` for a required value.
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

  /// The value with another name of a member, which stays where it is among the others; `nil` for a move to another object.
  private func renaming(_ source: Pointer, to target: Pointer) -> JSON? {
    let owner = Pointer(source.tokens.dropLast())
    guard let name = source.tokens.last, let newName = target.tokens.last,
      owner.tokens[...] == target.tokens.dropLast(), case .object(let object)? = self[owner],
      object[newName] == nil
    else { return nil }
    let members = object.map { ($0.key == name ? newName : $0.key, $0.value) }
    return replacing(owner, with: .object(Object(members: members)))
  }

  /// Puts a value at a place, instead of the value that is there; does nothing where the object or array is missing.
  ///
  /// ```swift
  /// try state.set(false, at: "/rows/*/isPinned")
  /// ```
  ///
  /// - Parameters:
  ///   - value: The value: a literal, or another value.
  ///   - place: A JSON Pointer to an existing element, or to a member of an existing object; `*` stands for each element or
  ///     member.
  ///   - isRequired: Whether it is an error when there is no object or array.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`; `MigrationPlaceError` for a required place.
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
    MigrationTrace.current?.recordLookup(place, isFound: !found.isEmpty)
    for (container, _) in found {
      let place = container.appending(last)
      let isElement = self[container]?.array != nil
      try Patch([isElement ? .replace(place, value) : .add(place, value)]).apply(to: &self)
    }
  }

  /// Removes a value.
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer; `*` stands for each element or member.
  ///   - isRequired: Whether it is an error when there is no value.
  /// - Throws: `JSON.Pointer.SyntaxError`; `MigrationPlaceError` for a required value.
  public mutating func remove(at place: String, isRequired: Bool = false) throws {
    // From the end, so that the numbers of elements hold.
    for (place, _) in try places(place, isRequired: isRequired).reversed() {
      try Patch([.remove(place)]).apply(to: &self)
    }
  }

  /// Puts a value into an object, as its only member.
  ///
  /// ```swift
  /// try state.wrap("/total", in: "cents")  // {"total":650} becomes {"total":{"cents":650}}
  /// ```
  ///
  /// - Parameters:
  ///   - place: A JSON Pointer; `*` stands for each element or member.
  ///   - member: The name of the member.
  ///   - isRequired: Whether it is an error when there is no value.
  /// - Throws: `JSON.Pointer.SyntaxError`; `MigrationPlaceError` for a required value.
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
  ///   - place: A JSON Pointer; `*` stands for each element or member.
  ///   - isRequired: Whether it is an error when there is no value.
  ///   - body: Changes the value.
  /// - Throws: `JSON.Pointer.SyntaxError`, the errors of the closure; `MigrationPlaceError` for a required value.
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

  /// The places that a pointer stands for in this value, with what each `*` stands for.
  private func places(
    _ text: String,
    isRequired: Bool
  ) throws -> [(place: Pointer, stars: [String])] {
    let found = matches(try Pointer(parsing: text).tokens[...])
    if isRequired, found.isEmpty { throw MigrationPlaceError(place: text) }
    MigrationTrace.current?.recordLookup(text, isFound: !found.isEmpty)
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

/// A place that a migration requires and that a value lacks.
///
/// ```swift
/// try state.move(from: "/name", to: "/title", isRequired: true)  // throws for a state without a name
/// ```
public struct MigrationPlaceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The JSON Pointer.
  public let place: String

  /// The place in words.
  public var description: String { Wording.noPlace(place) }
}
