import ActionLog
import ReplayEngine
import TestSupport

/// A long random log of the counter with many checkpoints, whose replay is identical.
package struct LongLog {
  private var random: SplitMix64
  private var input: [LogEvent] = []
  private var seq = 0
  /// The effects that have begun, with action numbers that do not count actions from reducers.
  private var running: [EffectID] = []

  /// Returns the lines of a log.
  ///
  /// - Parameters:
  ///   - seed: The seed of the log.
  ///   - actions: The number of actions from outside.
  ///   - effects: The average number of actions for each action that starts effects.
  /// - Returns: The lines.
  /// - Throws: The errors of a replay.
  package static func lines(seed: UInt64, actions: Int, effects: Int = 12) throws -> [String] {
    var log = try LongLog(random: SplitMix64(seed: seed))
    for _ in 0..<actions { log.add(effects) }
    log.input.append(.end(LogEvent.End(seq: log.seq, reason: "closed")))
    return try replayed(log.input)
  }

  /// Returns the lines of a log with all possible checkpoints.
  ///
  /// - Parameters:
  ///   - lines: The log.
  ///   - makeEngine: Creates the engine of its feature.
  /// - Returns: The lines, with a header of this version's recorder.
  /// - Throws: The errors of reading and replaying.
  package static func withCheckpoints(
    _ lines: [String],
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> [String] {
    var reader = SampleLog.reader(lines)
    var events: [LogEvent] = []
    while let entry = try reader.next() {
      var event = entry.event
      if case .header(var header) = event {
        header.recorder = Version.current
        event = .header(header)
      }
      // Events that occur while an action is reduced follow its change.
      let belongs = if case .effect = event { true } else { event.kind == "call" }
      if case .change(let change) = events.last, !belongs {
        events.append(.checkpoint(LogEvent.Checkpoint(seq: change.seq, state: [:])))
      }
      events.append(event)
    }
    return try replayed(events, makeEngine: makeEngine)
  }

  private static func replayed(
    _ events: [LogEvent],
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine = { _ in CounterEngine() }
  ) throws -> [String] {
    var rest = events[...]
    var session = ReplaySession(
      isPruning: true,
      events: { rest.popFirst() },
      makeEngine: makeEngine
    )
    var lines: [String] = []
    while let event = try session.next() {
      if case .finding = event { continue }
      lines.append(String(decoding: event.line, as: UTF8.self))
    }
    return lines
  }

  private init(random: SplitMix64) throws {
    self.random = random
    let state: JSON = ["count": 0, "id": ""]
    input = [.checkpoint(LogEvent.Checkpoint(seq: 0, state: state))]
    guard case .header(var header)? = try SampleLog.events(SampleLog.lines)() else { return }
    header.recorder = Version.current
    input.insert(.header(header), at: 0)
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func add(_ effects: Int) {
    switch number(8) {
    case 0 where number(effects) < 8: start()
    case 1 where !running.isEmpty: turn()
    case 2:
      action(["add": [:]], reading: .string("A-\(number(1000))"))
    case 3: input.append(.note(LogEvent.Note(seq: seq, at: seq, text: "note \(number(9))")))
    case 4: action(["burst": [:]])
    default: action(["increment": [:]])
    }
    guard number(4) == 0 else { return }
    if number(3) > 0 { while !running.isEmpty { turn() } }
    input.append(.checkpoint(LogEvent.Checkpoint(seq: seq, state: [:])))
  }

  private mutating func start() {
    if number(2) == 0 {
      action(["load": [:]])
      running.append(EffectID(seq: seq, index: 0))
    } else {
      action(["chain": [:]])
      running.append(EffectID(seq: seq, index: 0))
      running.append(EffectID(seq: seq, index: 2))
    }
  }

  private mutating func turn() {
    guard let id = running.first else { return }
    if number(2) == 0 {
      return action(["loaded": ["_0": .number(JSON.Number(number(50)))]], from: .effect(id))
    }
    running.removeFirst()
    if id.index > 0 { input.append(.effect(LogEvent.Effect(id: id, event: .started, at: seq))) }
    let sent = input.count {
      if case .action(let action) = $0 { action.origin.directEffect == id } else { false }
    }
    input.append(.effect(LogEvent.Effect(id: id, event: .finished(sent: sent), at: seq)))
  }

  private mutating func action(
    _ action: JSON,
    from origin: LogEvent.Origin = .view,
    reading value: JSON? = nil
  ) {
    seq += 1
    input.append(
      .action(LogEvent.Action(seq: seq, at: seq * 10, origin: origin, action: action))
    )
    if let value { input.append(.read(LogEvent.Read(seq: seq, key: "uuid", value: value))) }
    input.append(.change(LogEvent.Change(seq: seq, patch: JSON.Patch(), us: number(90))))
  }
}
