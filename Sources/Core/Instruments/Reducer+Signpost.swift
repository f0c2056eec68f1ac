#if canImport(os)
public import os
#endif

/// An observer that is notified when actions and effects start and end.
package protocol InstrumentationObserver: Sendable {
  /// Whether the observer is active.
  ///
  /// An inactive observer isn't notified of new actions and their effects.
  var isEnabled: Bool { get }

  /// Called when an action or an effect starts.
  ///
  /// - Returns: The id of the interval, to be passed to `event` and `end`.
  func begin(_ kind: IntervalKind, _ text: String) -> UInt64

  /// Called when an effect sends an action.
  func event(_ id: UInt64, _ kind: IntervalKind, _ text: String)

  /// Called when an action or an effect ends.
  func end(_ id: UInt64, _ kind: IntervalKind, _ text: String)
}

package enum IntervalKind: Sendable {
  case action
  case effect
}

/// A reducer that reports the starts and ends of its actions and effects to an observer.
package struct InstrumentedReducer<Base: Reducer>: Reducer {
  private let base: Base
  private let prefix: String
  private let observer: (any InstrumentationObserver)?

  package init(_ base: Base, prefix: String, observer: (any InstrumentationObserver)?) {
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
  /// Returns an effect with the same tree whose operations report their starts, actions, and ends to an observer.
  fileprivate func observed(
    by observer: any InstrumentationObserver,
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
  /// Returns a reducer that marks its actions and effects as intervals for Instruments.
  ///
  /// ```swift
  /// AppFeature().signpost("app")
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: The text before the name of each interval.
  ///   - log: The system log that receives the signposts.
  /// - Returns: A reducer that behaves like this one and emits signposts.
  @warn_unqualified_access
  public func signpost(
    _ prefix: String = "",
    log: OSLog = OSLog(subsystem: "tca-replay", category: "Reducers")
  ) -> some Reducer<State, Action> {
    InstrumentedReducer(self, prefix: prefix, observer: Signposts(log: log))
  }
}

private struct Signposts: InstrumentationObserver {
  /// The system log that receives the signposts.
  ///
  /// Unsafe, because some SDKs don't declare `OSLog` as `Sendable`. Any thread can use a log.
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
    // Passes a C string, because some systems don't accept a Swift string as a format argument.
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
  /// Returns this reducer unchanged, because this system has no signposts.
  ///
  /// A recorder writes equivalent data to its log: the duration of each action, and the start and end of each effect.
  ///
  /// - Parameter prefix: The text before the name of each interval on systems with signposts.
  /// - Returns: The same reducer.
  @warn_unqualified_access
  public func signpost(_ prefix: String = "") -> some Reducer<State, Action> {
    InstrumentedReducer(self, prefix: prefix, observer: nil)
  }
}
#endif
