public import TCACore

/// A feature whose state and actions are public because of the extension that declares them.
public struct ExtendedFeature {}

// swift-format-ignore
public extension ExtendedFeature {
  /// The state.
  @ObservableState
  struct State: Equatable {
    var count = 0
  }

  /// A nested state.
  @ObservableState
  @CasePathable
  enum Mode: Equatable {
    case counting(State)
    case idle
  }

  /// The actions.
  @CasePathable
  enum Action: Equatable {
    case add(Int)
  }
}
