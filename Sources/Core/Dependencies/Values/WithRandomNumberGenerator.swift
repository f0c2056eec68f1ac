/// Lends a random number generator.
///
/// ```swift
/// @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
/// state.die = withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }
/// ```
public struct WithRandomNumberGenerator: Sendable {
  private let generator: LockIsolated<any RandomNumberGenerator & Sendable>

  /// Lends a given generator, one caller at a time.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    self.generator = LockIsolated(generator)
  }

  /// Runs an operation with the generator.
  public func callAsFunction<R>(_ operation: (inout any RandomNumberGenerator) -> R) -> R {
    var generator: any RandomNumberGenerator = ReadGenerator(base: generator)
    return operation(&generator)
  }
}

/// Each number that is drawn is one read.
private struct ReadGenerator: RandomNumberGenerator {
  let base: LockIsolated<any RandomNumberGenerator & Sendable>

  mutating func next() -> UInt64 {
    ReadScope.read("random", standIn: 0) { base.withValue { $0.next() } }
  }
}

private enum WithRandomNumberGeneratorKey: DependencyKey {
  static let liveValue = WithRandomNumberGenerator(SystemRandomNumberGenerator())
}

extension DependencyValues {
  /// Lends a random number generator.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[WithRandomNumberGeneratorKey.self] }
    set { self[WithRandomNumberGeneratorKey.self] = newValue }
  }
}
