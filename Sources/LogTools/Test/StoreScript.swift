import ActionLog
import ReplayEngine

/// Converts the events of a log to the steps of a test with a test store.
struct StoreScript {
  /// One step of a test: an action, the end of an effect, or a note.
  enum ScriptStep {
    /// An action that the test sends to the store.
    case send(ReducedAction)
    /// An effect sends an action, or ends.
    ///
    /// - Parameters:
    ///   - sending: The action, or `nil` if the effect ends without sending one.
    ///   - ends: Whether the effect ends with this step.
    case effect(EffectReference, sending: ReducedAction?, ends: Bool)
    /// An action that was sent by a `.send` effect, which needs no stub.
    case receive(ReducedAction)
    /// A note that the app added to the log.
    case note(String)
  }

  /// An action with the values that its reducer read, and the states before and after it.
  struct ReducedAction {
    let seq: Int
    let action: JSON
    var reads: [LogEvent.Read] = []
    var before: JSON
    var after: JSON
    /// A comment for the generated code that explains why the test sends the action.
    var remark: String?
    /// A comment for the generated code that explains which issue the feature reports.
    var issue: String?
  }

  /// A running effect, identified by name and position as in the generated code.
  struct EffectReference {
    let name: String?
    /// The position among running effects with the same name, or `nil` if the name is unique.
    let position: Int?
  }

  private(set) var header: LogEvent.Header?
  private(set) var library = StoreTestLibrary.core
  private(set) var state: JSON = .null
  /// The paths of equal shared values in the initial state; `nil` if there are none.
  private(set) var sharedValues: JSON?
  /// Whether a checkpoint with the initial state was read.
  var hasState: Bool { current != nil }
  private(set) var nextStackElement: Int?
  /// The paths in the initial state that hold shared values, with `*` for each element of an array.
  private(set) var sharedPlaces: [[String]] = []
  private(set) var steps: [ScriptStep] = []
  /// The reason why the test ends before the log, or `nil` if the test contains all steps.
  private(set) var end: StoreTestEndReason?
  /// Whether effects are still running after the last step.
  var hasRunningEffects: Bool { !running.isEmpty }
  /// Whether an action starts an effect whose work the test performs.
  var startsEffects: Bool { effects.flatMap(\.flattened).contains(where: library.isStubbed) }
  private(set) var effects: [EffectDescription] = []

  private struct RunningEffect {
    let id: EffectID
    let name: String?
  }

  private var copies = JSON.Patch.CopyBudget()
  private var running: [RunningEffect] = []
  /// The effects that were canceled because the store was released.
  private var closed: Set<EffectID> = []
  /// The descriptions of all effects, keyed by effect id.
  private var described: [EffectID: EffectDescription] = [:]
  /// The state after the last action, or `nil` before the first checkpoint.
  private var current: JSON?

  /// Whether the test reproduces a fault, in which case issues that the feature reports make the test fail.
  private let showsFault: Bool
  private let missingChild: MissingChildDetector

  /// Creates the steps of a test from a log.
  ///
  /// - Parameters:
  ///   - events: The events of the log.
  ///   - showsFault: Whether issues that the feature reports make the test fail. If `false`, they become known issues.
  init(_ events: [LogEvent], showsFault: Bool = false) {
    self.showsFault = showsFault
    missingChild = MissingChildDetector(events)
    for (index, event) in events.enumerated() where end == nil {
      translate(event, rest: events[(index + 1)...])
    }
  }

  private mutating func translate(_ event: LogEvent, rest: ArraySlice<LogEvent>) {
    switch event {
    case .header(let header) where self.header == nil:
      self.header = header
      library = StoreTestLibrary(of: header)
    case .header: end = .segment
    case .checkpoint(let checkpoint) where current == nil:
      let state = checkpoint.state
      (self.state, current) = (state, state)
      nextStackElement = checkpoint.nextStackElement
      sharedValues = checkpoint.shared
      sharedPlaces = (checkpoint.shared?.array ?? []).compactMap {
        guard let place = try? JSON.Pointer(parsing: $0["at"]?.string ?? "-") else { return nil }
        return JSON.ValueLocation(place, in: state).anyElement.tokens
      }
      described = Dictionary(
        checkpoint.effects.flatMap(\.flattened).compactMap { effect in
          effect.id.map { ($0, effect) }
        },
        uniquingKeysWith: { $1 }
      )
    case .action(let action): reduce(action, rest)
    case .effect(let effect): translate(effect)
    case .note(let note): steps.append(.note(note.text))
    case .gap(let gap): end = .gap(after: gap.seq)
    default:
      guard let beginning = event.stateChange?.beginning else { break }
      end = beginning.origin == nil ? .external(after: beginning.seq) : .excluded(beginning.seq)
    }
  }

  /// Adds a step for an action, using its events up to the change.
  private mutating func reduce(_ action: LogEvent.Action, _ rest: ArraySlice<LogEvent>) {
    guard let before = current else { return }
    var reduced = ReducedAction(
      seq: action.seq,
      action: action.action,
      before: before,
      after: before
    )
    var change: LogEvent.Change?
    search: for event in rest {
      switch event {
      case .read(let read) where read.seq == action.seq: reduced.reads.append(read)
      case .finding(let finding)
      where !showsFault && finding.seq == action.seq && finding.code == .runtimeIssue:
        let message = finding.message ?? finding.subject
        reduced.issue = StoreTestWording.reported(action.seq, message)
      case .change(let found) where found.seq == action.seq:
        change = found
        break search
      case .action: break search
      default: continue
      }
    }
    guard let change else {
      end = .unfinished(action.seq, action.action)
      return
    }
    do { try change.patch.apply(to: &reduced.after, &copies) } catch {
      end = .broken("\(error)")
      return
    }
    if let type = reduced.action.opaque {
      end = .opaque(action.seq, type: type)
      return
    }
    if reduced.issue == nil, !showsFault, reduced.after == before,
      let name = missingChild.name(for: reduced.action, in: before)
    {
      reduced.issue = StoreTestWording.missingChild(name, action.seq)
    }
    appendStep(reduced, action.origin, rest)
    guard end == nil else { return }
    current = reduced.after
    effects += change.effects
    for effect in change.effects { start(effect) }
  }

  /// Adds a step for an action, depending on the action's sender.
  private mutating func appendStep(
    _ reduced: ReducedAction,
    _ origin: LogEvent.Origin,
    _ rest: ArraySlice<LogEvent>
  ) {
    switch origin {
    case .view, .parent: steps.append(.send(reduced))
    case .reentrant(let seq): end = .reentrant(reduced.seq, during: seq)
    case .effect(let id, _):
      if described[id]?.operation == .send {
        steps.append(.receive(reduced))
      } else if let index = running.firstIndex(where: { $0.id == id }) {
        let ends = ends(id, rest)
        steps.append(.effect(use(index), sending: reduced, ends: ends))
        if ends { running.remove(at: index) }
      } else {
        // The test can't perform the work of this effect, so it sends the action itself.
        var reduced = reduced
        reduced.remark =
          described[id].map { !library.isStubbed($0) } == true && library == .composable
          ? StoreTestWording.publisher : StoreTestWording.earlierEffect
        steps.append(.send(reduced))
      }
    }
  }

  private func use(_ index: Int) -> EffectReference {
    let name = running[index].name
    guard running.count(where: { $0.name == name }) > 1 else {
      return EffectReference(name: name, position: nil)
    }
    return EffectReference(name: name, position: running[..<index].count { $0.name == name })
  }

  /// Returns whether an effect finishes or fails before the next action, except for actions of `.send` effects.
  private func ends(_ id: EffectID, _ rest: ArraySlice<LogEvent>) -> Bool {
    for event in rest {
      switch event {
      case .effect(let effect) where effect.id == id:
        switch effect.event {
        case .finished, .failed: return true
        // The feature cancels the effect, so the test doesn't need to end it.
        case .cancelled: return false
        case .started: continue
        }
      case .action(let action):
        guard case .effect(let sender, _) = action.origin,
          sender.seq >= id.seq, isSend(sender, in: rest)
        else { return false }
      default: continue
      }
    }
    return false
  }

  /// Returns whether an effect only sends an action.
  private func isSend(_ id: EffectID, in rest: ArraySlice<LogEvent>) -> Bool {
    if let effect = described[id] { return effect.operation == .send }
    for case .change(let change) in rest where change.seq == id.seq {
      return change.effects.flatMap(\.flattened).contains { $0.id == id && $0.operation == .send }
    }
    return false
  }

  private mutating func translate(_ effect: LogEvent.Effect) {
    let index = running.firstIndex { $0.id == effect.id }
    switch effect.event {
    case .started:
      if index == nil, let description = described[effect.id], library.isStubbed(description) {
        running.append(RunningEffect(id: effect.id, name: description.name))
      }
    case .cancelled(.action, _):
      // The feature cancels the effect in the test as well.
      if let index { running.remove(at: index) }
    // In the test, the effect runs until the store is released.
    case .cancelled(.store, _): closed.insert(effect.id)
    case .finished, .failed, .cancelled:
      guard let index, !closed.contains(effect.id) else { return }
      steps.append(.effect(use(index), sending: nil, ends: true))
      running.remove(at: index)
    }
  }

  /// Starts an effect that an action returned.
  ///
  /// The parts of a concatenation start up to the first part that takes time.
  ///
  /// - Returns: Whether the effect takes time.
  @discardableResult
  private mutating func start(_ effect: EffectDescription, isWaiting: Bool = false) -> Bool {
    if let id = effect.id { described[id] = effect }
    switch effect.operation {
    case .run:
      if !isWaiting, library.isStubbed(effect), let id = effect.id {
        running.append(RunningEffect(id: id, name: effect.name))
      }
      return true
    case .concatenate:
      var isWaiting = isWaiting
      for part in effect.effects { isWaiting = start(part, isWaiting: isWaiting) || isWaiting }
      return isWaiting
    default:
      var takesTime = false
      for part in effect.effects { takesTime = start(part, isWaiting: isWaiting) || takesTime }
      return takesTime
    }
  }
}

extension JSON {
  /// Whether the value contains a NaN, which does not equal itself.
  var hasNaN: Bool {
    switch self {
    case .object(let object):
      object["$double"] == "nan" || object.values.contains(where: \.hasNaN)
    case .array(let elements): elements.contains(where: \.hasNaN)
    default: false
    }
  }

  /// The name of the first type of which this value holds only the name, or `nil` if all parts are complete.
  var opaque: String? {
    switch self {
    case .object(let object):
      if let type = object["$opaque"]?.string { return type }
      for value in object.values { if let type = value.opaque { return type } }
      return nil
    case .array(let elements):
      for element in elements { if let type = element.opaque { return type } }
      return nil
    default: return nil
    }
  }
}
