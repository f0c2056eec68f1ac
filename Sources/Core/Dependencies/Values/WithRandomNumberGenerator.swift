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
  ///
  /// - Parameter operation: Draws from the generator.
  /// - Returns: What the operation returns.
  /// - Throws: What the operation throws.
  public func callAsFunction<R>(
    _ operation: (inout any RandomNumberGenerator) throws -> R
  ) rethrows -> R {
    var generator: any RandomNumberGenerator = ReadGenerator(base: generator)
    return try operation(&generator)
  }
}

/// Each number that is drawn is one read.
private struct ReadGenerator: RandomNumberGenerator {
  let base: LockIsolated<any RandomNumberGenerator & Sendable>
  private var drawn: UInt64 = 0

  init(base: LockIsolated<any RandomNumberGenerator & Sendable>) {
    self.base = base
  }

  mutating func next() -> UInt64 {
    drawn &+= 1
    return ReadScope.read("random", standIn: standIn) { base.withValue { $0.next() } }
  }

  /// Another number each time (the output function of SplitMix64): who draws until a number fits must find one.
  private var standIn: UInt64 {
    var mixed = drawn &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
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
