public import ActionLog
package import Foundation

/// The settings of a recording.
///
/// ```swift
/// var configuration = RecorderConfiguration(.ring("flight.jsonl", megabytes: 8))
/// configuration.masks.state = ["/user/email"]
/// configuration.actions.exclude = ["/timerTicked"]
/// let recorder = Recorder(configuration)
/// ```
public struct RecorderConfiguration: Sendable {
  /// The destination of the log.
  public var destination: LogDestination
  /// The kind of failure that the log survives.
  public var durability = LogDurability.process
  /// The number of logs of this destination to keep, including the one being written; `nil` keeps all.
  ///
  /// When a recording begins, the oldest logs are deleted. Files that aren't logs of this name, and logs that a process
  /// still writes, are never deleted.
  public var keptSessions: Int?
  /// The maximum age of the logs of this destination, in days since their last write; `nil` for any age.
  ///
  /// Older logs are deleted when another recording begins, as with `keptSessions`.
  public var keptDays: Double?
  /// The maximum total size of the logs of this destination, in megabytes; `nil` for any size.
  ///
  /// When a recording begins, the oldest logs are deleted until the limit is met, as with `keptSessions`.
  public var keptMegabytes: Double?
  /// The maximum amounts per log, day and second.
  public var limits = RecordingLimits()
  /// The actions to include.
  public var actions = ActionFilter()
  /// The dependency calls of effects to include; `nil`, the default, for none.
  ///
  /// Calls show the requests and responses of effects. A replay doesn't need them.
  public var calls: CallFilter?
  /// The values to replace or remove before they leave the process.
  public var masks = LogMasks()
  /// Whether opaque values are logged with a text of at most 4 kB.
  ///
  /// The default is `true` in debug builds. The commands `show`, `diff` and `blame` print these texts, and a replay
  /// compares them.
  ///
  /// ```swift
  /// configuration.rendersOpaqueValues = false  // logs only the types of opaque values
  /// ```
  ///
  /// A recorder with masks never writes these texts, because mask paths can't reach into opaque values.
  public var rendersOpaqueValues = Self.isDebugBuild
  /// The identity of the app, for the header of the log.
  public var app: AppIdentity?

  private static var isDebugBuild: Bool {
    #if DEBUG
    true
    #else
    false
    #endif
  }

  /// Whether opaque values are rendered, considering the masks.
  package var isRendering: Bool { rendersOpaqueValues && masks.isEmpty }

  /// The system calls, which tests replace.
  package var systemCalls = SystemCalls()
  /// Returns the microseconds since the recording began; `nil` for the system's clock.
  package var now: (@Sendable () -> Int)?
  /// Returns the current date, from which the age of logs is computed.
  package var date: @Sendable () -> Date = { Date() }
  /// Reports a problem to the developer.
  package var complain: @Sendable (String) -> Void = Complaint.write
  /// The secret from which placeholders are derived; `nil` for a random one.
  package var maskSecret: (UInt64, UInt64)?

  /// Creates a configuration with defaults for all settings but the destination.
  public init(_ destination: LogDestination) { self.destination = destination }
}

/// The kind of failure that a log survives.
///
/// ```swift
/// configuration.durability = .powerLoss
/// ```
public enum LogDurability: Sendable, Hashable {
  /// The end of the process for any reason.
  ///
  /// Written lines are in the kernel.
  case process
  /// A power failure, too.
  ///
  /// Each write, and the directory entry of a new file, reaches the disk before the app continues.
  case powerLoss
}

/// The identity of the app's build.
///
/// ```swift
/// configuration.app = AppIdentity(name: "Todos", version: "2.1", build: "418")
/// ```
public struct AppIdentity: Sendable, Hashable {
  /// The app's name.
  public var name: String?
  /// The app's version, such as `2.1`.
  public var version: String?
  /// The build number, such as `418`.
  public var build: String?
  /// The revision of the source code, such as a commit hash.
  public var revision: String?

  /// Creates an identity.
  ///
  /// All parts are optional.
  public init(
    name: String? = nil,
    version: String? = nil,
    build: String? = nil,
    revision: String? = nil
  ) {
    self.name = name
    self.version = version
    self.build = build
    self.revision = revision
  }

  var json: JSON {
    var object = JSON.Object()
    object["name"] = name.map(JSON.string)
    object["version"] = version.map(JSON.string)
    object["build"] = build.map(JSON.string)
    object["revision"] = revision.map(JSON.string)
    return .object(object)
  }
}
