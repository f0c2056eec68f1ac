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
///
/// ```swift
/// let session = RecordingSession(
///   feature: "Counter", stateType: "Counter.State", ownsState: true, model: AppModel(), configuration: configuration)
/// let recording = FeatureRecording<Counter.State, Counter.Action>(session)
///
/// // After the last queued action, and when the store goes away.
/// session.storeDidFallIdle()
/// session.storeDidClose()
/// ```
public final class RecordingSession: Sendable {
  private let writer: Mutex<LogWriter>
  let filter: ActionFilter
  private let calls: CallFilter?
  /// Whether nothing but the recorded reducer changes the state.
  package let ownsState: Bool
  /// Whether something must not leave the process, so that events are looked at before they are written.
  let isMasked: Bool
  /// Whether opaque values are rendered.
  package let isRendering: Bool

  /// What is marked for the masks in what the app's values write of themselves; there with the masks and the type of the state.
  private let markings = AtomicLazyReference<LogMarkings>()
  private let masks: LogMasks

  /// What the session asks of the implementation of the model.
  let model: any RecordedModel

  /// One action on its way through the reducer.
  ///
  /// ```swift
  /// let step = recording.willReduce(action, from: sender, state: state)
  /// session.didRead("date", value: Date(), seq: step.seq, isExcluded: step.isExcluded)
  /// ```
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
  ///   - ownsState: Whether nothing but the recorded reducer changes the state. Otherwise the whole state is compared with
  ///     what was written of it, before and after each action.
  ///   - model: What the session asks of the implementation of the model.
  ///   - configuration: Where the log goes, and what is masked or left out.
  public init(
    feature: String,
    stateType: String,
    ownsState: Bool,
    model: any RecordedModel,
    configuration: RecorderConfiguration
  ) {
    filter = configuration.actions
    calls = configuration.calls
    self.ownsState = ownsState
    self.model = model
    masks = configuration.masks
    isMasked = !configuration.masks.isEmpty
    isRendering = configuration.isRendering
    writer = Mutex(
      LogWriter(feature: feature, stateType: stateType, configuration: configuration)
    )
  }
}

extension RecordingSession {
  /// Sets the type of the states, which has the version of the schema.
  func setStateType(_ type: Any.Type) {
    if let version = SchemaVersion.of(type) { writer.withLock { $0.setSchemaVersion(version) } }
    if isMasked { _ = markings.storeIfNil(LogMarkings(masks, of: type)) }
  }

  private var marks: LogMarkings? { markings.load() }

  /// A value as the log writes it, with marks when there are masks.
  private func json(_ value: some Any) -> JSON { JSON(logging: value, marking: marks) }
}

// What is written is written by code of the app's, so it runs under no lock.
extension RecordingSession {
  /// Whether an action is written as it is, without a look at its value.
  var writesAtOnce: Bool { !isMasked && filter.isEmpty }

  /// Takes note of an action.
  ///
  /// - Returns: The lines before it; nil when something is to be done before it.
  func startAction(_ sender: ActionSender, ifReady: Bool) -> LogWriter.BegunAction? {
    writer.withLock { writer in
      guard !ifReady || writer.isReady else { return nil }
      let step = writer.startAction(sender, isExcluded: false)
      return LogWriter.BegunAction(step: step, lines: writer.takeLines())
    }
  }

  /// The tracked state and the lines before a change, while the change is written.
  struct HeldChange: ~Copyable {
    var tracker: StateTracker?
    var lines: [UInt8]?
  }

  /// Hands out the tracked state and the lines before a change; nil when the store has gone.
  func beginChange() -> HeldChange? {
    writer.withLock { writer in
      if writer.isClosed { return nil }
      return HeldChange(tracker: writer.takeTracker(), lines: writer.takeLines())
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
    writer.withLock { writer in
      writer.restoreTracker(&tracker)
      if isWritten, let lines = lines.take() { writer.restoreLines(lines, flushing: false) }
    }
  }

  /// Goes on from a place in another log, before the first action.
  ///
  /// - Parameters:
  ///   - place: The log and the action.
  ///   - effects: The effects that are alive.
  package func resume(at place: LogEvent.Header.Continuation, with effects: LiveEffects) {
    writer.withLock { $0.resume(at: place, with: effects) }
  }

  /// Begins the log before the first action, and hands it to the kernel: a recording without an action is a log, too.
  ///
  /// - Parameter state: The state with which the log begins.
  package func start(with state: some Any) {
    guard !writer.withLock({ $0.hasBegun || $0.isClosed }) else { return }
    OpaqueRendering.run(isRendering) { openLog(with: state) }
    flush()
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
    return writer.withLock { $0.start(written, of: step) }
  }

  /// Writes an action that is looked at before, and hands it to the kernel with all that waited.
  ///
  /// - Returns: The action's number and whether it is written.
  func willReduce<Action, State>(
    _ action: Action,
    from sender: ActionSender,
    state: State
  ) -> Step {
    let written = SharedWrites.count
    let json = OpaqueRendering.run(isRendering) { self.json(action) }
    let isShared = SharedWrites.count != written
    let cases = isMasked ? CaseNames.of(action) : []
    let isExcluded = !filter.isEmpty && !filter.admits(json.unmarked)
    prepare(for: state)
    let shared = isShared && !isExcluded ? model.sharedPlaces(of: action, in: state) : nil
    return writer.withLock { writer in
      let step = writer.startAction(sender, isExcluded: isExcluded)
      guard !isExcluded else {
        writer.masks.beginExcluded(json)
        return step
      }
      let event = LogEvent.Action(
        seq: step.seq,
        at: step.at,
        origin: step.origin,
        action: json,
        shared: shared
      )
      writer.write(masked: writer.masks.startAction(event, cases: cases))
      writer.flush()
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
      guard !isExcluded, let lines = writer.withLock({ $0.takeLines() }) else { return }
      var encoder = LogEncoder(appendingTo: lines)
      OpaqueRendering.run(isRendering) { encoder.writeRead(seq: seq, key: key, value) }
      return restoreLines(encoder.releaseBytes(), flushing: true)
    }
    let json = json(value)
    writer.withLock { writer in
      guard !isExcluded else { return writer.masks.learn(json, in: .read, key: key) }
      writer.write(.read(LogEvent.Read(seq: seq, key: key, value: json)))
      writer.flush()
    }
  }

  func restoreLines(_ lines: consuming [UInt8], flushing: Bool) {
    var lines: [UInt8]? = consume lines
    writer.withLock { $0.restoreLines(lines.take() ?? [], flushing: flushing) }
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
    if case .failed(let error) = event { failure = json(error) }
    writer.withLock { $0.write(event, of: id, failure: failure, isWhole: ownsState) }
  }

  /// Whether calls that effects make are written.
  ///
  /// ```swift
  /// let number = session.recordsCalls ? session.effect(id, willCall: "APIClient.fetch", with: [42]) : nil
  /// ```
  public var recordsCalls: Bool { calls != nil }

  /// Takes note of a call that an effect makes.
  ///
  /// The arguments are written as they are now. The call's line is written when it ends, or when the log does.
  ///
  /// - Parameters:
  ///   - id: The effect, as `start(_:of:)` was given it.
  ///   - key: The client and the endpoint: `APIClient.fetch`.
  ///   - arguments: The arguments, in the order of the parameters.
  /// - Returns: The number of the call, for `call(_:didReturn:wasCancelled:)`; `nil` when it is not written.
  public func effect(_ id: EffectID, willCall key: String, with arguments: [Any]) -> Int? {
    guard let calls, calls.admits(key) else { return nil }
    let arguments = arguments.map { json($0) }
    return writer.withLock {
      $0.startCall(LogEvent.Call(id: id, key: key, arguments: arguments, at: 0))
    }
  }

  /// Writes a call that has returned.
  ///
  /// - Parameters:
  ///   - number: The call.
  ///   - value: What it returned.
  ///   - isCancelled: Whether its task had been cancelled by then.
  public func call(_ number: Int, didReturn value: Any, wasCancelled isCancelled: Bool) {
    let value = json(value)
    writer.withLock { $0.end(call: number, .returned(value), isCancelled: isCancelled) }
  }

  /// Writes a call that has thrown.
  ///
  /// - Parameters:
  ///   - number: The call.
  ///   - error: What it threw.
  ///   - isCancelled: Whether its task had been cancelled by then.
  public func call(_ number: Int, didThrow error: any Error, wasCancelled isCancelled: Bool) {
    // In its box, so that its type is written, too.
    let error = json(error as any Error)
    writer.withLock { $0.end(call: number, .threw(error), isCancelled: isCancelled) }
  }

  /// Hands what waits to the kernel: the store has handled all actions, or an effect has changed.
  public func storeDidFallIdle() { writer.withLock { $0.flush(isIdle: true) } }

  /// Ends the log: the store has gone, or the recorded feature has gone from it.
  public func storeDidClose() { writer.withLock { $0.close() } }
}

extension RecordingSession {
  /// Hands to the system what waits to be written; with `LogDurability.powerLoss`, it is on the disk then.
  ///
  /// ```swift
  /// session.flush()  // before the process is suspended
  /// ```
  public func flush() { writer.withLock { $0.flush() } }

  /// Makes a mark in the log.
  ///
  /// - Parameter text: What the mark says.
  public func note(_ text: String) { writer.withLock { $0.note(text) } }

  /// One log of all segments that are held.
  package func exported() throws -> [UInt8] { LogSegments.joined(try segments()) }

  /// The segments that are held, each a log of its own, the oldest first.
  package func segments() throws -> [[UInt8]] { try writer.withLock { try $0.read() } }

  /// The bytes that were written so far, which tell whether the recording has gone on.
  package var length: Int { writer.withLock { $0.length } }

  /// The first action after which the state is held.
  package var firstSeq: Int { writer.withLock { $0.firstSeq } }

  /// The last action that has come.
  package var lastSeq: Int { writer.withLock { $0.seq } }

  /// Writes what others have changed in the state since the last action.
  package func catchUp(with state: some Any) {
    guard !isClosed else { return }
    prepare(for: state)
    flush()
  }

  var problem: String? { writer.withLock { $0.problem } }

  /// What the session keeps from action to action, whose size tests bound.
  var kept: [any Sendable] { writer.withLock { $0.kept } }

  var isClosed: Bool { writer.withLock { $0.isClosed } }

  var unmatchedMasks: [String] { writer.withLock { $0.masks.unmatched } }
}

extension RecordingSession {
  /// Sees to it that the next action can be written: that there is a segment with room, and the state is as the log has it.
  func prepare(for state: some Any) {
    OpaqueRendering.run(isRendering) { prepareRendered(for: state) }
  }

  private func prepareRendered(for state: some Any) {
    let (hasBegun, isDue) = writer.withLock { writer in
      writer.keepToLimits()
      return (writer.hasBegun || writer.isClosed, writer.isCheckpointDue)
    }
    guard hasBegun else { return openLog(with: state) }
    if isDue || !writer.withLock({ ownsState && $0.isReady }) { resumeLog(with: state, isDue) }
  }

  private func resumeLog(with state: some Any, _ isDue: Bool) {
    let patch = track { $0.patch(to: state) }
    let masked = isMasked ? masked(patch, [], from: state, to: state) : patch
    let shared = patch.isEmpty ? nil : places(in: state)
    let snapshot = isDue ? self.snapshot(of: state, json: json(state)) : nil
    writer.withLock { $0.resumeLog(masked, shared: shared, snapshot) }
  }

  private func openLog(with state: some Any) {
    var tracker: StateTracker? = StateTracker(ownsState: ownsState, marking: marks)
    let json = tracker?.begin(state) ?? .null
    let snapshot = snapshot(of: state, json: json)
    let environment = RecordingEnvironment.json(with: model.environment)
    let scope = model.scope
    writer.withLock { writer in
      writer.restoreTracker(&tracker)
      writer.openLog(snapshot, environment: environment, scope: scope)
    }
  }

  /// Has the tracker say what has changed in the state; nothing when the store has gone.
  func track(_ patch: (inout StateTracker) -> JSON.Patch) -> JSON.Patch {
    guard var tracker = writer.withLock({ $0.takeTracker() }) else { return JSON.Patch() }
    let changes = patch(&tracker)
    var held: StateTracker? = tracker
    writer.withLock { $0.restoreTracker(&held) }
    return changes
  }

  private func snapshot(of state: some Any, json: JSON) -> LogWriter.CheckpointState {
    LogWriter.CheckpointState(
      state: json,
      shared: model.sharedPlaces(in: state),
      nextStackElement: model.nextStackElement
    )
  }
}

// MARK: - Masks

extension RecordingSession {
  /// What an action has changed, without what is masked.
  ///
  /// - Parameters:
  ///   - patch: What has changed in the state.
  ///   - effects: The effects that were started.
  ///   - old: The state before that. Not looked at where others may change the state.
  ///   - new: The state.
  /// - Returns: The patch as it may be written.
  func masked<State>(
    _ patch: JSON.Patch,
    _ effects: [EffectDescription],
    from old: State,
    to new: State
  ) -> JSON.Patch {
    let masked = writer.withLock { $0.masks.masked(patch, effects) }
    if let sound = masked.patch {
      guard let learned = masked.learned else { return sound }
      // A value that was learned just now may show in parts of the state that nothing has changed, and those were there
      // before. Where it was, it may be in what has changed alone.
      let (masker, version) = learned
      let wasThere = !ownsState || masker.shows(since: version, in: text(of: old))
      if !wasThere || !masker.shows(since: version, in: text(of: new), besides: patch) {
        writer.withLock { $0.masks.noteStateWritten(version: masker.version) }
        return sound
      }
    }
    // What lies behind references shows in the old state, too.
    let isPlain = writer.withLock { $0.isStateSelfContained }
    let before = isPlain ? json(old) : nil
    let after = json(new)
    return writer.withLock { $0.masks.change(from: before, to: after) }
  }

  private func text(of state: some Any) -> [UInt8] {
    LogEncoder(writing: state, marking: marks).releaseBytes()
  }

  /// Ends an action with its change, after what has waited for it.
  ///
  /// - Parameters:
  ///   - effects: The effects that were started.
  ///   - state: The state.
  ///   - event: The change, without what is masked.
  func endMasked(
    _ effects: [EffectDescription],
    _ state: some Any,
    _ event: ([EffectDescription]) -> LogEvent
  ) {
    let isOverfull = writer.withLock { writer in
      writer.endMasked(effects, event)
      return writer.masks.isOverfull
    }
    guard isOverfull else { return }
    let json = json(state)
    writer.withLock { $0.masks.forget(besides: json) }
  }

  /// The places of shared values in a state, as they may be written.
  func places<State>(in state: State) -> JSON? {
    guard !writer.withLock({ $0.isStateSelfContained }),
      let shared = model.sharedPlaces(in: state)
    else { return nil }
    guard isMasked else { return shared }
    let json = json(state)
    return writer.withLock { $0.masks.masked(shared: shared, of: json) }
  }
}
