public import ActionLog
package import Foundation

/// The settings that determine what a recorder writes, and where.
///
/// ```swift
/// var configuration = RecorderConfiguration(.ring("flight.jsonl", megabytes: 8))
/// configuration.masks.state = ["/user/email"]
/// configuration.actions.exclude = ["/timerTicked"]
/// let recorder = Recorder(configuration)
/// ```
public struct RecorderConfiguration: Sendable {
  /// The location to which the log is written.
  public var destination: LogDestination
  /// The kind of failure that written lines survive.
  public var durability = LogDurability.process
  /// The number of logs to keep at this destination, including the log that begins, or `nil` to keep all.
  ///
  /// When a recording begins, the oldest logs are deleted. Files that aren't logs with this name, and logs that a
  /// process is still writing, are never deleted.
  public var keptSessions: Int?
  /// The maximum age of the logs at this destination, in days since their last write, or `nil` for any age.
  ///
  /// Older logs are deleted when another recording begins, under the conditions of `keptSessions`.
  public var keptDays: Double?
  /// The maximum total size of the logs at this destination, in megabytes, or `nil` for any size.
  ///
  /// When a recording begins, the oldest logs are deleted until the limit is met, under the conditions of
  /// `keptSessions`.
  public var keptMegabytes: Double?
  /// The maximum number of bytes and actions per log, day, and second.
  public var limits = RecordingLimits()
  /// The filter that determines which actions the log includes.
  public var actions = ActionFilter()
  /// The filter that determines which dependency calls of effects the log includes, or `nil` for none, the default.
  ///
  /// Calls show the requests and responses of effects. A replay doesn't need them.
  public var calls: CallFilter?
  /// The masks that replace or remove values before they leave the process.
  public var masks = LogMasks()
  /// Whether opaque values are logged with a text of at most 4 kB.
  ///
  /// The default is `true` in debug builds. The commands `show`, `diff`, and `blame` print these texts, and a replay
  /// compares them.
  ///
  /// ```swift
  /// configuration.rendersOpaqueValues = false  // logs only the types of opaque values
  /// ```
  ///
  /// A recorder with masks never writes these texts, because mask paths can't reach into opaque values.
  public var rendersOpaqueValues = Self.isDebugBuild
  /// The identity of the app's build, which the header of the log contains, or `nil` to omit it.
  public var app: AppIdentity?

  private static var isDebugBuild: Bool {
    #if DEBUG
    true
    #else
    false
    #endif
  }

  /// Whether opaque values are logged as text, which masks prevent.
  package var isRendering: Bool { rendersOpaqueValues && masks.isEmpty }

  /// The system calls that write files, which tests replace.
  package var systemCalls = SystemCalls()
  /// A closure that returns the microseconds since the recording began, or `nil` to use the system's clock.
  package var now: (@Sendable () -> Int)?
  /// A closure that returns the current date, from which the age of logs is computed.
  package var date: @Sendable () -> Date = { Date() }
  /// A closure that reports a problem to the developer.
  package var complain: @Sendable (String) -> Void = RecorderWarnings.write
  /// The secret from which substitutes are derived, or `nil` for a random secret.
  package var maskSecret: (UInt64, UInt64)?

  /// Creates a configuration with a destination, and with the defaults for all other settings.
  public init(_ destination: LogDestination) { self.destination = destination }
}

/// A kind of failure that written lines survive.
///
/// ```swift
/// configuration.durability = .powerLoss
/// ```
public enum LogDurability: Sendable, Hashable {
  /// The log survives the end of the process for any reason, because the kernel has the written lines.
  case process
  /// The log also survives a power failure.
  ///
  /// Each write, and the directory entry of a new file, reaches the disk before the app continues.
  case powerLoss
}

/// The identity of an app's build, which the header of a log contains.
///
/// ```swift
/// configuration.app = AppIdentity(name: "Todos", version: "2.1", build: "418")
/// ```
public struct AppIdentity: Sendable, Hashable {
  /// The app's name, such as `Todos`.
  public var name: String?
  /// The app's version, such as `2.1`.
  public var version: String?
  /// The build number, such as `418`.
  public var build: String?
  /// The revision of the source code, such as a commit hash.
  public var revision: String?

  /// Creates an identity from the parts that are known.
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
