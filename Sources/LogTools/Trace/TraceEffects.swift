import ActionLog
import ReplayEngine

/// Traces the effects of a recording, each on a lane that also shows its calls.
struct TraceEffects {
  /// An effect that has begun in the trace and not ended.
  private struct OpenSlice {
    let name: String
    let begin: TraceTime
    /// The time range of the calls on the effect's lane, or `nil` if the lane has no calls.
    var calls: ClosedRange<TraceTime>?
  }

  private let track: TraceWriter.Track
  private let notation: Notation
  private var open: [EffectID: OpenSlice] = [:]
  /// Effects that were running when the log began.
  ///
  /// These effects begin in the trace at the first time that the log states.
  private var held: [EffectLifetimeStatistics.OpenEffect] = []
  /// Calls that have ended but have not been written.
  ///
  /// A call is written when a later event shows that its effect was still running at the end of the call.
  private var calls: [LogEvent.Call] = []
  /// The number of calls that are on lanes of their own.
  private var ownLanes = 0

  init(_ track: TraceWriter.Track, _ notation: Notation) {
    self.track = track
    self.notation = notation
  }

  /// Returns the id by which a viewer assigns the begin and the end of an effect to the same lane.
  private func lane(_ id: EffectID) -> String { "\(track.process):\(id)" }

  // MARK: - Effects

  /// Begins an effect at its start time, or at `now` if it was already running.
  mutating func openEffect(
    _ effect: EffectLifetimeStatistics.OpenEffect,
    _ lives: EffectLifetimeStatistics,
    now: TraceTime?,
    _ writer: inout TraceWriter
  ) {
    // An effect that is already open began in the previous segment.
    guard open[effect.id] == nil else { return }
    // An effect that was canceled before this log began has no slice here.
    guard effect.start != nil || lives.known[effect.id]?.isCancelled != true else { return }
    guard let time = effect.start.map({ TraceTime(microseconds: $0) }) ?? now else {
      return held.append(effect)
    }
    let name = lives.name(of: effect)
    open[effect.id] = OpenSlice(name: name, begin: time)
    var arguments = TraceArguments()
    arguments.add("effect", effect.id.description)
    if let known = lives.known[effect.id] {
      arguments.add("source", known.source.map { Notation.visible($0) })
      arguments.add("cancelID", known.cancelID)
    }
    if effect.start == nil { arguments.add("cut", Wording.ranBefore) }
    write(.asyncBegin, name, on: lane(effect.id), at: time, arguments, &writer)
  }

  /// Ends the slice of an effect, if the trace contains its beginning.
  mutating func endEffect(_ turn: LogEvent.Effect, _ writer: inout TraceWriter) {
    // A held effect has not begun in the trace, so it is removed without an end.
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

  /// Advances the trace to a time that the log states.
  ///
  /// Held effects begin, and calls that ended before this time are written on the lanes of their effects.
  mutating func arrive(
    at time: TraceTime,
    _ lives: EffectLifetimeStatistics,
    _ writer: inout TraceWriter
  ) {
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

  /// Ends the effects that are not in the first checkpoint after missing events, because their end events are missing.
  mutating func retain(
    only effects: [EffectDescription],
    now: TraceTime,
    _ writer: inout TraceWriter
  ) {
    let alive = Set(effects.flatMap(\.flattened).compactMap(\.id))
    endAll(now, Wording.endedUnseen, &writer) { !alive.contains($0) }
  }

  /// Ends all open effects at the end of the log.
  mutating func finish(
    at time: TraceTime,
    _ lives: EffectLifetimeStatistics,
    _ writer: inout TraceWriter
  ) {
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

  /// Adds a call when its end is read.
  mutating func endCall(_ call: LogEvent.Call, _ writer: inout TraceWriter) {
    if open[call.id] == nil { write(call, nests: false, &writer) } else { calls.append(call) }
  }

  /// Writes a call on the lane of its effect, or on a separate lane.
  ///
  /// The call uses the effect's lane if `nests` is `true`, the call starts after the effect, and the call comes after
  /// all earlier calls on the lane or encloses them.
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

  /// Returns the time range that covers the earlier calls and a new one.
  ///
  /// Returns `nil` unless the new call comes after the earlier calls or encloses them.
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
    // Effects share a category, because a viewer creates a lane for each pair of category and id.
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
