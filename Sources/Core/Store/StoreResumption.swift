package import ActionLog
import Synchronization

/// The log position that a store resumed from, and the effects that it restarted.
///
/// A recorder continues from the same position: it continues the action numbers and knows the restarted effects.
package struct StoreResumption: Sendable {
  /// The log and the number of the action.
  package let place: LogEvent.Header.Continuation
  /// The name of the state's type.
  ///
  /// A recorder compares it to detect another feature.
  package let stateType: String
  /// The restarted effects.
  package let effects: ResumedEffects
  /// The result of the resumption, for callers that query the store.
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

/// The restarted effects and their state, for recorders that start later.
package final class ResumedEffects: EffectObserver {
  fileprivate struct ResumedState: Sendable {
    var live = LiveEffects()
    /// The effects whose operation has not returned.
    var running: Set<EffectID> = []
    var recorders: [Recorder] = []
  }

  /// A weak reference, because a strong one would form a cycle through the store's effects.
  fileprivate struct Recorder: Sendable {
    weak var observer: (any EffectObserver)?
  }

  private let contents = Mutex(ResumedState())

  package init() {}

  /// Starts tracking the effects of a checkpoint.
  ///
  /// - Parameter checkpoint: The log's checkpoint, which describes the live effects.
  package func restore(at checkpoint: LogEvent.Checkpoint) {
    let ids = checkpoint.effects.flatMap(\.flattened)
      .filter { $0.operation == .run }.compactMap(\.id)
    contents.withLock {
      $0.live = LiveEffects(checkpoint)
      $0.running = Set(ids)
    }
  }

  /// Whether all restarted effects have ended.
  package var isEmpty: Bool { contents.withLock { $0.running.isEmpty } }

  /// Adds an observer that receives all further events of the effects.
  ///
  /// - Returns: The effects that are currently alive.
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
      // The cause is recorded as `.task`, because the cancelling action is unknown to these effects.
      forward(.cancelled(by: .task, dropping: dropping), &live)
    }
  }
}
