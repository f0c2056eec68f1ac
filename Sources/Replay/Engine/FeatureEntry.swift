public import ActionLog

/// One feature of a host: its names, an engine to replay it, and a way to record it.
///
/// ```swift
/// FeatureEntry(name: "Counter", stateType: "Counter.State", makeEngine: { CounterEngine() })
/// ```
public struct FeatureEntry: Sendable {
  /// The feature's name, as the header of its logs states it.
  public let name: String
  /// The name of its state type, without the module: a log finds its feature by it when the names differ.
  public let stateType: String
  /// Makes an engine for one log; the user sees the description of the error that it throws.
  public let makeEngine: @Sendable () throws -> any FeatureEngine
  /// Runs the feature live with a recorder attached; `nil` when the host cannot.
  public let record: Recording?
  /// The version of its schema; `nil` when the app counts none.
  public let schemaVersion: Int?
  /// The migrations of older logs, in the order of their versions.
  public let migrations: [Migration]

  /// The types of its states and actions, which say what a log could reach; `nil` when the host does not say.
  public let types: Types?

  /// Draws a state; `nil` when the feature has no pictures.
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

    /// The types of a feature.
    public init(state: any SendableMetatype.Type, action: any SendableMetatype.Type) {
      (self.state, self.action) = (state, action)
    }
  }

  /// Runs a feature live until the end of its script.
  public typealias Recording = @MainActor @Sendable (RecordRequest) async throws -> RecordSummary

  /// Draws the state of a checkpoint, in the environment that the header of its log has.
  ///
  /// It throws `LogDecodingError` when the state cannot be read, and what the app's function throws.
  public typealias Drawing =
    @MainActor @Sendable (LogEvent.Checkpoint, LogEvent.Header) throws -> ReplayPicture

  /// A feature.
  ///
  /// - Parameters:
  ///   - name: The name, as the header of its logs states it.
  ///   - stateType: The name of its state type, without the module.
  ///   - schemaVersion: The version of its schema; `nil` for that of a state that is `SchemaVersioned`.
  ///   - migrations: The migrations of older logs, in the order of their versions.
  ///   - types: The types of its states and actions.
  ///   - makeEngine: Makes an engine for one log.
  ///   - record: Runs the feature live with a recorder attached.
  ///   - picture: Draws a state.
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

/// The features of a host, among which a log finds its own.
package struct FeatureCatalog: Sendable {
  package let entries: [FeatureEntry]

  package init(_ entries: [FeatureEntry]) { self.entries = entries }

  /// The feature of a log: the one that the user names, else the one of the log's name, else the one of its state type.
  package func entry(
    for header: LogEvent.Header,
    named name: String? = nil
  ) throws(ReplayError)
    -> FeatureEntry
  {
    if let name { return try entry(named: name) }
    if let entry = entries.first(where: { $0.name == header.feature }) { return entry }
    if !header.stateType.isEmpty,
      let entry = entries.first(where: { $0.stateType == header.stateType })
    {
      return entry
    }
    throw .unknownFeature(
      header.feature,
      stateType: header.stateType,
      known: entries.map(\.name)
    )
  }

  /// Checks at the start, and not at the first old log, that the migrations of all features lead to their versions.
  ///
  /// - Throws: `MigrationError`.
  package func checkMigrations() throws(MigrationError) {
    for entry in entries { _ = try MigrationPlan(entry) }
  }

  /// The feature of a name.
  package func entry(named name: String) throws(ReplayError) -> FeatureEntry {
    guard let entry = entries.first(where: { $0.name == name }) else {
      throw .unknownFeature(name, stateType: "", known: entries.map(\.name))
    }
    return entry
  }
}
