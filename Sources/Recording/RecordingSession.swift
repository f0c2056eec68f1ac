public import ActionLog
import Foundation
import Synchronization

/// The recording of one feature in one store, for any implementation of the model.
///
/// The model says what happens: an action begins, it has read a value, changed the state and started effects, an effect has
/// ended. The session numbers the actions and writes the log.
///
/// What is written is whole lines. A change waits for the next action, so that one call of the system writes both, or
/// for the store to fall idle. An action is in the kernel's hands before its reducer runs, a read before its value is
/// returned: what a crash leaves behind ends with what was being done.
public final class RecordingSession: Sendable {
  let contents: Mutex<SessionContents>
  let filter: ActionFilter
  /// Whether nothing but the recorded reducer changes the state.
  package let isOnlyWriter: Bool
  /// Whether something must not leave the process, so that events are looked at before they are written.
  let isMasked: Bool

  /// What the session asks of the implementation of the model.
  let model: any RecordedModel

  /// One action on its way through the reducer.
  public struct Step: Sendable {
    /// The action's number in the log.
    public internal(set) var seq = 0
    var origin = LogEvent.Origin.view
    var at = 0
    /// Whether the configuration leaves the action out of the log.
    public internal(set) var isExcluded = false

    /// No action.
    public init() {}

    init(seq: Int, origin: LogEvent.Origin, at: Int, isExcluded: Bool) {
      self.seq = seq
      self.origin = origin
      self.at = at
      self.isExcluded = isExcluded
    }
  }

  /// A session that has not begun: the first action begins it.
  ///
  /// - Parameters:
  ///   - feature: The feature's name in the log.
  ///   - stateType: The name of its state's type.
  ///   - isOnlyWriter: Whether nothing but the recorded reducer changes the state. Otherwise the whole state is compared with
  ///     what was written of it, before and after each action.
  ///   - model: What the session asks of the implementation of the model.
  ///   - configuration: Where the log goes, and what is masked or left out.
  public init(
    feature: String,
    stateType: String,
    isOnlyWriter: Bool,
    model: any RecordedModel,
    configuration: RecorderConfiguration
  ) {
    filter = configuration.actions
    self.isOnlyWriter = isOnlyWriter
    self.model = model
    isMasked = !configuration.masks.isEmpty
    contents = Mutex(
      SessionContents(feature: feature, stateType: stateType, configuration: configuration)
    )
  }
}

// What is written is written by code of the app's, so it runs under no lock.
extension RecordingSession {
  /// Whether an action is written as it is, without a look at its value.
  var writesAtOnce: Bool { !isMasked && filter.isEmpty }

  /// Takes note of an action.
  ///
  /// - Returns: The lines before it; nil when something is to be done before it.
  func begin(_ sender: ActionSender, ifReady: Bool) -> SessionContents.Begun? {
    contents.withLock { contents in
      guard !ifReady || contents.isReady else { return nil }
      let step = contents.begin(sender, isExcluded: false)
      return SessionContents.Begun(step: step, lines: contents.take())
    }
  }

  /// Hands out the tracked state and the lines before a change; nil when the store has gone.
  func beginChange() -> (tracker: StateTracker?, lines: [UInt8]?)? {
    contents.withLock { contents in
      contents.isClosed ? nil : (contents.tracker.take(), contents.take())
    }
  }

  /// Takes both back.
  func endChange(
    _ lines: consuming [UInt8],
    isWritten: Bool,
    _ tracker: consuming StateTracker?
  ) {
    var lines: [UInt8]? = consume lines
    var tracker = consume tracker
    contents.withLock { contents in
      contents.tracker = tracker.take()
      if isWritten, let lines = lines.take() { contents.restore(lines, flushing: false) }
    }
  }

  /// Takes note of the effects that an action has started.
  ///
  /// Called before `didReduce` for an action that returned effects.
  ///
  /// - Parameters:
  ///   - effects: What the reducer returned.
  ///   - step: The action.
  /// - Returns: The effects as the log has them.
  public func start(_ effects: [EffectDescription], of step: Step) -> [EffectDescription] {
    let written = filter.isEmpty ? effects : effects.map { filter.applied(to: $0) }
    contents.withLock { $0.start(written, of: step) }
    return written
  }

  /// Writes an action that is looked at before, and hands it to the kernel with all that waited.
  ///
  /// - Returns: The action's number and whether it is written.
  func willReduce(_ action: some Any, from sender: ActionSender, state: some Any) -> Step {
    let json = JSON(logging: action)
    let isExcluded = !filter.isEmpty && !filter.admits(json)
    prepare(for: state)
    return contents.withLock { contents in
      let step = contents.begin(sender, isExcluded: isExcluded)
      guard !isExcluded else {
        contents.learn(json, in: .action)
        return step
      }
      contents.write(
        .action(LogEvent.Action(seq: step.seq, at: step.at, origin: step.origin, action: json))
      )
      contents.flush()
      return step
    }
  }

  /// Writes an answer and hands it to the kernel; of an excluded action's, only what is to be masked is kept in mind.
  ///
  /// - Parameters:
  ///   - key: What was asked, such as `uuid`.
  ///   - value: The answer.
  ///   - seq: The number of the action whose reducer asked.
  ///   - isExcluded: Whether that action is left out of the log.
  public func didRead(_ key: String, value: some Any, seq: Int, isExcluded: Bool) {
    guard isMasked else {
      guard !isExcluded, let lines = contents.withLock({ $0.take() }) else { return }
      var encoder = LogEncoder(appendingTo: lines)
      encoder.writeRead(seq: seq, key: key, value)
      return restore(encoder.take(), flushing: true)
    }
    let json = JSON(logging: value)
    contents.withLock { contents in
      guard !isExcluded else { return contents.learn(json, in: .read, key: key) }
      contents.write(.read(LogEvent.Read(seq: seq, key: key, value: json)))
      contents.flush()
    }
  }

  func restore(_ lines: consuming [UInt8], flushing: Bool) {
    var lines: [UInt8]? = consume lines
    contents.withLock { $0.restore(lines.take() ?? [], flushing: flushing) }
  }
}

extension RecordingSession {
  /// Writes an event in the life of an effect.
  ///
  /// An effect may end when the log has ended; that is not written.
  ///
  /// - Parameters:
  ///   - id: The effect, as `start(_:of:)` was given it.
  ///   - event: What has happened to it.
  public func effect(_ id: EffectID, did event: EffectEvent) {
    // What an error says of itself is the app's code, and runs under no lock.
    var failure: JSON?
    if case .failed(let error) = event { failure = JSON(logging: error) }
    contents.withLock { contents in
      guard !contents.isClosed else { return }
      let event: LogEvent.Effect.Event =
        switch event {
        case .started: .started
        case .finished(let sent): .finished(sent: sent)
        case .failed: .failed(failure ?? .null)
        case .cancelled(let canceller, let dropping):
          .cancelled(
            by: contents.canceller(canceller, of: id, isWhole: isOnlyWriter),
            dropping: dropping
          )
        }
      let turn = LogEvent.Effect(id: id, event: event, at: contents.now)
      contents.alive.follow(turn)
      contents.write(.effect(turn))
    }
  }

  /// Hands what waits to the kernel: the store has handled all actions, or an effect has changed.
  public func storeDidFallIdle() { contents.withLock { $0.flush(isIdle: true) } }

  /// Ends the log: the store has gone, or the recorded feature has gone from it.
  public func storeDidClose() { contents.withLock { $0.close() } }
}

extension RecordingSession {
  /// Hands to the system what waits to be written.
  public func flush() { contents.withLock { $0.flush() } }

  /// Makes a mark in the log.
  ///
  /// - Parameter text: What the mark says.
  public func note(_ text: String) {
    contents.withLock { contents in
      contents.write(.note(LogEvent.Note(seq: contents.seq, at: contents.now, text: text)))
      contents.flush()
    }
  }

  /// One log of all segments that are held.
  func exported() throws -> [UInt8] {
    let segments = try contents.withLock { contents in
      contents.flush()
      return try contents.storage.read()
    }
    return LogSegments.joined(segments)
  }

  var problem: String? { contents.withLock { $0.outage?.reason } }

  var isClosed: Bool { contents.withLock { $0.isClosed } }

  var unmatchedMasks: [String] { contents.withLock { $0.unmatchedMasks } }
}

extension RecordingSession {
  /// Sees to it that the next action can be written: that there is a segment with room, and the state is as the log has it.
  func prepare(for state: some Any) {
    let (hasBegun, isDue) = contents.withLock { contents in
      (contents.hasBegun || contents.isClosed, contents.isCheckpointDue)
    }
    guard hasBegun else { return begin(with: state) }
    if isDue || !contents.withLock({ isOnlyWriter && $0.isReady }) { goOn(with: state, isDue) }
  }

  private func goOn(with state: some Any, _ isDue: Bool) {
    let patch = follow { tracker, encoder in tracker.write(state, into: &encoder) }
    let masked = isMasked ? masked(patch, [], from: state, to: state).patch : patch
    let shared = patch.isEmpty ? nil : places(in: state)
    let snapshot = isDue ? self.snapshot(of: state, json: JSON(logging: state)) : nil
    contents.withLock { $0.goOn(masked, shared: shared, snapshot) }
  }

  private func begin(with state: some Any) {
    var tracker: StateTracker? = StateTracker(isOnlyWriter: isOnlyWriter, splices: !isMasked)
    let json = tracker?.begin(state) ?? .null
    let snapshot = snapshot(of: state, json: json)
    let environment = RecordingEnvironment.json(with: model.environment)
    let scope = model.scope
    contents.withLock { contents in
      contents.tracker = tracker.take()
      contents.begin(snapshot, environment: environment, scope: scope)
    }
  }

  /// What has changed in the state.
  ///
  /// - Parameter write: Has the tracker write the operations into the array that the encoder has opened.
  /// - Returns: The operations.
  func follow(_ write: (inout StateTracker, inout LogEncoder) -> Void) -> JSON.Patch {
    guard var tracker = contents.withLock({ $0.tracker.take() }) else { return JSON.Patch() }
    var encoder = LogEncoder()
    encoder.beginArray()
    write(&tracker, &encoder)
    encoder.endArray()
    contents.withLock { $0.tracker = tracker }
    // What this process has just written can be read.
    return encoder.count == 2
      ? JSON.Patch() : (try? JSON.Patch(json: JSON(written: encoder))) ?? JSON.Patch()
  }

  private func snapshot(of state: some Any, json: JSON) -> SessionContents.Snapshot {
    SessionContents.Snapshot(
      state: json,
      shared: model.sharedPlaces(in: state),
      nextStackElement: model.nextStackElement
    )
  }
}
