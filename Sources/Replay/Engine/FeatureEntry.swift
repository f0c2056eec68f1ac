public import ActionLog

/// A feature of a host: its names, a factory of replay engines, and a function to record it.
///
/// ```swift
/// FeatureEntry(name: "Counter", stateType: "Counter.State", makeEngine: { CounterEngine() })
/// ```
public struct FeatureEntry: Sendable {
  /// The name of the feature in the headers of its logs.
  public let name: String
  /// The name of the state type without the module.
  ///
  /// A log with another feature name is matched by it.
  public let stateType: String
  /// Makes an engine for one log.
  ///
  /// The user sees the description of its error.
  public let makeEngine: @Sendable () throws -> any FeatureEngine
  /// Runs the feature live with a recorder attached, or `nil` if the host can't record.
  public let record: Recording?
  /// The version of the feature's schema, or `nil` if the app has no versions.
  public let schemaVersion: Int?
  /// The migrations of older logs, in the order of their versions.
  public let migrations: [Migration]

  /// The types of the states and actions, which define what a log could reach, or `nil` if they are not known.
  public let types: Types?

  /// Draws a state, or `nil` if the feature has no pictures.
  public let picture: Drawing?

  /// The types of a feature.
  ///
  /// ```swift
  /// FeatureEntry.Types(state: Counter.State.self, action: Counter.Action.self)
  /// ```
  public struct Types: Sendable {
    /// The type of the states.
    public let state: any SendableMetatype.Type
    /// The type of the actions.
    public let action: any SendableMetatype.Type

    /// Creates the types of a feature.
    public init(state: any SendableMetatype.Type, action: any SendableMetatype.Type) {
      (self.state, self.action) = (state, action)
    }
  }

  /// A function that runs a feature live until the end of its script.
  public typealias Recording = @MainActor @Sendable (RecordRequest) async throws -> RecordSummary

  /// A function that draws the state of a checkpoint in the environment of the log's header.
  ///
  /// It throws `LogDecodingError` if the state can't be decoded, and the errors of the app's function.
  public typealias Drawing =
    @MainActor @Sendable (LogEvent.Checkpoint, LogEvent.Header) throws -> ReplayPicture

  /// Creates an entry.
  ///
  /// - Parameters:
  ///   - name: The name of the feature in the headers of its logs.
  ///   - stateType: The name of the state type without the module.
  ///   - schemaVersion: The version of the schema. If `nil`, the version of a `SchemaVersioned` state is used.
  ///   - migrations: The migrations of older logs, in the order of their versions.
  ///   - types: The types of the states and actions.
  ///   - makeEngine: A closure that makes an engine for one log.
  ///   - record: A closure that runs the feature live with a recorder attached.
  ///   - picture: A closure that draws a state.
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
