import ActionLog
import ActionRecording
public import Foundation
public import Observation
public import ReplayEngine
public import TCACore
internal import TCARecorder

/// A controller that moves a store, and with it the app, to any action of a log or of the running session.
///
/// ```swift
/// let timeline = try StoreTimeline(replaying: .file("bug.jsonl")) { AppFeature() }
/// let view = RootView(store: timeline.store)
/// timeline.position = 12  // the store has the state after action 12, and the view shows it
/// ```
///
/// The store stays the same object. While the store shows the past, no reducer runs. Actions from views are dropped and
/// reported once. Actions from live effects are held until the timeline returns to the present. To make the shown state
/// the present, call `continueFromHere()`. To return to the present, call `returnToPresent()`.
@MainActor
public final class StoreTimeline<State, Action> {
  /// The store that the timeline moves.
  ///
  /// ```swift
  /// RootView(store: timeline.store)
  /// ```
  public let store: Store<State, Action>

  let branches: TimelineBranches
  let recorder: Recorder
  let restart: (@MainActor (RestoredEffect) -> EffectRestart<Action>?)?
  let feature: TimelineFeature<State>
  let clock: any Clock<Duration>
  private let heldActions: Int
  /// The log that the timeline shows, or `nil` for the timeline of a session.
  let log: RecordedLog?

  /// The past state that the store shows, or `nil` in the present.
  private var shown: ShownState?
  private var lastProblem: String?
  /// The task that plays the timeline, or `nil` if the timeline is not playing.
  var playing: Task<Void, Never>? {
    willSet { registrar.willSet(self, keyPath: \.isPlaying) }
    didSet { registrar.didSet(self, keyPath: \.isPlaying) }
  }
  let registrar = ObservationRegistrar()

  private struct ShownState {
    let seq: Int
    /// The shown state in the log's JSON format.
    let json: JSON
  }

  init(
    store: Store<State, Action>,
    branches: TimelineBranches,
    recorder: Recorder,
    feature: TimelineFeature<State>,
    log: RecordedLog?,
    configuration: TimelineConfiguration,
    clock: any Clock<Duration>,
    restart: (@MainActor (RestoredEffect) -> EffectRestart<Action>?)?
  ) {
    self.store = store
    self.branches = branches
    self.recorder = recorder
    self.feature = feature
    self.log = log
    self.clock = clock
    self.restart = restart
    heldActions = max(1, configuration.heldActions)
  }
}

extension StoreTimeline: Observable {}

// MARK: - Positions

extension StoreTimeline {
  /// The number of the action after which the log has the shown state.
  ///
  /// Setting this property moves the store.
  ///
  /// ```swift
  /// timeline.position = 12
  /// timeline.position  // 12, or the last action before it that the log has a state of
  /// ```
  ///
  /// The last action of a session is the present. Setting `position` to its number returns to the present.
  public var position: Int {
    get {
      registrar.access(self, keyPath: \.position)
      return shown?.seq ?? last
    }
    set { move(to: newValue) }
  }

  /// The range from the first to the last action after which the log has a state.
  ///
  /// ```swift
  /// timeline.positions  // 0...41
  /// ```
  ///
  /// The size of a session's recording is limited, so the lower bound increases over time.
  public var positions: ClosedRange<Int> {
    registrar.access(self, keyPath: \.position)
    let first = branches.first
    return first...max(first, last)
  }

  /// Whether the store shows a past state, so that reducers don't run and actions from effects are held.
  ///
  /// ```swift
  /// if timeline.isInPast { timeline.returnToPresent() }
  /// ```
  public var isInPast: Bool {
    registrar.access(self, keyPath: \.position)
    return shown != nil
  }

  /// Whether the timeline has a present to which it can return.
  ///
  /// The timeline of a log has no present before `continueFromHere()`.
  ///
  /// ```swift
  /// button.isEnabled = timeline.isInPast && timeline.hasPresent
  /// ```
  public var hasPresent: Bool {
    registrar.access(self, keyPath: \.position)
    return branches.session != nil
  }

  /// The number of actions from live effects that are held until the timeline returns to the present.
  ///
  /// ```swift
  /// label.text = "\(timeline.heldActionCount) actions wait"
  /// ```
  public var heldActionCount: Int {
    registrar.access(self, keyPath: \.position)
    return store.heldActions
  }

  /// The reason why the most recent move failed, or `nil` if it succeeded.
  ///
  /// ```swift
  /// timeline.position = 12
  /// timeline.problem  // nil
  /// ```
  public var problem: String? {
    registrar.access(self, keyPath: \.problem)
    return lastProblem
  }

  /// Moves forward by a number of actions, or backward if the number is negative.
  ///
  /// ```swift
  /// timeline.step(by: -1)
  /// ```
  ///
  /// Each step leads to the next action after which the log has a state, across gaps in the log.
  public func step(by count: Int) {
    let position = shown?.seq ?? last
    do throws(ResumeError) {
      switch count {
      case 1: move(to: try branches.seq(after: position) ?? position)
      case -1:
        if shown == nil { try prepareHistory() }
        move(to: try branches.seq(before: position) ?? position)
      default:
        let (target, overflows) = position.addingReportingOverflow(count)
        move(to: overflows ? (count < 0 ? .min : .max) : target)
      }
    } catch { updateProblem("\(error)") }
  }

  private var last: Int { (try? branches.last()) ?? branches.first }
}

// MARK: - Moving

extension StoreTimeline {
  /// Moves the store to the state after an action, and stores an error in `problem`.
  private func move(to seq: Int) {
    do {
      try show(seq)
      updateProblem(nil)
    } catch { updateProblem("\(error)") }
  }

  /// Shows the state at a position again, because its content has changed.
  func showAgain(_ seq: Int) {
    guard shown != nil else { return }
    move(to: seq)
    didMove {}
  }

  private func updateProblem(_ problem: String?) {
    guard problem != lastProblem else { return }
    registrar.withMutation(of: self, keyPath: \.problem) { lastProblem = problem }
  }

  private func show(_ seq: Int) throws {
    if let session = branches.session, seq >= session.lastSeq { return returnToPresent() }
    guard try shown != nil || enterPast() else { return }
    guard let shown else { return }
    let moment = try branches.moment(near: seq)
    guard moment.seq != shown.seq || moment.state != shown.json else { return }
    try show(moment.state, after: shown.json, at: moment.seq)
  }

  private func show(_ state: JSON, after earlier: JSON, at seq: Int) throws {
    do {
      try store.show { _, shown in
        try LogDecoder(state, after: earlier, keeper: StateIdentityRestorer())
          .value(State.self, over: shown)
      }
    } catch let error as LogDecodingError {
      throw ResumeError.undecodable(seq: seq, error, error.description)
    }
    didMove { shown = ShownState(seq: seq, json: state) }
  }

  /// Runs a closure that changes the position, and notifies observers.
  func didMove(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.position, change)
  }

  /// Invalidates cached states, so that new content of the recording is read.
  func prepareHistory() throws(ResumeError) {
    guard shown == nil else { return }
    branches.session?.catchUp(with: store.withState { $0 })
    branches.refresh()
  }

  /// Stops the store, so that it can show a past state.
  ///
  /// - Returns: Whether the store has stopped. A store can't stop while it handles an action.
  private func enterPast() throws(ResumeError) -> Bool {
    try prepareHistory()
    let json = try branches.endState() ?? .null
    let isShown = store.enterPast(holding: heldActions) { [weak self] in self?.returnToPresent() }
    guard isShown else {
      reportIssue(Wording.movedWhileBusy)
      return false
    }
    didMove { shown = ShownState(seq: last, json: json) }
    return true
  }

  /// Shows the first state of a log.
  func showCheckpoint(_ checkpoint: LogEvent.Checkpoint) {
    shown = ShownState(seq: checkpoint.seq, json: checkpoint.state)
  }

  /// Returns to the present, and delivers the held actions of live effects in their order.
  ///
  /// ```swift
  /// timeline.position = 12
  /// timeline.returnToPresent()
  /// timeline.isInPast  // false
  /// ```
  ///
  /// Before `continueFromHere()`, a log has no present, and the call has no effect.
  public func returnToPresent() {
    guard shown != nil, branches.session != nil else { return }
    pause()
    didMove { shown = nil }
    store.returnToPresent()
  }
}

// MARK: - Continuing

extension StoreTimeline {
  /// Makes the shown state the present.
  ///
  /// The store becomes live, and its actions are recorded as a new branch.
  ///
  /// ```swift
  /// timeline.position = 12
  /// let place = try timeline.continueFromHere()
  /// for effect in place?.effects ?? [] { print(effect) }
  /// timeline.store.send(.saveButtonTapped)
  /// ```
  ///
  /// All effects of the store are canceled, and the held actions are dropped. Effects that were alive at this action
  /// restart if `restarting:` returns a replacement. The other effects are only listed. Shared values with a key are
  /// set to the shown values, which the key saves.
  ///
  /// - Returns: The position, with the effects that were alive there and their outcomes, or `nil` in the present.
  /// - Throws: `ResumeError` if the state can't become the present. The timeline is then unchanged.
  @discardableResult
  public func continueFromHere() throws(ResumeError) -> RestoredPosition? {
    guard let seq = shown?.seq else { return nil }
    let point = try ResumePoint(
      branches.log(at: seq),
      through: seq,
      plan: feature.plan,
      stateType: nil,
      makeEngine: feature.makeEngine
    )
    var restarter = EffectRestarter<Action>(starters: point.starters, restart)
    let drift = try restore(point)
    let effect = restarter.restart(point.checkpoint)
    let position = RestoredPosition(
      log: point.header.id,
      seq: seq,
      effects: restarter.effects,
      drift: drift
    )
    pause()
    didMove { shown = nil }
    store.resume(
      at: StoreResumption(
        place: point.place,
        stateType: LogTypeName.of(State.self),
        effects: restarter.resumed,
        report: position
      )
    )
    record(from: seq)
    store.resumeEffects(effect, of: restarter)
    return position
  }

  /// Adds the data that a log has besides the state: the references between shared values, and the ID of the next stack
  /// element.
  ///
  /// - Returns: The members that only the log or only the code has.
  private func restore(_ point: ResumePoint) throws(ResumeError) -> [SchemaDrift] {
    var drift: [SchemaDrift] = []
    do {
      try store.show { context, state in
        if let next = point.checkpoint.nextStackElement { context.stackElementIDs.set(next: next) }
        guard point.checkpoint.shared != nil else { return state }
        let restored = try RestoredState<State>(point.checkpoint, in: context) { state }
        drift = restored.drift
        return restored.state
      }
    } catch let error as LogDecodingError {
      throw .undecodable(seq: point.checkpoint.seq, error, error.description)
    } catch { throw ResumeError(error) }
    return drift
  }

  /// Starts a recording with the state of the present.
  func record(from seq: Int) {
    feature.startRecording(store.state)
    if let session = recorder.all.last { branches.continueRecording(with: session, from: seq) }
    store.observe(
      TimelineObserver { [weak self] in
        guard let self, shown == nil else { return }
        didMove {}
      }
    )
  }
}

// MARK: - Sharing

extension StoreTimeline {
  /// Returns the log and all recorded branches, one after another, in the format that `tca-replay` reads.
  ///
  /// ```swift
  /// try timeline.export().write(to: reportURL)
  /// ```
  ///
  /// - Throws: A system error if the log can't be read.
  public func export() throws -> Data {
    var bytes = try log?.contents() ?? []
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    return Data(bytes) + (try recorder.export())
  }

  /// Writes the log and all recorded branches to a file, atomically.
  ///
  /// ```swift
  /// try timeline.export(to: reportURL)
  /// ```
  ///
  /// - Parameter url: The URL of the file. An existing file is replaced.
  /// - Throws: `LogWriteError` if the file can't be written, or a system error if the log can't be read.
  public func export(to url: URL) throws {
    try LogFile.replace(url.path, with: Array(export()))
  }

  /// Adds a note to the recording of the current branch.
  ///
  /// ```swift
  /// timeline.note("here the list is empty")
  /// ```
  public func note(_ text: String) { recorder.note(text) }
}

/// The parts of a feature that a timeline uses, without the type of the reducer.
struct TimelineFeature<State> {
  let plan: MigrationPlan?
  let makeEngine: () throws -> any FeatureEngine
  /// A closure that starts a recording with a state.
  let startRecording: (State) -> Void
}

/// An observer that notifies a timeline when its store has handled actions.
private final class TimelineObserver: StoreObserver {
  private let didFallIdle: @MainActor @Sendable () -> Void

  init(didFallIdle: @escaping @MainActor @Sendable () -> Void) { self.didFallIdle = didFallIdle }

  func storeDidFallIdle() { MainActor.assumeIsolated { didFallIdle() } }
  func storeDidClose() {}
}
