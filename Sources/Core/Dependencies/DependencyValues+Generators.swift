public import Foundation

/// Returns the current date.
///
/// ```swift
/// @Dependency(\.date.now) var now
/// @Dependency(\.date) var date
/// state.savedAt = date()  // as `date.now`
/// ```
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Makes a generator of a function.
  public init(_ generate: @escaping @Sendable () -> Date) {
    self.generate = generate
  }

  /// A generator that always returns the same date.
  public static func constant(_ date: Date) -> DateGenerator {
    DateGenerator { date }
  }

  /// The current date.
  ///
  /// Setting it makes it constant.
  public var now: Date {
    get { ReadScope.read("date", standIn: Date(timeIntervalSince1970: 0), live: generate) }
    set { generate = { newValue } }
  }

  /// The date.
  public func callAsFunction() -> Date {
    now
  }
}

private enum DateKey: DependencyKey {
  static let liveValue = DateGenerator { Date() }
}

extension DependencyValues {
  /// Returns the current date.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }
}

/// Makes UUIDs, at random or as a test wants them.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// state.todos.append(Todo(id: uuid()))
/// ```
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Makes a generator of a function.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  /// Makes a UUID.
  public func callAsFunction() -> UUID {
    ReadScope.read("uuid", standIn: UUID(0), live: generate)
  }
}

extension UUIDGenerator {
  /// A generator that always makes the same UUID.
  public static func constant(_ uuid: UUID) -> UUIDGenerator {
    UUIDGenerator { uuid }
  }

  /// A generator that counts: `00000000-0000-0000-0000-000000000000`, `...01`, and so on.
  ///
  /// Each use of this property starts a sequence of its own.
  public static var incrementing: UUIDGenerator {
    let next = LockIsolated(0)
    return UUIDGenerator {
      next.withValue { next in
        defer { next += 1 }
        return UUID(next)
      }
    }
  }
}

extension UUID {
  /// The UUID whose last digits are a number, in hexadecimal.
  ///
  /// Negative numbers have a 1 in the third group, so they never equal a positive one: `UUID(-1)` is
  /// `00000000-0000-0001-0000-000000000001`.
  public init(_ number: Int) {
    let magnitude = UInt64(number.magnitude)
    func byte(_ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: magnitude >> (8 * place)) }
    let marker: UInt8 = number < 0 ? 1 : 0
    self.init(
      uuid: (
        0, 0, 0, 0, 0, 0, 0, marker,
        byte(7), byte(6), byte(5), byte(4), byte(3), byte(2), byte(1), byte(0)
      )
    )
  }
}

private enum UUIDKey: DependencyKey {
  static let liveValue = UUIDGenerator { UUID() }
}

extension DependencyValues {
  /// Makes UUIDs.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }
}

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
