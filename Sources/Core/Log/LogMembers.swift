/// A value whose members are known by name and key path.
///
/// `@ObservableState` and `@LogValue` write the table, by which a binding action's key path becomes a name in the log and
/// comes back from it.
public protocol LogMembers: LogValue {
  /// The variables of this type.
  static var _$logMembers: [LogMember<Self>] { get }
}

/// A member of a value: its name, its key path and how to bind to it.
public struct LogMember<Root>: Sendable {
  /// The name as the user wrote it.
  public let name: String
  /// The way to the member.
  public let keyPath: any (PartialKeyPath<Root> & Sendable)

  /// Names a member.
  public init<Value>(_ name: String, _ keyPath: any (WritableKeyPath<Root, Value> & Sendable)) {
    self.name = name
    self.keyPath = keyPath
  }
}
