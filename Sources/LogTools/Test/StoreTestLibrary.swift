import ActionLog
import ReplayEngine

/// The library of the recorded app, whose `TestStore` performs the steps of a log.
enum StoreTestLibrary {
  /// This package.
  case core
  /// Point-Free's library, with the adapter.
  case composable

  /// Returns the library that a log's header names.
  init(of header: LogEvent.Header?) {
    self = header?.hidesEffects == true ? .composable : .core
  }

  /// The modules that a test with a test store imports.
  var storeModules: [String] {
    switch self {
    case .core: ["TCACore", "TCATesting"]
    case .composable: ["ComposableArchitecture", "ComposableReplay"]
    }
  }

  /// The module that a test with `expectReplay` imports.
  var replayModule: String {
    switch self {
    case .core: "TCAReplay"
    case .composable: "ComposableReplay"
    }
  }

  /// Returns whether a test performs the work of an effect.
  ///
  /// Point-Free's library doesn't show the parts of a publisher, so no test can perform their work one by one.
  func isStubbed(_ effect: EffectDescription) -> Bool {
    switch self {
    case .core: effect.operation == .run && !effect.isInternal
    case .composable: effect.operation == .run && effect.name != Self.publisher
    }
  }

  /// The name by which the adapter describes any effect that is not a single task.
  private static let publisher = "(publisher)"

  /// Returns whether the test store numbers the elements of stacks as the log does, given the logged numbers.
  ///
  /// - Parameters:
  ///   - first: The number of the first new element.
  ///   - numbers: The first new numbers of all actions that push elements.
  /// - Returns: Whether the test needs no answers for these numbers.
  func numbersElements(from first: Int, _ numbers: [Int]) -> Bool {
    guard first == 0 else { return false }
    // Views of Point-Free's library use numbers that no log shows.
    return self == .core || numbers == Array(numbers.indices)
  }
}

extension LogEvent.Header {
  /// Whether the log is of an app on Point-Free's library, which shows effects only when they run.
  package var hidesEffects: Bool { environment["library"]?.string == "ComposableArchitecture" }
}
