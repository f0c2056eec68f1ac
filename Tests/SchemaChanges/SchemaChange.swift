internal import ActionLog
package import ReplayEngine

/// A change of the shop's schema: the conversion of a log to the previous version, and the migration that reverts it.
package struct SchemaChange: Sendable {
  package let name: String
  /// Converts values of the code to values of the previous version.
  package let undoing: Migration
  package let migration: Migration
  /// Whether the migration that `migrate --suggest` writes is sufficient.
  package let isSuggested: Bool

  /// The environment variable that names the change whose migration the host has.
  package static let variable = "TCA_SCHEMA_CHANGE"

  init(
    _ name: String,
    isSuggested: Bool = true,
    undoing: Migration,
    migration: Migration
  ) {
    self.name = name
    self.isSuggested = isSuggested
    self.undoing = undoing
    self.migration = migration
  }

  /// Returns the lines of a log in the form of the previous version.
  ///
  /// - Parameters:
  ///   - lines: The lines of a log of the current version.
  ///   - version: The version in the header; `nil` for none.
  /// - Returns: The lines.
  /// - Throws: `MigrationError`, and the errors of invalid lines.
  package func before(_ lines: [String], stating version: Int? = 1) throws -> [String] {
    let undoing = FeatureEntry(
      name: "Shop",
      stateType: "Shop.State",
      schemaVersion: 2,
      migrations: [undoing]
    ) { throw ReplayError.noCheckpoint(kind: "") }
    let plan = try MigrationPlan(undoing)
    let migrator = LogMigrator { _ in plan }
    var rest = lines.makeIterator()
    var result: [String] = []
    while let event = try migrator.next({ try Self.event(rest.next()) }) {
      var event = event
      if case .header(var header) = event {
        header.schemaVersion = version
        event = .header(header)
      }
      result.append(String(decoding: event.line, as: UTF8.self))
    }
    return result
  }

  private static func event(_ line: String?) throws -> LogEvent? {
    guard let event = try line.map({ try LogEvent(json: JSON(parsing: $0)) }) else { return nil }
    guard case .header(var header) = event else { return event }
    header.schemaVersion = 1
    return .header(header)
  }
}

extension SchemaChange {
  package static let all =
    states + actions + reads + calls + inputs + errors + elements + shared + cancelIDs
}
