import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Checks whether a value differs between a replay and further replays in other settings, or at a later time.
struct EnvironmentSensitivityCheck: Sendable {
  private let hosts: HostPool
  private let options: ReplayOptions
  private let place: UnstablePath.Key
  /// The case names on the path of the action that produces the value.
  private let action: [String]
  private let attempts: [Attempt]
  /// A closure that waits until clocks show a different time.
  private let pause: @Sendable () -> Void

  /// A replay in which the value may differ.
  private struct Attempt {
    let setting: AuditEnvironment
    /// Whether to wait before the replay until clocks show a different time.
    var isLater = false
  }

  /// The number of replays in the same setting.
  ///
  /// One is not enough, because random values can be equal by chance.
  private static let repetitions = 8

  /// Creates a check for the value at a path.
  ///
  /// - Parameters:
  ///   - place: The path whose values differ, with the reasons that were found for it.
  ///   - settings: The settings to try. The first one must be the setting of the replay passed to `differs(from:)`.
  ///   - hosts: The hosts that replay logs.
  ///   - options: The replay options.
  ///   - pause: A closure that waits until clocks show a different time.
  init(
    of place: UnstablePath,
    among settings: [AuditEnvironment],
    hosts: HostPool,
    options: ReplayOptions,
    pause: @escaping @Sendable () -> Void
  ) {
    self.hosts = hosts
    self.options = options
    self.place = place.key.anyID
    self.pause = pause
    action = place.action?.caseNames ?? []
    attempts = Self.attempts(for: place.reasons, among: settings)
  }

  private static func attempts(
    for reasons: [UnstablePath.DifferenceReason],
    among settings: [AuditEnvironment]
  ) -> [Attempt] {
    guard let own = settings.first else { return [] }
    var attempts: [Attempt] = []
    for setting in settings.dropFirst() {
      let factors = setting.factors(differingFrom: own).map(UnstablePath.DifferenceReason.init)
      if factors.contains(where: reasons.contains) || reasons.contains(.unknown) {
        attempts.append(Attempt(setting: setting))
      }
    }
    if reasons.contains(.random) {
      attempts += Array(repeating: Attempt(setting: own), count: repetitions)
    }
    if reasons.contains(.clock) {
      attempts += [Attempt(setting: own), Attempt(setting: own, isLater: true)]
    }
    return attempts
  }

  /// Returns whether the value differs between a replay and another replay of the same log.
  ///
  /// - Parameter outcome: A replay in the first setting.
  /// - Returns: Whether any of the other replays has another value at the path.
  /// - Throws: `HostFailure`, `StreamError`, `Interrupted`.
  func differs(from outcome: EventReplayer.ReplayedEvents) throws -> Bool {
    let actions = outcome.events.actionCases
    guard place.aspect == .trap || outcome.trap == nil, actions.values.contains(action) else {
      return false
    }
    let log = outcome.events.asRecorded
    for attempt in attempts {
      if attempt.isLater { pause() }
      var options = options
      options.environment.merge(attempt.setting.environment) { $1 }
      let other = try EventReplayer(hosts: hosts, options: options).replay(log)
      if try differ(outcome, other, actions) { return true }
    }
    return false
  }

  private func differ(
    _ first: EventReplayer.ReplayedEvents,
    _ other: EventReplayer.ReplayedEvents,
    _ actions: [Int: [String]]
  ) throws -> Bool {
    if place.aspect == .trap { return first.trap != other.trap }
    let differences = try UnstablePathFinder.differences(
      between: UnstablePathFinder.Replay(first),
      and: UnstablePathFinder.Replay(other)
    )
    .differences
    return differences.contains {
      UnstablePath.Key($0).anyID == place && actions[$0.seq] == action
    }
  }
}

extension [LogEvent] {
  /// The case names on the path of each action, keyed by action number.
  var actionCases: [Int: [String]] {
    reduce(into: [:]) { cases, event in
      if case .action(let action) = event { cases[action.seq] = action.action.caseNames }
    }
  }
}
