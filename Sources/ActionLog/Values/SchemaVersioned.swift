/// A state whose schema has a version: the one number that the recorder, the host and tests use.
///
/// ```swift
/// extension Todos.State: SchemaVersioned {
///   static let schemaVersion = 2
/// }
/// ```
///
/// The version counts the changes of the state, the actions, the reads and the effects' inputs that need a migration. A log
/// without a version has version 1.
public protocol SchemaVersioned: SendableMetatype {
  /// The version of the schema, from 1.
  static var schemaVersion: Int { get }
}

/// The versions of types.
package enum SchemaVersion {
  /// The version that a type states; `nil` for a type that states none.
  package static func of(_ type: Any.Type) -> Int? {
    (type as? any SchemaVersioned.Type)?.schemaVersion
  }
}
