import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Compares a replay of a log with replays in other settings, or later in the same setting, at one path.
struct SettingComparison: Sendable {
  private let hosts: HostPool
  private let options: ReplayOptions
  private let place: UnstablePath.Key
  /// The case names of the action.
  private let action: [String]
  private let attempts: [Attempt]
  /// Waits until clocks show a different time.
  private let pause: @Sendable () -> Void

  /// A replay that may differ.
  private struct Attempt {
    let setting: AuditSetting
    /// Whether to wait for a different clock time first.
    var isLater = false
  }

  /// The number of repetitions of a setting, because random numbers may be equal by chance.
  private static let repetitions = 8

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - place: The path to compare, with the reasons for the difference.
  ///   - settings: The settings. The first one is that of the given replays.
  ///   - hosts: The hosts.
  ///   - options: The options of the replays.
  ///   - pause: Waits until clocks show a different time.
  init(
    of place: UnstablePath,
    among settings: [AuditSetting],
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
    among settings: [AuditSetting]
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

  /// Returns whether a replay in the first setting differs from another one at the path.
  ///
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
  /// The case names of the actions, by action number.
  var actionCases: [Int: [String]] {
    reduce(into: [:]) { cases, event in
      if case .action(let action) = event { cases[action.seq] = action.action.caseNames }
    }
  }
}
