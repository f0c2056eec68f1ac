public import ActionLog

/// A feature of a host: its names, a factory for replay engines, and a function that records it.
///
/// ```swift
/// FeatureEntry(name: "Counter", stateType: "Counter.State", makeEngine: { CounterEngine() })
/// ```
public struct FeatureEntry: Sendable {
  /// The name of the feature in the headers of its logs.
  public let name: String
  /// The name of the state type without the module.
  ///
  /// If a log has another feature name, it is matched with the feature by this type.
  public let stateType: String
  /// A closure that makes an engine for one log.
  ///
  /// If the closure throws, the user sees the description of the error.
  public let makeEngine: @Sendable () throws -> any FeatureEngine
  /// A closure that runs the feature live with a recorder attached, or `nil` if the host can't record.
  public var record: Recording?
  /// The version of the feature's schema, or `nil` if the app has no versions.
  public let schemaVersion: Int?
  /// The migrations of older logs, in the order of their versions.
  public let migrations: [Migration]

  /// The types of the states and actions, or `nil` if they are not known.
  ///
  /// The types define the members and cases that can occur in a log.
  public let types: Types?

  /// A closure that draws a state, or `nil` if the feature has no pictures.
  public let picture: Drawing?

  /// The state and action types of a feature.
  ///
  /// ```swift
  /// FeatureEntry.Types(state: Counter.State.self, action: Counter.Action.self)
  /// ```
  public struct Types: Sendable {
    /// The type of the feature's state, which defines the members that logged states can contain.
    public let state: any SendableMetatype.Type
    /// The type of the feature's actions, which defines the cases that logged actions can contain.
    public let action: any SendableMetatype.Type

    /// Creates a pair of a state type and an action type.
    public init(state: any SendableMetatype.Type, action: any SendableMetatype.Type) {
      (self.state, self.action) = (state, action)
    }
  }

  /// A function that runs a feature live until all steps of a request have been performed.
  public typealias Recording = @MainActor @Sendable (RecordRequest) async throws -> RecordSummary

  /// A function that draws the state of a checkpoint in the environment of the log's header.
  ///
  /// The function throws `LogDecodingError` if the state can't be decoded, and the errors of the app's drawing
  /// function.
  public typealias Drawing =
    @MainActor @Sendable (LogEvent.Checkpoint, LogEvent.Header) throws -> ReplayPicture

  /// Creates an entry for a feature.
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the headers of its logs.
  ///   - stateType: The name of the state type without the module.
  ///   - schemaVersion: The version of the schema. If `nil`, the version of a `SchemaVersioned` state is used.
  ///   - migrations: The migrations of older logs, in the order of their versions.
  ///   - types: The state and action types, or `nil` if they are not known.
  ///   - makeEngine: A closure that makes an engine for one log.
  ///   - record: A closure that runs the feature live with a recorder attached, or `nil` if the host can't record.
  ///   - picture: A closure that draws a state, or `nil` if the feature has no pictures.
  public init(
    name: String,
    stateType: String,
    schemaVersion: Int? = nil,
    migrations: [Migration] = [],
    types: Types? = nil,
    makeEngine: @escaping @Sendable () throws -> any FeatureEngine,
    record: Recording? = nil,
    picture: Drawing? = nil
  ) {
    self.name = name
    self.stateType = stateType
    self.makeEngine = makeEngine
    self.record = record
    self.picture = picture
    self.schemaVersion = schemaVersion ?? types.flatMap { SchemaVersion.of($0.state) }
    self.migrations = migrations
    self.types = types
  }
}
