public import ActionLog

/// A step from one version of an app's schema to the next, which changes the states and actions of older logs.
///
/// ```swift
/// Migration(from: 1) { state in
///   try state.move(from: "/name", to: "/user/name")
/// } action: { action in
///   try action.move(from: "/renamed", to: "/nameChanged")
/// }
/// ```
///
/// The values are those of the log; places are JSON Pointers. Subscripts read members:
/// `state["user"]?["name"]?.string`. The header of a log has its version; without one it has version 1.
public struct Migration: Sendable {
  /// The version at which the step begins; it leads to the next number.
  public let version: Int
  let state: @Sendable (inout JSON) throws -> Void
  let action: @Sendable (inout JSON) throws -> Void

  /// A step.
  ///
  /// - Parameters:
  ///   - version: The version at which it begins.
  ///   - state: Changes a state to that of the next version.
  ///   - action: Changes an action to that of the next version.
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
  /// Moves the value at a place to another place; does nothing when there is no value.
  ///
  /// - Parameters:
  ///   - source: A JSON Pointer to the old place.
  ///   - destination: A JSON Pointer to the new place, whose container must exist.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`.
  public mutating func move(from source: String, to destination: String) throws {
    let source = try Pointer(parsing: source)
    guard self[source] != nil else { return }
    try Patch([.move(from: source, to: Pointer(parsing: destination))]).apply(to: &self)
  }

  /// Puts a value at a place, instead of the value that is there.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - place: A JSON Pointer to an existing element, or to a member of an existing object.
  /// - Throws: `JSON.Pointer.SyntaxError`, `JSON.Patch.ApplyError`.
  public mutating func set(_ value: JSON, at place: String) throws {
    let place = try Pointer(parsing: place)
    let isElement = place.tokens.isEmpty || self[Pointer(place.tokens.dropLast())]?.array != nil
    try Patch([isElement ? .replace(place, value) : .add(place, value)]).apply(to: &self)
  }

  /// Removes the value at a place, if there is one.
  ///
  /// - Parameter place: A JSON Pointer.
  /// - Throws: `JSON.Pointer.SyntaxError`.
  public mutating func remove(at place: String) throws {
    let place = try Pointer(parsing: place)
    guard self[place] != nil else { return }
    try Patch([.remove(place)]).apply(to: &self)
  }
}
