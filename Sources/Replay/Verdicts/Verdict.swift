import ActionLog

/// What the replay of a log shows.
public enum Verdict: Sendable, Equatable {
  /// The replay does what was recorded, from the first event to the end of the log.
  case identical
  /// The log stops without an end; as far as it goes, up to this action, the replay does the same.
  case cut(at: Int)
  /// The log stops within this action, and there the replay trapped, with this signal.
  case trapReproduced(at: Int, signal: String)
  /// The app trapped within this action when it was recorded; the replay does not.
  case trapGone(at: Int)
  /// The replay trapped within an action that the recorded app survived.
  case trapped(at: Int, signal: String)
  /// The replay does something else.
  case diverged(Divergence)
  /// The code cannot read a value of the log.
  case undecodable(Obstacle)
  /// The log does not hold a value that the replay needs.
  case notReplayable(Obstacle)

  /// What keeps a replay from going on.
  public struct Obstacle: Sendable, Equatable {
    /// The action that needs the value; 0 for the initial state.
    public var at: Int
    /// Where the value is, within the action or the state.
    public var path: String
    /// What is wrong with it.
    public var message: String

    /// An obstacle.
    public init(at: Int, path: String, message: String) {
      self.at = at
      self.path = path
      self.message = message
    }
  }
}

extension Verdict {
  /// The verdict's name, as its JSON form has it.
  public var name: String {
    switch self {
    case .identical: "identical"
    case .cut: "cut"
    case .trapReproduced: "trapReproduced"
    case .trapGone: "trapGone"
    case .trapped: "trapped"
    case .diverged: "diverged"
    case .undecodable: "undecodable"
    case .notReplayable: "notReplayable"
    }
  }

  /// The action that the verdict is about.
  public var at: Int? {
    switch self {
    case .identical: nil
    case .cut(let at), .trapReproduced(let at, _), .trapGone(let at), .trapped(let at, _): at
    case .diverged(let divergence): divergence.at
    case .undecodable(let obstacle), .notReplayable(let obstacle): obstacle.at
    }
  }

  /// Whether the replay shows the recorded behaviour, as far as the log goes.
  public var isSame: Bool {
    switch self {
    case .identical, .cut, .trapReproduced: true
    case .trapGone, .trapped, .diverged, .undecodable, .notReplayable: false
    }
  }
}
