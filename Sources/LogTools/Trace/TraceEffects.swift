import ActionLog
import ReplayEngine

/// The effects of a recording in a trace: a lane for each, with the calls that it makes within.
struct TraceEffects {
  /// An effect that runs.
  private struct Open {
    let name: String
    let begin: TraceTime
    /// The time that its calls have taken on its lane, from the first to the last.
    var calls: ClosedRange<TraceTime>?
  }

  private let track: TraceWriter.Track
  private let notation: Notation
  private var open: [EffectID: Open] = [:]
  /// Effects that ran already when the log began, until it states a time.
  private var held: [EffectLives.Alive] = []
  /// Calls that have ended, until it is known that their effects ran on.
  private var calls: [LogEvent.Call] = []
  /// How many calls have lanes of their own.
  private var ownLanes = 0

  init(_ track: TraceWriter.Track, _ notation: Notation) {
    self.track = track
    self.notation = notation
  }

  /// A begin and an end on one lane have the same id.
  private func lane(_ id: EffectID) -> String { "\(track.process):\(id)" }

  // MARK: - Lives

  /// Takes the beginning of an effect; `now` is the latest time that is known.
  mutating func openEffect(
    _ effect: EffectLives.Alive,
    _ lives: EffectLives,
    now: TraceTime?,
    _ writer: inout TraceWriter
  ) {
    // It is there already, in the segment before.
    guard open[effect.id] == nil else { return }
    // It only has to return; in its own recording it was ended when it was cancelled.
    guard effect.start != nil || lives.known[effect.id]?.isCancelled != true else { return }
    guard let time = effect.start.map({ TraceTime(microseconds: $0) }) ?? now else {
      return held.append(effect)
    }
    let name = lives.name(of: effect)
    open[effect.id] = Open(name: name, begin: time)
    var arguments = TraceArguments()
    arguments.add("effect", effect.id.description)
    if let known = lives.known[effect.id] {
      arguments.add("source", known.source.map { Notation.visible($0) })
      arguments.add("cancelID", known.cancelID)
    }
    if effect.start == nil { arguments.add("cut", Wording.ranBefore) }
    write(.asyncBegin, name, on: lane(effect.id), at: time, arguments, &writer)
  }

  /// Takes the end of an effect, for which it need not be alive here.
  mutating func endEffect(_ turn: LogEvent.Effect, _ writer: inout TraceWriter) {
    // What never began in the trace has no end.
    held.removeAll { $0.id == turn.id }
    guard open[turn.id] != nil else { return }
    var arguments = TraceArguments()
    let text = Wording.turn(turn, notation)
    arguments.add("end", String(text.dropFirst("effect \(turn.id) ".count)))
    close(turn.id, at: TraceTime(microseconds: turn.at), arguments, &writer)
  }

  private mutating func close(
    _ id: EffectID,
    at time: TraceTime,
    _ arguments: TraceArguments,
    _ writer: inout TraceWriter
  ) {
    for call in calls where call.id == id { write(call, nests: false, &writer) }
    calls.removeAll { $0.id == id }
    guard let effect = open.removeValue(forKey: id) else { return }
    write(.asyncEnd, effect.name, on: lane(id), at: max(time, effect.begin), arguments, &writer)
  }

  /// Takes a time that the log states: what was to begin begins, and calls that have ended by then are within their effects.
  mutating func arrive(at time: TraceTime, _ lives: EffectLives, _ writer: inout TraceWriter) {
    if !held.isEmpty {
      let begun = held
      held = []
      for effect in begun { openEffect(effect, lives, now: time, &writer) }
    }
    guard !calls.isEmpty else { return }
    let ended = calls.filter { $0.end <= time }
    guard !ended.isEmpty else { return }
    calls.removeAll { $0.end <= time }
    for call in ended { write(call, nests: true, &writer) }
  }

  /// Ends the effects that a checkpoint no longer has: they ended where something is missing.
  mutating func retain(
    only effects: [EffectDescription],
    now: TraceTime,
    _ writer: inout TraceWriter
  ) {
    let alive = Set(effects.flatMap(\.flattened).compactMap(\.id))
    endAll(now, Wording.endedUnseen, &writer) { !alive.contains($0) }
  }

  /// Ends all effects with the log.
  mutating func finish(at time: TraceTime, _ lives: EffectLives, _ writer: inout TraceWriter) {
    let time = calls.reduce(time) { max($0, $1.end) }
    arrive(at: time, lives, &writer)
    endAll(time, Wording.runsOn, &writer) { _ in true }
  }

  private mutating func endAll(
    _ time: TraceTime,
    _ reason: String,
    _ writer: inout TraceWriter,
    where isEnded: (EffectID) -> Bool
  ) {
    var arguments = TraceArguments()
    arguments.add("cut", reason)
    for id in open.keys.filter(isEnded).sorted() { close(id, at: time, arguments, &writer) }
  }

  // MARK: - Calls

  /// Takes a call, which has ended now.
  mutating func endCall(_ call: LogEvent.Call, _ writer: inout TraceWriter) {
    if open[call.id] == nil { write(call, nests: false, &writer) } else { calls.append(call) }
  }

  /// Writes a call: on the lane of its effect where it lies within the effect, and beside or around earlier calls; else on one of
  /// its own.
  private mutating func write(
    _ call: LogEvent.Call,
    nests: Bool,
    _ writer: inout TraceWriter
  ) {
    let time = call.begin...call.end
    var lane = lane(call.id)
    if nests, let effect = open[call.id], effect.begin <= time.lowerBound,
      let taken = Self.union(effect.calls, time)
    {
      open[call.id]?.calls = taken
    } else {
      ownLanes += 1
      lane += "/\(ownLanes)"
    }
    let name = Notation.visible(call.key)
    var begin = TraceArguments()
    begin.add("effect", call.id.description)
    begin.add("arguments", call.arguments.map { notation.value($0) })
    var end = TraceArguments()
    switch call.outcome {
    case .returned(let value): end.add("result", notation.value(value))
    case .threw(let error): end.add("error", notation.value(error))
    case nil: end.add("cut", Wording.runsOn)
    }
    if call.isCancelled { end.add("cancelled", Wording.taskWasCancelled) }
    write(.asyncBegin, name, on: lane, at: time.lowerBound, begin, &writer)
    write(.asyncEnd, name, on: lane, at: time.upperBound, end, &writer)
  }

  /// The time that calls take together; `nil` where they overlap and neither is within the other.
  private static func union(
    _ taken: ClosedRange<TraceTime>?,
    _ time: ClosedRange<TraceTime>
  ) -> ClosedRange<TraceTime>? {
    guard let taken else { return time }
    let isAfter = time.lowerBound >= taken.upperBound
    let isAround = time.lowerBound < taken.lowerBound && time.upperBound > taken.upperBound
    guard isAfter || isAround else { return nil }
    return min(taken.lowerBound, time.lowerBound)...max(taken.upperBound, time.upperBound)
  }

  private func write(
    _ phase: TraceWriter.EventPhase,
    _ name: String,
    on lane: String,
    at time: TraceTime,
    _ arguments: TraceArguments,
    _ writer: inout TraceWriter
  ) {
    // Of one category: viewers put events of one category and id on one lane.
    writer.write(phase, "effect", name, on: track, at: time) {
      $0.member(text: "id", lane)
      $0.arguments(arguments)
    }
  }
}

extension LogEvent.Call {
  fileprivate var begin: TraceTime { TraceTime(microseconds: at) }
  fileprivate var end: TraceTime { begin + TraceTime(microseconds: us) }
}
