package import ActionLog
import Synchronization

/// The place in a log where a store has begun, and the log's effects that it has started again.
///
/// A recorder of the store goes on from there: it numbers actions on, and knows the effects.
package struct StoreResumption: Sendable {
  /// The log and the action.
  package let place: LogEvent.Header.Continuation
  /// The name of the state's type, by which a recorder knows that it records the same feature.
  package let stateType: String
  /// The effects that the store has started again.
  package let effects: ResumedEffects
  /// What is told to those who ask the store.
  package let report: any Sendable

  package init(
    place: LogEvent.Header.Continuation,
    stateType: String,
    effects: ResumedEffects,
    report: any Sendable
  ) {
    self.place = place
    self.stateType = stateType
    self.effects = effects
    self.report = report
  }
}

/// Watches the effects that a store has started again, for the recorders that begin later.
package final class ResumedEffects: EffectObserver {
  fileprivate struct ResumedState: Sendable {
    var live = LiveEffects()
    /// The effects whose operation has not returned.
    var running: Set<EffectID> = []
    var recorders: [Recorder] = []
  }

  /// Not held, because what it records holds the store's effects.
  fileprivate struct Recorder: Sendable {
    weak var observer: (any EffectObserver)?
  }

  private let contents = Mutex(ResumedState())

  package init() {}

  /// Takes note of the effects.
  ///
  /// - Parameter checkpoint: The action after which they run, and how they are described.
  package func restore(at checkpoint: LogEvent.Checkpoint) {
    let ids = checkpoint.effects.flatMap(\.flattened)
      .filter { $0.operation == .run }.compactMap(\.id)
    contents.withLock {
      $0.live = LiveEffects(checkpoint)
      $0.running = Set(ids)
    }
  }

  /// Whether none of them is left.
  package var isEmpty: Bool { contents.withLock { $0.running.isEmpty } }

  /// Hands the effects to a recorder, which is told from now on what becomes of them.
  ///
  /// - Returns: The effects that are alive.
  package func hand(to observer: some EffectObserver) -> LiveEffects {
    contents.withLock { contents in
      contents.recorders.append(Recorder(observer: observer))
      return contents.live
    }
  }

  package func effect(_ id: EffectID, didChange event: EffectLifecycle) {
    let recorders = contents.withLock { contents in
      contents.apply(event, of: id)
      return contents.recorders
    }
    for recorder in recorders { recorder.observer?.effect(id, didChange: event) }
  }
}

extension ResumedEffects.ResumedState {
  fileprivate mutating func apply(_ event: EffectLifecycle, of id: EffectID) {
    func forward(_ event: LogEvent.Effect.Event, _ live: inout LiveEffects) {
      live.apply(LogEvent.Effect(id: id, event: event, at: 0))
    }
    switch event {
    case .started: break
    case .finished(let sent):
      running.remove(id)
      forward(.finished(sent: sent), &live)
    case .failed:
      running.remove(id)
      forward(.failed(.null), &live)
    case .cancelled(_, let dropping):
      // Whatever has cancelled it, it is no action that these effects know of.
      forward(.cancelled(by: .task, dropping: dropping), &live)
    }
  }
}
