import ActionLog
import Foundation
import Synchronization
import TestSupport

@testable import TCAReplay
@testable import TCAReplaying

/// A log as required by tests of live stores.
struct RecordedRun {
  let events: [LogEvent]

  init(_ path: String) throws {
    var reader = try LogReader(path: path)
    var events: [LogEvent] = []
    while let event = try reader.next()?.event { events.append(event) }
    self.events = events
  }

  /// Returns the states after the actions, according to the changes.
  func states() throws -> [Int: JSON] {
    var cursor = LogCursor()
    var states: [Int: JSON] = [:]
    for event in events {
      try cursor.move(to: event)
      try cursor.apply()
      switch event {
      case .checkpoint(let checkpoint): if states.isEmpty { states[checkpoint.seq] = cursor.state }
      case .change(let change): states[change.seq] = cursor.state
      default: break
      }
    }
    return states
  }

  /// Returns the actions after a given one, up to the first change outside an action.
  func actions(after seq: Int) -> [LogEvent.Action] {
    let end = events.firstIndex { event in
      switch event {
      case .external(let event): event.seq >= seq
      case .excluded(let event): event.seq > seq
      case .gap: true
      default: false
      }
    }
    return events[..<(end ?? events.count)].compactMap { event in
      if case .action(let action) = event, action.seq > seq { action } else { nil }
    }
  }

  /// The effects that send an action immediately and not after another effect.
  var sends: Set<EffectID> {
    var ids: Set<EffectID> = []
    for case .change(let change) in events {
      for effect in change.effects.flatMap(\.flattened) where effect.operation == .send {
        if let id = effect.id { ids.insert(id) }
      }
    }
    for case .effect(let effect) in events where effect.event == .started { ids.remove(effect.id) }
    return ids
  }

  /// Returns the recorded answers after an action, each of which is used once.
  func answers(after seq: Int) -> RecordedAnswers {
    RecordedAnswers(
      events.compactMap { event in
        if case .read(let read) = event, read.seq > seq { read } else { nil }
      }
    )
  }
}

/// The recorded answers to reducers, as the dependencies of a live store.
final class RecordedAnswers: RandomNumberGenerator, Sendable {
  private let rest: Mutex<[String: [JSON]]>

  init(_ reads: [LogEvent.Read]) {
    rest = Mutex(Dictionary(grouping: reads, by: \.key).mapValues { $0.map(\.value) })
  }

  private func next<Value>(_ key: String, else other: Value) -> Value {
    let json = rest.withLock { rest -> JSON? in
      guard rest[key]?.isEmpty == false else { return nil }
      return rest[key]?.removeFirst()
    }
    return json.flatMap { try? LogDecoder($0).value(Value.self) } ?? other
  }

  func next() -> UInt64 { next("random", else: 0) }

  /// Answers as in the log, with a clock that stands still.
  func answer(_ values: inout DependencyValues) {
    values.uuid = UUIDGenerator { [self] in next("uuid", else: UUID()) }
    values.date = DateGenerator { [self] in next("date", else: Date(timeIntervalSince1970: 0)) }
    values.withRandomNumberGenerator = WithRandomNumberGenerator(SharedGenerator(answers: self))
    values.continuousClock = TestClock()
    values.defaultFileStorage = .inMemory
    values.defaultAppStorage = settings
    values.defaultInMemoryStorage = InMemoryStorage()
  }

  /// The settings that reducers found first.
  private var settings: UserDefaults {
    let defaults = UserDefaults.inMemory
    let mark = "shared.appStorage("
    for (key, values) in rest.withLock({ $0 }) where key.hasPrefix(mark) {
      let name = String(key.dropFirst(mark.count).dropLast())
      guard let value = values.first else { continue }
      if let bool = value.bool { defaults.set(bool, forKey: name) }
      if let number = value.number { defaults.set(number.double, forKey: name) }
    }
    return defaults
  }

  private struct SharedGenerator: RandomNumberGenerator, Sendable {
    let answers: RecordedAnswers
    mutating func next() -> UInt64 { answers.next() }
  }
}

/// A reducer whose operations do nothing until they are canceled.
///
/// The log contains the actions that they sent.
struct WithoutOperations<Base: Reducer>: Reducer {
  let base: Base

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    Self.idle(base._reduce(into: &state, action: action))
  }

  private static func idle(_ effect: Effect<Base.Action>) -> Effect<Base.Action> {
    switch effect.operation {
    case .run(var run):
      guard !run.leaf.isInternal else { return effect }
      run.operation = { _ in try await Task.never() }
      return Effect(operation: .run(run))
    case .none, .send, .cancel: return effect
    case .merge(let effects): return Effect(operation: .merge(effects.map(idle)))
    case .concatenate(let effects): return Effect(operation: .concatenate(effects.map(idle)))
    case .cancellable(let inner, let id, let cancelInFlight):
      return Effect(operation: .cancellable(idle(inner), id, cancelInFlight: cancelInFlight))
    }
  }
}

/// Opens a log at some positions, and sends the following actions to live stores.
///
/// - Parameters:
///   - path: The path of the log.
///   - places: The number of positions.
///   - seed: The seed for choosing them.
///   - folder: The folder for the recordings of the live stores.
///   - follows: Whether the following actions are sent.
///   - initialState: The feature's initial state.
///   - reducer: Creates the feature.
/// - Returns: The differences between the stores and the log, and the paths of the new logs.
/// - Throws: An error of the log.
@MainActor
func openLive<R: Reducer & SendableMetatype>(
  _ path: String,
  places: Int,
  seed: UInt64,
  recordingIn folder: TemporaryFolder,
  follows: Bool = true,
  initialState: @escaping @Sendable () -> R.State,
  reducer: @escaping @Sendable () -> R
) throws -> (problems: [String], logs: [String])
where R.State: SendableMetatype, R.Action: SendableMetatype {
  let run = try RecordedRun(path)
  let states = try run.states()
  let sends = run.sends
  var random = SplitMix64(seed: seed)
  var problems: [String] = []
  var logs: [String] = []
  for place in 0..<places {
    guard let seq = states.keys.sorted().randomElement(using: &random) else { break }
    let answers = run.answers(after: seq)
    let new = "\(folder.path)/live-\(place).jsonl"
    let store = try Store(replaying: .file(path), through: seq) {
      WithoutOperations(base: reducer().recorded(to: .file(new)))
    } initialState: {
      initialState()
    } withDependencies: {
      answers.answer(&$0)
    }
    func compare(_ seq: Int) {
      let state = JSON(logging: store.withState { $0 })
      guard let recorded = states[seq], state != recorded else { return }
      let difference = JSON.differences(from: recorded, to: state).first
      problems.append(
        "seed \(seed), opened at \(place), after \(seq): \(String(describing: difference))"
      )
    }
    compare(seq)
    guard follows else { continue }
    var last = seq
    for action in run.actions(after: seq) {
      // The store itself sends the reducer's actions.
      if case .effect(let id, nil) = action.origin, id.seq > seq, sends.contains(id) {
        last = action.seq
        continue
      }
      if last > seq { compare(last) }
      guard problems.isEmpty else { break }
      // A shared value arrives with its old state, not with the current one.
      guard action.shared == nil else { break }
      store.send(try LogDecoder(action.action).value(R.Action.self))
      last = action.seq
    }
    if last > seq {
      compare(last)
      logs.append(new)
    }
  }
  return (problems, logs)
}
