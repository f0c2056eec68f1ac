#if canImport(os)
import Foundation
public import os

extension Reducer {
  /// Marks the intervals of actions and effects for Instruments.
  ///
  /// ```swift
  /// AppFeature().signpost("app")
  /// ```
  ///
  /// - Parameters:
  ///   - prefix: What stands before the names.
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
    let text = text as NSString
    switch kind {
    case .action: os_signpost(type, log: log, name: "Action", signpostID: id, "%{public}@", text)
    case .effect: os_signpost(type, log: log, name: "Effect", signpostID: id, "%{public}@", text)
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
  /// - Parameter prefix: What stands before the names.
  /// - Returns: The reducer.
  @warn_unqualified_access
  public func signpost(_ prefix: String = "") -> some Reducer<State, Action> {
    IntervalReducer(self, prefix: prefix, observer: nil)
  }
}
#endif
