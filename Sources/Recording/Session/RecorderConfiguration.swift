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
  /// The failure that the log survives.
  public var durability = LogDurability.process
  /// The number of logs of this destination that are kept, including the one being written; `nil` keeps all.
  ///
  /// Only files that are logs of this name are deleted, the oldest first, and none that a process still writes.
  public var keptSessions: Int?
  /// The greatest age of the logs of this destination, in days since their last write; `nil` for any age.
  ///
  /// Older ones are deleted when another recording begins, as with `keptSessions`.
  public var keptDays: Double?
  /// The greatest size of all logs of this destination when a recording begins, in megabytes; `nil` for any size.
  ///
  /// The oldest are deleted, as with `keptSessions`.
  public var keptMegabytes: Double?
  /// The most that is written.
  public var limits = RecordingLimits()
  /// The actions that are written.
  public var actions = ActionFilter()
  /// The calls of dependency clients by effects that are written; `nil`, the default, for none.
  ///
  /// They say what effects asked for and got. A replay does not need them.
  public var calls: CallFilter?
  /// The values that are replaced, or left out, before they leave the process.
  public var masks = LogMasks()
  /// Whether values that the log does not hold stand in it with a text of at most 4 kB, so that `show`, `diff` and `blame` show
  /// them, and a replay compares the texts; in debug builds, if nothing else is said.
  ///
  /// ```swift
  /// configuration.rendersOpaqueValues = false  // such values stand in the log with their type alone
  /// ```
  ///
  /// A recorder with masks writes none, for no path leads into such a value.
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

  /// Whether values are rendered in the end.
  package var isRendering: Bool { rendersOpaqueValues && masks.isEmpty }

  /// The calls of the system.
  package var systemCalls = SystemCalls()
  /// Microseconds since the recording began, when not by the real clock.
  package var now: (@Sendable () -> Int)?
  /// The time by which files are old.
  package var date: @Sendable () -> Date = { Date() }
  /// Says what the developer should know, once for each problem.
  package var complain: @Sendable (String) -> Void = Complaint.write
  /// The secret by which substitutes are drawn, when not one of its own.
  package var maskSecret: (UInt64, UInt64)?

  /// A configuration with defaults for everything but the destination.
  public init(_ destination: LogDestination) { self.destination = destination }
}

/// The failure that a log survives.
///
/// ```swift
/// configuration.durability = .powerLoss
/// ```
public enum LogDurability: Sendable, Hashable {
  /// The end of the process, however it ends: what is written is in the kernel's hands.
  case process
  /// The end of power, too: each write, and the new file's place in its folder, is on the disk before the app goes on.
  case powerLoss
}

/// The build of the app that is recorded.
///
/// ```swift
/// configuration.app = AppIdentity(name: "Todos", version: "2.1", build: "418")
/// ```
public struct AppIdentity: Sendable, Hashable {
  /// The app's name.
  public var name: String?
  /// Its version.
  public var version: String?
  /// Its build.
  public var build: String?
  /// The revision of its source.
  public var revision: String?

  /// An identity.
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
