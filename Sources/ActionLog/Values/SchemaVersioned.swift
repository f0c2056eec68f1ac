/// A state with a schema version, for recorders, hosts, and tests.
///
/// ```swift
/// extension Todos.State: SchemaVersioned {
///   static let schemaVersion = 2
/// }
/// ```
///
/// The version counts the changes to states, actions, reads, and effect inputs that need a migration. A log without a
/// version has version 1.
public protocol SchemaVersioned: SendableMetatype {
  /// The version of the schema, counted from 1.
  static var schemaVersion: Int { get }
}

/// A lookup for the schema versions of types.
package enum SchemaVersion {
  /// Returns the schema version of a type, or `nil` if the type declares none.
  package static func of(_ type: Any.Type) -> Int? {
    (type as? any SchemaVersioned.Type)?.schemaVersion
  }
}
