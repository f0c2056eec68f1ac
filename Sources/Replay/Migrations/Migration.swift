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

/// The steps that bring the logs of older builds to the version of this one, checked.
package struct MigrationPlan: Sendable {
  package let version: Int
  private let steps: [Migration]

  /// A plan of the steps that a feature has.
  ///
  /// - Returns: `nil` for a feature without a version, whose logs are replayed as they are.
  /// - Throws: `MigrationError` when the steps do not lead, one after the other, to the version.
  package init?(_ feature: FeatureEntry) throws(MigrationError) {
    let steps = feature.migrations
    guard let version = feature.schemaVersion else {
      guard steps.isEmpty else { throw .noVersion(feature.name) }
      return nil
    }
    for (step, next) in zip(steps, steps.dropFirst()) where next.version != step.version + 1 {
      if next.version == step.version { throw .twice(feature.name, from: step.version) }
      if next.version < step.version {
        throw .order(feature.name, from: next.version, after: step.version)
      }
      throw .gap(feature.name, from: step.version + 1)
    }
    if let last = steps.last, last.version != version - 1 {
      throw last.version >= version
        ? .beyond(feature.name, from: last.version, version: version)
        : .gap(feature.name, from: last.version + 1)
    }
    self.version = version
    self.steps = steps
  }

  /// The steps for a log.
  ///
  /// - Throws: `MigrationError` when the log is of a newer version, or of one so old that no step begins there.
  package func steps(for header: LogEvent.Header) throws(MigrationError) -> [Migration] {
    let found = header.schemaVersion ?? 1
    guard found <= version else {
      throw .newerLog(header.feature, found: found, version: version)
    }
    guard found < version else { return [] }
    guard let first = steps.first, found >= first.version else {
      throw .olderLog(header.feature, found: found, first: steps.first?.version ?? version)
    }
    return steps.filter { $0.version >= found }
  }
}

/// The reason why logs cannot be migrated to the version of the code.
package enum MigrationError: Error, Hashable, CustomStringConvertible {
  /// There are steps, but no version to which they lead.
  case noVersion(String)
  /// Two steps begin at the same version.
  case twice(String, from: Int)
  /// A step begins at a version before that of the one it follows.
  case order(String, from: Int, after: Int)
  /// No step begins at a version in between.
  case gap(String, from: Int)
  /// A step begins at the code's version or after it.
  case beyond(String, from: Int, version: Int)
  /// A log was recorded by a newer build.
  case newerLog(String, found: Int, version: Int)
  /// A log is older than the first step.
  case olderLog(String, found: Int, first: Int)
  /// A step refused a value.
  case refused(String, from: Int, seq: Int, reason: String)

  package var description: String { Wording.describe(self) }
}
