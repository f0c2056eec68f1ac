/// What must not leave the process: places in the state, in actions and in reads.
///
/// ```swift
/// LogMasks(state: ["/user/email"], action: ["/login/_0/**"], read: ["/AuthClient.token"])
/// ```
///
/// Names are those of the log. A path into a read begins with the read's key.
public struct LogMasks: Hashable, Sendable {
  /// Places in the state.
  public var state: [MaskPath]
  /// Places in actions.
  public var action: [MaskPath]
  /// Places in reads, below the read's key.
  public var read: [MaskPath]

  /// Masks for these places.
  public init(state: [MaskPath] = [], action: [MaskPath] = [], read: [MaskPath] = []) {
    self.state = state
    self.action = action
    self.read = read
  }

  /// What a path leads into.
  package enum Subject: String, CaseIterable, Sendable {
    case state, action, read
  }

  package func paths(in subject: Subject) -> [MaskPath] {
    switch subject {
    case .state: state
    case .action: action
    case .read: read
    }
  }

  /// Whether there are no masks.
  package var isEmpty: Bool { state.isEmpty && action.isEmpty && read.isEmpty }

  /// Whether a place lies in one that is masked, is one, or has one in it.
  package func covers(_ path: JSON.Pointer, in subject: Subject) -> Bool {
    var match = MaskMatch(paths(in: subject))
    if !match.complete.isEmpty { return true }
    for token in path.tokens where token != "$some" {
      match = match.step(token)
      if !match.complete.isEmpty { return true }
    }
    return false
  }
}

extension LogMasks {
  static let expected = "an object with arrays of paths in 'state', 'action' and 'read'"

  init?(json: JSON) {
    guard json.object != nil else { return nil }
    func paths(_ name: String) -> [MaskPath] {
      (json[name]?.array ?? []).compactMap(\.string).map { MaskPath($0) }
    }
    self.init(state: paths("state"), action: paths("action"), read: paths("read"))
  }

  /// The masks as a header states them.
  package var json: JSON {
    func array(_ paths: [MaskPath]) -> JSON { .array(paths.map { .string($0.description) }) }
    return ["state": array(state), "action": array(action), "read": array(read)]
  }
}
