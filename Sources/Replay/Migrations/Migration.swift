public import ActionLog

/// A step from one version of an app's schema to the next: what becomes of the states and actions of older logs.
///
/// ```swift
/// Migration(from: 1) { state in
///   try state.move(from: "/name", to: "/user/name")
/// } action: { action in
///   try action.move(from: "/renamed", to: "/nameChanged")
/// }
/// ```
///
/// The values are those of the log, places JSON Pointers. What is to be looked at is read member by member:
/// `state["user"]?["name"]?.string`. A log says its version in its header; one that says none has version 1.
public struct Migration: Sendable {
  /// The version that the step begins at; it leads to the next number.
  public let version: Int
  package let state: @Sendable (inout JSON) throws -> Void
  package let action: @Sendable (inout JSON) throws -> Void

  /// A step.
  ///
  /// - Parameters:
  ///   - version: The version that it begins at.
  ///   - state: Makes of a state what the next version has in its place.
  ///   - action: Makes of an action what the next version has in its place.
  public init(
    from version: Int,
    state: @escaping @Sendable (inout JSON) throws -> Void = { _ in },
    action: @escaping @Sendable (inout JSON) throws -> Void = { _ in }
  ) {
    self.version = version
    self.state = state
    self.action = action
  }
}

extension JSON {
  /// Moves what stands at a place to another place; what is not there is not moved.
  ///
  /// - Parameters:
  ///   - source: A JSON Pointer to the old place.
  ///   - destination: A JSON Pointer to the new place, whose container must be there.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`.
  public mutating func move(from source: String, to destination: String) throws {
    let source = try Pointer(parsing: source)
    guard self[source] != nil else { return }
    try Patch([.move(from: source, to: Pointer(parsing: destination))]).apply(to: &self)
  }

  /// Puts a value at a place, in the stead of what stands there.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - place: A JSON Pointer, to an element that is there or to a member of what is there.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`.
  public mutating func set(_ value: JSON, at place: String) throws {
    let place = try Pointer(parsing: place)
    let isElement = place.tokens.isEmpty || self[Pointer(place.tokens.dropLast())]?.array != nil
    try Patch([isElement ? .replace(place, value) : .add(place, value)]).apply(to: &self)
  }

  /// Takes away what stands at a place, if anything does.
  ///
  /// - Parameter place: A JSON Pointer.
  /// - Throws: `JSON.Pointer.SyntaxError`.
  public mutating func remove(at place: String) throws {
    let place = try Pointer(parsing: place)
    guard self[place] != nil else { return }
    try Patch([.remove(place)]).apply(to: &self)
  }
}
