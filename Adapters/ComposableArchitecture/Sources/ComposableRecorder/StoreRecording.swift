internal import ComposableArchitecture
internal import Foundation
import Synchronization

#if canImport(Combine)
import Combine
#endif

/// The recording of a feature in one store.
///
/// It translates the library's events to the session's terms.
final class StoreRecording<State, Action>: Sendable {
  private let name: String
  private let recording: FeatureRecording<State, Action>
  private let contents = Mutex(Contents())

  /// The session that writes the log.
  var session: RecordingSession { recording.session }

  private struct Contents {
    /// The number of received actions.
    var count = 0
    var isReducing = false
    /// Whether the change of an action whose publisher has started is being written.
    var isWritingStart = false
    /// Running effects, with the number of actions that they have sent.
    var running: [EffectID: Int] = [:]
    /// The running effects that are tasks.
    var tasks: Set<EffectID> = []
    /// The effect whose task is currently sending an action.
    var sender: EffectID?
    /// Actions that publishers have sent and that have not been received yet, with their texts.
    var sent: [(id: EffectID, text: [UInt8])] = []
    /// Effects that ended while the reducer was running.
    ///
    /// The log contains their ends after the action's change.
    var ended: [EffectID] = []
    var isFlushScheduled = false
    /// The state after the first action, if it changed the state and no second action has been received.
    var stateAfterOne: [UInt8]?
    /// The action whose publisher is about to start.
    var starting: Starting?
    /// The keys of the shared values in the last state.
    var sharedKeys: SharedKeys?
  }

  /// An action that has returned a publisher.
  ///
  /// Its change is written when the publisher has started.
  ///
  /// The publisher starts in the same call of the store, and only then reveals the actions that it sends immediately.
  private struct Starting {
    let id: EffectID
    /// Writes the change with these effects.
    let write: @Sendable ([EffectDescription]) -> Void
    /// The actions that the publisher has sent so far.
    var sent: [(action: JSON, text: [UInt8])] = []
    var hasEnded = false
  }

  /// Creates a recording that has not begun.
  init(_ name: String, _ configuration: RecorderConfiguration) {
    self.name = name
    recording = FeatureRecording(
      RecordingSession(
        feature: name,
        stateType: LogTypeName.of(State.self),
        ownsState: true,
        model: ComposableModel(),
        configuration: configuration
      )
    )
  }

  deinit {
    finishStarting()
    session.storeDidClose()
    let state = contents.withLock { $0.stateAfterOne }
    if let state { RecordingAttachment.noteEnd(of: name, after: state) }
  }

  /// Reduces an action and writes it.
  ///
  /// - Returns: The reducer's effect with observers.
  func reduce(
    _ action: Action,
    _ state: inout State,
    by base: (inout State, Action) -> Effect<Action>
  ) -> Effect<Action> {
    finishStarting()
    let step = recording.willReduce(action, from: takeSender(of: action), state: state)
    RecordingAttachment.complainOfNamelessBindings()
    let old = state
    let next = StackElements.next
    let reads = ReadRecorder(session: session, seq: step.seq, isExcluded: step.isExcluded)
    var sharedKeys = contents.withLock { $0.sharedKeys.take() } ?? SharedKeys(of: state)
    // Tracking costs time with each change of a shared value.
    let changes = sharedKeys.isPossible ? SharedValueChanges() : nil
    let start = ContinuousClock.now
    let effect = ReducerReadScope.run(reads, tracking: changes) { base(&state, action) }
    let time = ContinuousClock.now - start
    if StackElements.next != next { reads.write("stackElementID", next) }
    if let changes {
      for new in sharedKeys.update(to: state, before: changes) { reads.write(new.read, new.value) }
    }
    contents.withLock { $0.sharedKeys = sharedKeys }
    let outline = EffectOutline(effect)
    let us =
      Int(time.components.attoseconds / 1_000_000_000_000)
      + Int(time.components.seconds) * 1_000_000
    let effects = outline.descriptions(seq: step.seq)
    let watched: Effect<Action>
    if case .publisher = outline, let id = effects.first?.id {
      // These copies have no other owner.
      nonisolated(unsafe) let (before, after) = (old, state)
      let starting = Starting(id: id) { [recording] effects in
        let written = effects.isEmpty ? [] : recording.session.start(effects, of: step)
        recording.didReduce(step, from: before, to: after, effects: written, us: us)
      }
      contents.withLock { $0.starting = starting }
      watched = watchPublisher(effect, id)
    } else {
      let written = effects.isEmpty ? [] : session.start(effects, of: step)
      watched = watchTask(effect, effects.first?.id)
      recording.didReduce(step, from: old, to: state, effects: written, us: us)
    }
    finish()
    noteState(old, state)
    return watched
  }

  /// Stores the state after the first action, which helps to detect a recorder in a `body`.
  private func noteState(_ old: State, _ state: State) {
    let count = contents.withLock { contents in
      contents.stateAfterOne = nil
      return contents.count
    }
    guard count == 1 else { return }
    let before = Self.text(of: old)
    RecordingAttachment.checkBeginning(of: name, with: before)
    let after = Self.text(of: state)
    if before != after { contents.withLock { $0.stateAfterOne = after } }
  }
}

/// The recording of a live feature, for clients that wait for its effects.
package protocol RunningEffects: Sendable {
  /// The effects in the order of their start.
  var running: [EffectID] { get }
  /// Whether one of them is a task.
  ///
  /// The library keeps a publisher while a feature is presented.
  var hasTasks: Bool { get }
  /// The number of received actions.
  var actions: Int { get }

  /// Makes the log the continuation of another log, before the first action.
  func resume(at place: LogEvent.Header.Continuation)
}

extension StoreRecording: RunningEffects {
  var running: [EffectID] {
    contents.withLock { $0.running.keys.sorted { $0.seq < $1.seq } }
  }

  var hasTasks: Bool { contents.withLock { !$0.tasks.isEmpty } }

  var actions: Int { contents.withLock { $0.count } }

  func resume(at place: LogEvent.Header.Continuation) { session.resume(at: place) }
}

// MARK: - Who sent an action

extension StoreRecording {
  private func takeSender(of action: Action) -> ActionSender {
    let isWaiting = contents.withLock { contents in
      contents.count += 1
      contents.isReducing = true
      return contents.sender == nil && !contents.sent.isEmpty
    }
    // An action of a publisher may arrive after others that were sent before it.
    let text = isWaiting ? Self.text(of: action) : []
    return contents.withLock { contents in
      var id = contents.sender.take()
      if id == nil, isWaiting, let index = contents.sent.firstIndex(where: { $0.text == text }) {
        id = contents.sent.remove(at: index).id
      }
      guard let id else { return ActionSender(.view, number: contents.count) }
      contents.running[id]? += 1
      return ActionSender(.effect(id, via: nil), number: contents.count)
    }
  }

  private static func text<Value>(of value: Value) -> [UInt8] {
    var encoder = LogEncoder()
    encoder.value(value)
    return encoder.bytes
  }

  /// Writes the events that waited for the change, and flushes if the store is idle.
  private func finish() {
    let isFirst = contents.withLock { contents in
      contents.isReducing = false
      defer { contents.isFlushScheduled = true }
      return !contents.isFlushScheduled
    }
    writeEnded()
    guard isFirst else { return }
    // The library does not report when a store becomes idle. It is idle in the next turn of the main queue.
    DispatchQueue.main.async { [weak self] in
      guard let self else { return }
      contents.withLock { $0.isFlushScheduled = false }
      finishStarting()
      session.storeDidFallIdle()
    }
  }
}

// MARK: - Effects

extension StoreRecording {
  /// Writes the ends that waited for a change.
  private func writeEnded() {
    let ended = contents.withLock { contents in
      guard contents.starting == nil else { return [(EffectID, Int)]() }
      defer { contents.ended = [] }
      return contents.ended.map { ($0, contents.running.removeValue(forKey: $0) ?? 0) }
    }
    for (id, sent) in ended { session.effect(id, did: .finished(sent: sent)) }
  }

  private func watchTask(_ effect: Effect<Action>, _ id: EffectID?) -> Effect<Action> {
    guard let id else { return effect }
    contents.withLock { contents in
      contents.running[id] = 0
      contents.tasks.insert(id)
    }
    return .concatenate(
      effect.map { [weak self] action in
        // The task forwards it in the same call.
        self?.contents.withLock { $0.sender = id }
        return action
      },
      .run { [weak self] _ in self?.end(id) }
    )
  }

  private func watchPublisher(_ effect: Effect<Action>, _ id: EffectID) -> Effect<Action> {
    let watched = Effect.publisher {
      _EffectPublisher(effect)
        .handleEvents(
          receiveOutput: { [weak self] action in self?.note(action, sentBy: id) },
          receiveCompletion: { [weak self] _ in self?.end(id) },
          receiveCancel: { [weak self] in self?.end(id) }
        )
    }
    // It starts when the other one has started, and sends nothing.
    let started = Effect.publisher {
      _EffectPublisher(Effect<Void>.send(()))
        .compactMap { [weak self] () -> Action? in
          self?.finishStarting()
          return nil
        }
    }
    return watched.merge(with: started)
  }

  private func note(_ action: Action, sentBy id: EffectID) {
    let text = Self.text(of: action)
    contents.withLock { contents in
      guard contents.starting?.id == id else { return contents.sent.append((id, text)) }
      contents.starting?.sent.append((JSON(logging: action), text))
    }
  }

  /// Writes the change of an action whose publisher has started.
  ///
  /// The actions that the publisher sent immediately count as actions of the reducer.
  private func finishStarting() {
    let starting = contents.withLock { contents -> Starting? in
      guard let starting = contents.starting.take() else { return nil }
      contents.isWritingStart = true
      let first = starting.hasEnded && !starting.sent.isEmpty ? 0 : 1
      for (index, sent) in starting.sent.enumerated() {
        contents.sent.append((EffectID(seq: starting.id.seq, index: first + index), sent.text))
      }
      if first == 1 { contents.running[starting.id] = 0 }
      return starting
    }
    guard let starting else { return }
    let effects = EffectOutline.descriptions(
      publisher: starting.id,
      sending: starting.sent.map(\.action),
      hasEnded: starting.hasEnded
    )
    starting.write(effects)
    contents.withLock { $0.isWritingStart = false }
    writeEnded()
    if starting.hasEnded { end(starting.id) }
  }

  /// Writes the end of an effect, which any thread can report.
  private func end(_ id: EffectID) {
    contents.withLock { contents in
      contents.tasks.remove(id)
      if contents.starting?.id == id {
        contents.starting?.hasEnded = true
        return
      }
      // A cancellation acts inside the reducer or at the start of its effect. The log contains the effect only with the
      // change.
      if contents.isReducing || contents.isWritingStart || contents.starting != nil {
        contents.ended.append(id)
        return
      }
      guard let sent = contents.running.removeValue(forKey: id) else { return }
      // Written before another action can begin.
      session.effect(id, did: .finished(sent: sent))
    }
  }
}

/// Returns live values and records them.
private struct ReadRecorder: DependencyReadInterceptor {
  let session: RecordingSession
  let seq: Int
  let isExcluded: Bool

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    let value = live()
    write(key, value)
    return value
  }

  func write(_ key: String, _ value: some Any) {
    session.didRead(key, value: value, seq: seq, isExcluded: isExcluded)
  }
}

/// The session's requests to the library.
private struct ComposableModel: RecordedModel {
  var environment: JSON.Object {
    var values = DependencyValues._current
    // In tests, these have no values unless the test sets them.
    values.context = .live
    return [
      "library": "ComposableArchitecture",
      "remedies": ["State": .string(Self.remedy), "Action": .string(Self.remedy)],
      "locale": .string(values.locale.identifier),
      "timeZone": .string(values.timeZone.identifier),
      "calendar": .string("\(values.calendar.identifier)"),
    ]
  }

  var nextStackElement: Int? {
    let next = StackElements.next
    return next > 0 ? next : nil
  }

  func sharedPlaces<State>(in state: State) -> JSON? { SharedValuePaths.json(of: state) }

  func sharedPlaces<Action, State>(of action: Action, in state: State) -> JSON? {
    SharedValuePaths.json(of: action, in: state)
  }

  /// Returns the line to add to a feature whose states or actions are not in its log.
  private static let remedy =
    "add @Loggable beside the @Reducer of {owner}, or 'extension {type}: LogCases {}' if {owner} is an enum"
}
