import ActionLog
import Foundation

/// Actions that a host does not give one by one, for nothing came of them but what was recorded.
///
/// A tool that reads the same log asks for it in the host's environment. Where actions came out as recorded, such a host gives one
/// line for many, `{"kind":"passed","seq":N}`: all through action N. It does not say any more which action it reduces, so a tool
/// that loses the host, or sees another log than the host does, asks again for every event.
package enum HostPasses {
  /// The variable of the environment by which a tool asks for it.
  package static let variable = "TCA_REPLAY_PASSES"
  private static let kind = "passed"

  /// Actions are passed that the recording does not have so, or where the comparison cannot take them.
  struct Misfit: Error, Hashable {
    /// The last of them.
    let seq: Int
  }

  /// What a host writes for all actions through this one.
  package static func event(through seq: Int) -> LogEvent {
    var object = JSON.Object()
    object["kind"] = .string(kind)
    object["seq"] = .number(JSON.Number(seq))
    return .unknown(kind: kind, object)
  }

  /// The last of the actions of which an event tells.
  package static func last(of event: LogEvent) -> Int? {
    guard case .unknown(kind, let object) = event else { return nil }
    return object["seq"]?.int
  }
}

extension ReplaySession {
  /// The next event, where it may tell of many actions that came out as recorded.
  ///
  /// - Throws: As `next()`.
  package mutating func nextPassing() throws -> LogEvent? {
    if isInStep, let passed = try passAlike() { return HostPasses.event(through: passed.seq) }
    let event = try next()
    switch event {
    case .note, .call, .unknown, .finding: isInStep = false
    default: isInStep = true
    }
    return event
  }
}

/// The events of a host that may pass actions.
package struct PassingEvents {
  package let recording: RecordedEvents
  /// What has been read to see whether it passes any.
  private var held: LogEvent?

  /// Events beside a recording, from which the actions are taken that a host passes.
  package init(_ recording: RecordedEvents) { self.recording = recording }

  /// The next event of an action that is not passed.
  ///
  /// - Throws: `HostPasses.Misfit` where actions are passed instead, and what `read` throws.
  package mutating func next(_ read: () throws -> LogEvent?) throws -> LogEvent? {
    guard let event = try held.take() ?? read() else { return nil }
    if let last = HostPasses.last(of: event) { throw HostPasses.Misfit(seq: last) }
    return event
  }

  /// The actions that are passed next.
  ///
  /// - Throws: `HostPasses.Misfit` when the recording does not have them, `LogReadError`, and what `read` throws.
  package mutating func passed(
    _ read: () throws -> LogEvent?
  ) throws -> LogComparison.PassedActions? {
    held = try held ?? read()
    guard let last = held.flatMap(HostPasses.last) else { return nil }
    held = nil
    guard let passed = try recording.take(through: last) else {
      throw HostPasses.Misfit(seq: last)
    }
    return passed
  }
}

extension RecordedEvents {
  /// Takes actions with their changes through one of them, of which a host says that they came out as recorded.
  ///
  /// - Returns: The actions with their patches; `nil` when the log does not have them so.
  /// - Throws: `LogReadError`.
  package func take(through seq: Int) throws(LogReadError) -> LogComparison.PassedActions? {
    guard var source = takeSource() else { return nil }
    defer { putBack(source) }
    var patches = LoggedPatches()
    while true {
      guard let (lines, _) = source.peekPlainLines(), let end = source.end(of: lines) else {
        guard try source.readAhead() else { return nil }
        continue
      }
      guard lines.seq <= seq else { return nil }
      source.take(end)
      patches.append(end.patch, of: lines.seq)
      if lines.seq == seq { return LogComparison.PassedActions(seq: seq, patches: patches) }
    }
  }
}
