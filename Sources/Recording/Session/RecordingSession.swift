public import ActionLog
import Foundation
import Synchronization

/// A recording of one feature in one store, for any implementation of the model.
///
/// The model reports each step: an action begins, reads a value, changes the state, and starts effects, and an effect
/// ends. The session numbers the actions and writes the log.
///
/// The session writes complete lines. A change waits for the next action, so that one system call writes both, or for
/// the store to become idle. An action is passed to the kernel before its reducer runs, and a read before its value is
/// returned. After a crash, the log therefore ends with the operation in progress.
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
  /// Whether only the recorded reducer changes the state.
  package let ownsState: Bool
  /// Whether masks are configured, so that events are masked before they are written.
  let isMasked: Bool
  /// Whether opaque values are rendered as text.
  package let isRendering: Bool

  /// The marks that tell the masker which values are masked, set when the type of the state is known, if there are
  /// masks.
  private let markings = AtomicLazyReference<MaskerMarkings>()
  private let masks: LogMasks

  /// The source of information about the app's model.
  let model: any RecordedModel

  /// The identity of an action between `willReduce` and `didReduce`.
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
    /// Whether a filter excludes the action from the log.
    public internal(set) var isExcluded = false

    /// Creates a step that stands for no action, with the number 0.
    public init() {}

    init(seq: Int, origin: LogEvent.Origin, at: Int, isExcluded: Bool) {
      self.seq = seq
      self.origin = origin
      self.at = at
      self.isExcluded = isExcluded
    }
  }

  /// Creates a session, whose log begins with the first action.
  ///
  /// - Parameters:
  ///   - feature: The feature's name in the log.
  ///   - stateType: The name of the feature's state type.
  ///   - ownsState: Whether only the recorded reducer changes the state. If not, the session compares the state with
  ///     the log before and after each action.
  ///   - model: The source of information about the app's model.
  ///   - configuration: The destination, masks, and filters.
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
  /// Sets the type of the state, from which the schema version and the marks for masks are derived.
  func setStateType(_ type: Any.Type) {
    if let version = SchemaVersion.of(type) { writer.withLock { $0.setSchemaVersion(version) } }
    if isMasked { _ = markings.storeIfNil(MaskerMarkings(masks, of: type)) }
  }

  private var marks: MaskerMarkings? { markings.load() }

  /// Returns a value as the log writes it, with marks if there are masks.
  private func json(_ value: some Any) -> JSON { JSON(logging: value, marking: marks) }
}

// App code that encodes values runs outside the lock.
extension RecordingSession {
  /// Whether actions can be encoded directly, because there are neither masks nor filters.
  var writesAtOnce: Bool { !isMasked && filter.isEmpty }

  /// Begins an action.
  ///
  /// - Returns: The action and the pending lines, or `nil` if `ifReady` is `true` and the log must be prepared first.
  func startAction(_ sender: ActionSender, ifReady: Bool) -> LogWriter.RegisteredAction? {
    writer.withLock { writer in
      guard !ifReady || writer.isReady else { return nil }
      let step = writer.startAction(sender, isExcluded: false)
      return LogWriter.RegisteredAction(step: step, lines: writer.takeLines())
    }
  }

  /// The tracked state and the pending lines, which are removed from the writer while a change is written.
  struct DetachedWriterState: ~Copyable {
    var tracker: StateTracker?
    var lines: [UInt8]?
  }

  /// Removes the tracked state and the pending lines from the writer, or returns `nil` after the store has closed.
  func beginChange() -> DetachedWriterState? {
    writer.withLock { writer in
      if writer.isClosed { return nil }
      return DetachedWriterState(tracker: writer.takeTracker(), lines: writer.takeLines())
    }
  }

  /// Returns the tracked state and the lines, with the change appended, to the writer.
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

  /// Makes this log the continuation of another log, before the first action.
  ///
  /// - Parameters:
  ///   - place: The other log, and the action after which this log continues it.
  ///   - effects: The effects that are running at this point.
  package func resume(at place: LogEvent.Header.Continuation, with effects: UnfinishedEffects) {
    writer.withLock { $0.resume(at: place, with: effects) }
  }

  /// Makes this log the continuation of another log whose effects do not run any more, before the first action.
  ///
  /// - Parameter place: The other log, and the action after which this log continues it.
  public func resume(at place: LogEvent.Header.Continuation) {
    resume(at: place, with: UnfinishedEffects())
  }

  /// Begins the log before the first action, and passes its header to the kernel.
  ///
  /// A recording without actions is therefore also a valid log.
  ///
  /// - Parameter state: The initial state, which the first checkpoint contains.
  package func start(with state: some Any) {
    guard !writer.withLock({ $0.hasBegun || $0.isClosed }) else { return }
    OpaqueRendering.run(isRendering) { openLog(with: state) }
    flush()
  }

  /// Registers the effects that an action has started.
  ///
  /// Call this method before `didReduce` for each action that returned effects.
  ///
  /// - Parameters:
  ///   - effects: The descriptions of the effects that the reducer returned.
  ///   - step: The step that `willReduce` returned for the action.
  /// - Returns: The descriptions as the log contains them.
  public func start(_ effects: [EffectDescription], of step: Step) -> [EffectDescription] {
    let written = filter.isEmpty ? effects : effects.map { filter.applied(to: $0) }
    return writer.withLock { $0.start(written, of: step) }
  }

  /// Filters and masks an action, writes it, and passes it to the kernel, together with all pending lines.
  ///
  /// - Returns: The step for `didReduce`, with the action's number and whether a filter excludes the action.
  func willReduce<Action, State>(
    _ action: Action,
    from sender: ActionSender,
    state: State
  ) -> Step {
    let written = SharedWriteCounter.count
    let json = OpaqueRendering.run(isRendering) { self.json(action) }
    let isShared = SharedWriteCounter.count != written
    let cases = isMasked ? ActionCaseNames.of(action) : []
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

  /// Writes a value that a reducer has read, and passes it to the kernel.
  ///
  /// For an excluded action, the session only learns the secrets in the value.
  ///
  /// - Parameters:
  ///   - key: The name of the dependency, such as `uuid`.
  ///   - value: The value that the dependency returned.
  ///   - seq: The number of the action whose reducer has read the value.
  ///   - isExcluded: Whether a filter excludes that action from the log.
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
  /// Writes a change in the lifecycle of an effect, unless the log has ended.
  ///
  /// - Parameters:
  ///   - id: The effect's ID, as passed to `start(_:of:)`.
  ///   - event: The change, such as the end of the effect.
  public func effect(_ id: EffectID, did event: EffectEvent) {
    // App code that encodes the error runs outside the lock.
    var failure: JSON?
    if case .failed(let error) = event { failure = json(error) }
    writer.withLock { $0.write(event, of: id, failure: failure, isWhole: ownsState) }
  }

  /// Whether the log includes any dependency calls of effects.
  ///
  /// ```swift
  /// let number = session.recordsCalls ? session.effect(id, willCall: "APIClient.fetch", with: [42]) : nil
  /// ```
  public var recordsCalls: Bool { calls != nil }

  /// Registers a dependency call that an effect makes.
  ///
  /// The arguments are encoded immediately. The call's line is written when the call or the log ends.
  ///
  /// - Parameters:
  ///   - id: The effect's ID, as passed to `start(_:of:)`.
  ///   - key: The client and the endpoint, such as `APIClient.fetch`.
  ///   - arguments: The arguments, in the order of the parameters.
  /// - Returns: The number of the call, for `call(_:didReturn:wasCancelled:)`, or `nil` if the call is not recorded.
  public func effect(_ id: EffectID, willCall key: String, with arguments: [Any]) -> Int? {
    guard let calls, calls.admits(key) else { return nil }
    let arguments = arguments.map { json($0) }
    return writer.withLock {
      $0.startCall(LogEvent.Call(id: id, key: key, arguments: arguments, at: 0))
    }
  }

  /// Writes a call that has returned a value.
  ///
  /// - Parameters:
  ///   - number: The number that `effect(_:willCall:with:)` returned for the call.
  ///   - value: The value that the call returned.
  ///   - isCancelled: Whether the call's task was canceled before the call returned.
  public func call(_ number: Int, didReturn value: Any, wasCancelled isCancelled: Bool) {
    let value = json(value)
    writer.withLock { $0.end(call: number, .returned(value), isCancelled: isCancelled) }
  }

  /// Writes a call that has thrown an error.
  ///
  /// - Parameters:
  ///   - number: The number that `effect(_:willCall:with:)` returned for the call.
  ///   - error: The error that the call threw.
  ///   - isCancelled: Whether the call's task was canceled before the call threw the error.
  public func call(_ number: Int, didThrow error: any Error, wasCancelled isCancelled: Bool) {
    // The existential makes the encoder write the error's type.
    let error = json(error as any Error)
    writer.withLock { $0.end(call: number, .threw(error), isCancelled: isCancelled) }
  }

  /// Passes pending lines to the kernel after the store has handled all actions or an effect event.
  public func storeDidFallIdle() { writer.withLock { $0.flush(isIdle: true) } }

  /// Ends the log after the store or the recorded feature has been deallocated.
  public func storeDidClose() { writer.withLock { $0.close() } }
}

extension RecordingSession {
  /// Passes pending lines to the kernel, and to the disk with `LogDurability.powerLoss`.
  ///
  /// ```swift
  /// session.flush()  // before the process is suspended
  /// ```
  public func flush() { writer.withLock { $0.flush() } }

  /// Adds a note to the log, unless the log has ended.
  ///
  /// - Parameter text: The text of the note, in which masks hide secrets.
  public func note(_ text: String) { writer.withLock { $0.note(text) } }

  /// Returns the recording as one log, into which the stored segments are joined.
  package func exported() throws -> [UInt8] { LogSegments.joined(try segments()) }

  /// Returns the stored segments, starting with the oldest, each of which is a complete log.
  package func segments() throws -> [[UInt8]] { try writer.withLock { try $0.read() } }

  /// The number of bytes written so far, including segments that a ring has dropped.
  package var length: Int { writer.withLock { $0.length } }

  /// The number of the action after which the oldest stored segment begins.
  package var firstSeq: Int { writer.withLock { $0.firstSeq } }

  /// The number of the last action.
  package var lastSeq: Int { writer.withLock { $0.seq } }

  /// Writes the changes that code other than the recorded reducer has made to the state since the last action.
  package func catchUp(with state: some Any) {
    guard !isClosed else { return }
    prepare(for: state)
    flush()
  }

  var problem: String? { writer.withLock { $0.problem } }

  /// The values that the session retains between actions.
  ///
  /// Tests verify that the size of these values stays bounded.
  var kept: [any Sendable] { writer.withLock { $0.kept } }

  var isClosed: Bool { writer.withLock { $0.isClosed } }

  var unmatchedMasks: [String] { writer.withLock { $0.masks.unmatched } }
}

extension RecordingSession {
  /// Prepares the log for the next action.
  ///
  /// Opens a segment or writes a checkpoint if one is due, and writes changes from outside the reducer.
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

  /// Removes the state tracker from the writer while a closure computes a patch with it outside the lock.
  ///
  /// - Returns: The patch, which is empty after the store has closed.
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
  /// Returns the state change of an action after masking.
  ///
  /// - Parameters:
  ///   - patch: The change of the state before masking.
  ///   - effects: The effects that the action has started.
  ///   - old: The state before the action. Ignored if other code may change the state.
  ///   - new: The state after the action.
  /// - Returns: A patch that contains no secrets.
  func masked<State>(
    _ patch: JSON.Patch,
    _ effects: [EffectDescription],
    from old: State,
    to new: State
  ) -> JSON.Patch {
    let masked = writer.withLock { $0.masks.masked(patch, effects) }
    if let sound = masked.patch {
      guard let learned = masked.learned else { return sound }
      // A newly learned text may also appear in unchanged parts of the state, which must then be masked. This requires
      // that the old state contained the text.
      let (masker, version) = learned
      let wasThere = !ownsState || masker.shows(since: version, in: text(of: old))
      if !wasThere || !masker.shows(since: version, in: text(of: new), besides: patch) {
        writer.withLock { $0.masks.noteStateWritten(version: masker.version) }
        return sound
      }
    }
    // If the state contains references, the old copy shows the new values, so its text before the action is unknown.
    let isPlain = writer.withLock { $0.isStateSelfContained }
    let before = isPlain ? json(old) : nil
    let after = json(new)
    return writer.withLock { $0.masks.change(from: before, to: after) }
  }

  private func text(of state: some Any) -> [UInt8] {
    LogEncoder(writing: state, marking: marks).releaseBytes()
  }

  /// Ends an action by writing the events that were withheld until its end, and then its change.
  ///
  /// - Parameters:
  ///   - effects: The effects that the action has started.
  ///   - state: The state after the action.
  ///   - event: A closure that creates the change event from the masked effects.
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

  /// Returns the paths of the shared values in a state, with their names masked, or `nil` if there are none.
  func places<State>(in state: State) -> JSON? {
    guard !writer.withLock({ $0.isStateSelfContained }),
      let shared = model.sharedPlaces(in: state)
    else { return nil }
    guard isMasked else { return shared }
    let json = json(state)
    return writer.withLock { $0.masks.masked(shared: shared, of: json) }
  }
}
