import ActionLog
import ActionRecording
public import Foundation
public import Observation
public import ReplayEngine
public import TCACore
internal import TCARecorder

/// Moves a store, and with it the app, to any action of a log or of the running session.
///
/// ```swift
/// let timeline = try StoreTimeline(replaying: .file("bug.jsonl")) { AppFeature() }
/// let view = RootView(store: timeline.store)
/// timeline.position = 12  // the store has the state after action 12, and the view shows it
/// ```
///
/// The store stays the same object. While it shows the past no reducer runs: actions that views send are dropped and reported once,
/// those of live effects are held. `continueFromHere()` makes what is shown the present, `returnToPresent()` goes back to it.
@MainActor
public final class StoreTimeline<State, Action> {
  /// The store that moves.
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
  /// The log that is replayed; `nil` for a timeline of a session.
  let log: RecordedLog?

  /// The state of the past that the store shows; `nil` in the present.
  private var shown: Shown?
  private var lastProblem: String?
  /// The task that plays the timeline.
  var playing: Task<Void, Never>? {
    willSet { registrar.willSet(self, keyPath: \.isPlaying) }
    didSet { registrar.didSet(self, keyPath: \.isPlaying) }
  }
  let registrar = ObservationRegistrar()

  private struct Shown {
    let seq: Int
    /// The state as the log has it.
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
  /// The action after which the store has its state; setting it moves the store.
  ///
  /// ```swift
  /// timeline.position = 12
  /// timeline.position  // 12, or the last action before it that the log has a state of
  /// ```
  ///
  /// The last action of a session is the present. Setting it returns there.
  public var position: Int {
    get {
      registrar.access(self, keyPath: \.position)
      return shown?.seq ?? last
    }
    set { move(to: newValue) }
  }

  /// The actions after which there are states, from the first to the last one.
  ///
  /// ```swift
  /// timeline.positions  // 0...41
  /// ```
  ///
  /// A session's recording is bounded, so the first one moves on with time.
  public var positions: ClosedRange<Int> {
    registrar.access(self, keyPath: \.position)
    let first = branches.first
    return first...max(first, last)
  }

  /// Whether the store shows the past, so that nothing runs.
  ///
  /// ```swift
  /// if timeline.isInPast { timeline.returnToPresent() }
  /// ```
  public var isInPast: Bool {
    registrar.access(self, keyPath: \.position)
    return shown != nil
  }

  /// Whether there is a present to return to: there is none for a log before `continueFromHere()`.
  ///
  /// ```swift
  /// button.isEnabled = timeline.isInPast && timeline.hasPresent
  /// ```
  public var hasPresent: Bool {
    registrar.access(self, keyPath: \.position)
    return branches.session != nil
  }

  /// How many actions of live effects wait for the present.
  ///
  /// ```swift
  /// label.text = "\(timeline.heldActions) actions wait"
  /// ```
  public var heldActionCount: Int {
    registrar.access(self, keyPath: \.position)
    return store.heldActions
  }

  /// Why the last move has failed; `nil` if it has not.
  ///
  /// ```swift
  /// timeline.position = 12
  /// timeline.problem  // nil
  /// ```
  public var problem: String? {
    registrar.access(self, keyPath: \.problem)
    return lastProblem
  }

  /// Moves by a number of actions, back if it is negative.
  ///
  /// ```swift
  /// timeline.step(by: -1)
  /// ```
  ///
  /// A step by one leads to the next action that has a state, over gaps in the log.
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
    } catch { note("\(error)") }
  }

  private var last: Int { (try? branches.last()) ?? branches.first }
}

// MARK: - Moving

extension StoreTimeline {
  /// Moves the store; what keeps it from that becomes the `problem`.
  private func move(to seq: Int) {
    do {
      try show(seq)
      updateProblem(nil)
    } catch { note("\(error)") }
  }

  /// Shows a position once more, because its state is another one now.
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
        try LogDecoder(state, after: earlier, keeper: ObservedIdentities())
          .value(State.self, over: shown)
      }
    } catch let error as LogDecodingError {
      throw ResumeError.undecodable(seq: seq, error, error.description)
    }
    didMove { shown = Shown(seq: seq, json: state) }
  }

  /// Changes where the timeline is.
  func didMove(_ change: () -> Void) {
    registrar.withMutation(of: self, keyPath: \.position, change)
  }

  /// Has what was recorded so far read again.
  func prepareHistory() throws(ResumeError) {
    guard shown == nil else { return }
    branches.session?.catchUp(with: store.withState { $0 })
    branches.refresh()
  }

  /// Stops the store where it is.
  ///
  /// - Returns: Whether it has stopped; a store that handles an action does not.
  private func enterPast() throws(ResumeError) -> Bool {
    try prepareHistory()
    let json = try branches.endState() ?? .null
    let isShown = store.enterPast(holding: heldActions) { [weak self] in self?.returnToPresent() }
    guard isShown else {
      reportIssue(Wording.movedWhileBusy)
      return false
    }
    didMove { shown = Shown(seq: last, json: json) }
    return true
  }

  /// Shows the first state of a log.
  func showCheckpoint(_ checkpoint: LogEvent.Checkpoint) {
    shown = Shown(seq: checkpoint.seq, json: checkpoint.state)
  }

  /// Goes back to the present, and delivers the actions that live effects have sent meanwhile, in their order.
  ///
  /// ```swift
  /// timeline.position = 12
  /// timeline.returnToPresent()
  /// timeline.isInPast  // false
  /// ```
  ///
  /// A log has no present before `continueFromHere()`, and stays where it is.
  public func returnToPresent() {
    guard shown != nil, branches.session != nil else { return }
    pause()
    didMove { shown = nil }
    store.returnToPresent()
  }
}

// MARK: - Going on

extension StoreTimeline {
  /// Makes the state that is shown the present: the store is live from here on, and recorded as another branch.
  ///
  /// ```swift
  /// timeline.position = 12
  /// let place = try timeline.continueFromHere()
  /// for effect in place?.effects ?? [] { print(effect) }
  /// timeline.store.send(.saveButtonTapped)
  /// ```
  ///
  /// All effects of the store are cancelled, and the actions that are held are dropped. Those that were alive at this action start again as
  /// `restarting:` says; the others are listed. Shared values with a key become the shown ones, which the key saves.
  ///
  /// - Returns: The place, and what has become of the effects that were alive there; `nil` in the present.
  /// - Throws: `ResumeError` when the state cannot be made the present, which changes nothing.
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

  /// Makes of the state that is shown all that a log tells of it: shared values that belong together, and the next id of a stack.
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

  /// Begins a recording with the state of the present.
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
  /// Returns the log and all branches that are recorded, one after the other, as `tca-replay` reads them.
  ///
  /// ```swift
  /// try timeline.export().write(to: reportURL)
  /// ```
  ///
  /// - Throws: The system's error when the log cannot be read.
  public func export() throws -> Data {
    var bytes = try log?.contents() ?? []
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    return Data(bytes) + (try recorder.export())
  }

  /// Writes the log and all branches into a file, which is there as a whole or not at all.
  ///
  /// ```swift
  /// try timeline.export(to: reportURL)
  /// ```
  ///
  /// - Parameter url: The file; one that is there already is replaced.
  /// - Throws: `LogWriteError` when the file cannot be written, what the system says when the log cannot be read.
  public func export(to url: URL) throws {
    try LogFile.replace(url.path, with: Array(export()))
  }

  /// Makes a mark in the recording.
  ///
  /// ```swift
  /// timeline.note("here the list is empty")
  /// ```
  public func note(_ text: String) { recorder.note(text) }
}

/// The parts of a feature that a timeline uses, without the type of its reducer.
struct TimelineFeature<State> {
  let plan: MigrationPlan?
  let makeEngine: () throws -> any FeatureEngine
  /// Begins a recording with a state.
  let startRecording: (State) -> Void
}

/// Tells a timeline when its store has handled actions.
private final class TimelineObserver: StoreObserver {
  private let didFallIdle: @MainActor @Sendable () -> Void

  init(didFallIdle: @escaping @MainActor @Sendable () -> Void) { self.didFallIdle = didFallIdle }

  func storeDidFallIdle() { MainActor.assumeIsolated { didFallIdle() } }
  func storeDidClose() {}
}
