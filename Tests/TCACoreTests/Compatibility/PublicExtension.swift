public import TCACore

/// A feature whose state and actions stand in an extension, and are public by that.
public struct ExtendedFeature {}

// swift-format-ignore
public extension ExtendedFeature {
  /// What it knows.
  @ObservableState
  struct State: Equatable {
    var count = 0
  }

  /// What it is about.
  @ObservableState
  @CasePathable
  enum Mode: Equatable {
    case counting(State)
    case idle
  }

  /// What happens to it.
  @CasePathable
  enum Action: Equatable {
    case add(Int)
  }
}
