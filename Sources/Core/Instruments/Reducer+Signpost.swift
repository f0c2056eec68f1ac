#if canImport(os)
public import os
#endif

/// An observer of the beginnings and ends of actions and effects.
package protocol IntervalObserver: Sendable {
  /// Whether the observer is active; nothing is done otherwise.
  var isEnabled: Bool { get }

  /// An action or an effect begins.
  ///
  /// - Returns: What `event` and `end` are called with.
  func begin(_ kind: IntervalKind, _ text: String) -> UInt64

  /// An effect sends an action.
  func event(_ id: UInt64, _ kind: IntervalKind, _ text: String)

  /// An action or an effect ends.
  func end(_ id: UInt64, _ kind: IntervalKind, _ text: String)
}

/// The kind of an interval.
package enum IntervalKind: Sendable {
  case action
  case effect
}

/// A reducer that reports its actions and effects to an observer.
package struct IntervalReducer<Base: Reducer>: Reducer {
  private let base: Base
  private let prefix: String
  private let observer: (any IntervalObserver)?

  package init(_ base: Base, prefix: String, observer: (any IntervalObserver)?) {
    self.base = base
    self.prefix = prefix.isEmpty ? "" : "[\(prefix)] "
    self.observer = observer
  }

  package func reduce(
    into state: inout Base.State,
    action: Base.Action
  ) -> Effect<Base.Action> {
    guard let observer, observer.isEnabled else {
      return base._reduce(into: &state, action: action)
    }
    let label = ActionLabel.of(action)
    let id = observer.begin(.action, prefix + label)
    let effect = base._reduce(into: &state, action: action)
    observer.end(id, .action, "")
    return effect.observed(by: observer, prefix: prefix, startedBy: label)
  }
}

extension Effect {
  /// The effect with its work observed; it stays the same tree.
  fileprivate func observed(
    by observer: any IntervalObserver,
    prefix: String,
    startedBy label: String
  ) -> Effect {
    mapRuns { run in
      let operation = run.operation
      let name = run.leaf.name.map { "\($0), " } ?? ""
      run.operation = { send in
        let id = observer.begin(.effect, "\(prefix)\(name)from \(label)")
        let observedSend = Send<Action> { action in
          observer.event(id, .effect, "\(prefix)sent \(ActionLabel.of(action))")
          send(action)
        }
        do {
          try await operation(observedSend)
          observer.end(id, .effect, Task.isCancelled ? "cancelled" : "finished")
        } catch {
          observer.end(
            id,
            .effect,
            Task.isCancelled || error is CancellationError ? "cancelled" : "failed"
          )
          throw error
        }
      }
    }
  }
}

#if canImport(os)
extension Reducer {
  /// Marks the intervals of actions and effects for Instruments.
  ///
  /// ```swift
  /// AppFeature().signpost("app")
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: The text before the names.
  ///   - log: Where the signposts go.
  /// - Returns: The reducer that does it.
  @warn_unqualified_access
  public func signpost(
    _ prefix: String = "",
    log: OSLog = OSLog(subsystem: "tca-replay", category: "Reducers")
  ) -> some Reducer<State, Action> {
    IntervalReducer(self, prefix: prefix, observer: Signposts(log: log))
  }
}

private struct Signposts: IntervalObserver {
  /// Logs may be used from anywhere; not every SDK says so.
  nonisolated(unsafe) let log: OSLog

  var isEnabled: Bool { log.signpostsEnabled }

  func begin(_ kind: IntervalKind, _ text: String) -> UInt64 {
    let id = OSSignpostID(log: log)
    mark(.begin, id, kind, text)
    return id.rawValue
  }

  func event(_ id: UInt64, _ kind: IntervalKind, _ text: String) {
    mark(.event, OSSignpostID(id), kind, text)
  }

  func end(_ id: UInt64, _ kind: IntervalKind, _ text: String) {
    mark(.end, OSSignpostID(id), kind, text)
  }

  private func mark(
    _ type: OSSignpostType,
    _ id: OSSignpostID,
    _ kind: IntervalKind,
    _ text: String
  ) {
    // The text goes as one of C: a string of Swift is no argument of a format on every system.
    text.withCString { text in
      switch kind {
      case .action: os_signpost(type, log: log, name: "Action", signpostID: id, "%{public}s", text)
      case .effect: os_signpost(type, log: log, name: "Effect", signpostID: id, "%{public}s", text)
      }
    }
  }
}
#else
extension Reducer {
  /// Marks the intervals of actions and effects, on systems that have signposts.
  ///
  /// This system has none. A recorder writes the same intervals to its log: how long each action took, and when each
  /// effect started and ended.
  ///
  /// - Parameter prefix: The text before the names.
  /// - Returns: The reducer.
  @warn_unqualified_access
  public func signpost(_ prefix: String = "") -> some Reducer<State, Action> {
    IntervalReducer(self, prefix: prefix, observer: nil)
  }
}
#endif
