package import ActionLog
import Synchronization

/// The log position from which a store resumed, and the effects that the store restarted.
///
/// A recorder continues from the same position: it continues the numbers of the actions and knows the restarted
/// effects.
package struct StoreResumption: Sendable {
  /// The log, and the number of the action in the log after which the store resumed.
  package let place: LogEvent.Header.Continuation
  /// The name of the state's type, which a recorder compares to detect a different feature.
  package let stateType: String
  /// The effects that the store restarted.
  package let effects: ResumedEffects
  /// The result of the resumption, for callers that request it from the store.
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

/// The restarted effects and their states, for recorders that start later.
package final class ResumedEffects: EffectObserver {
  fileprivate struct ResumedState: Sendable {
    var live = UnfinishedEffects()
    /// The ids of the effects whose operations have not returned.
    var running: Set<EffectID> = []
    var recorders: [Recorder] = []
  }

  /// A recorder, which is referenced weakly because a strong reference would form a cycle through the store's effects.
  fileprivate struct Recorder: Sendable {
    weak var observer: (any EffectObserver)?
  }

  private let contents = Mutex(ResumedState())

  package init() {}

  /// Starts to track the effects that a checkpoint describes.
  ///
  /// - Parameter checkpoint: The checkpoint of the log from which the store resumes.
  package func restore(at checkpoint: LogEvent.Checkpoint) {
    let ids = checkpoint.effects.flatMap(\.flattened)
      .filter { $0.operation == .run }.compactMap(\.id)
    contents.withLock {
      $0.live = UnfinishedEffects(checkpoint)
      $0.running = Set(ids)
    }
  }

  /// Whether all restarted effects have ended.
  package var isEmpty: Bool { contents.withLock { $0.running.isEmpty } }

  /// Adds an observer that receives all further events of the restarted effects.
  ///
  /// - Returns: The restarted effects that are currently alive.
  package func hand(to observer: some EffectObserver) -> UnfinishedEffects {
    contents.withLock { contents in
      contents.recorders.append(Recorder(observer: observer))
      return contents.live
    }
  }

  package func effect(_ id: EffectID, didChange event: EffectLifecycleEvent) {
    let recorders = contents.withLock { contents in
      contents.apply(event, of: id)
      return contents.recorders
    }
    for recorder in recorders { recorder.observer?.effect(id, didChange: event) }
  }
}

extension ResumedEffects.ResumedState {
  fileprivate mutating func apply(_ event: EffectLifecycleEvent, of id: EffectID) {
    func forward(_ event: LogEvent.Effect.Event, _ live: inout UnfinishedEffects) {
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
      // Records `.task` as the cause, because the action that canceled the effects isn't known here.
      forward(.cancelled(by: .task, dropping: dropping), &live)
    }
  }
}
