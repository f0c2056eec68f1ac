public import Foundation

/// A generator that returns the current date.
///
/// ```swift
/// @Dependency(\.date.now) var now
/// @Dependency(\.date) var date
/// state.savedAt = date()  // the same as `now`
/// ```
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Creates a generator that calls a function for each date.
  public init(_ generate: @escaping @Sendable () -> Date) {
    self.generate = generate
  }

  /// Returns a generator that always returns the same date.
  public static func constant(_ date: Date) -> DateGenerator {
    DateGenerator { date }
  }

  /// The current date, or the constant date that was set.
  ///
  /// Setting the property makes the generator return the new date from then on.
  public var now: Date {
    get { ReducerReadScope.read("date", standIn: Date(timeIntervalSince1970: 0), live: generate) }
    set { generate = { newValue } }
  }

  /// Returns the current date.
  public func callAsFunction() -> Date {
    now
  }
}

private enum DateKey: DependencyKey {
  static let liveValue = DateGenerator { Date() }
}

extension DependencyValues {
  /// A generator that returns the current date.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }
}

/// A generator of new UUIDs, which are random by default.
///
/// ```swift
/// @Dependency(\.uuid) var uuid
/// state.todos.append(Todo(id: uuid()))
/// ```
///
/// A test should set a generator of predictable UUIDs, such as `incrementing`.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Creates a generator that calls a function for each UUID.
  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  /// Returns a new UUID.
  public func callAsFunction() -> UUID {
    ReducerReadScope.read("uuid", standIn: UUID(0), live: generate)
  }
}

extension UUIDGenerator {
  /// Returns a generator that always returns the same UUID.
  public static func constant(_ uuid: UUID) -> UUIDGenerator {
    UUIDGenerator { uuid }
  }

  /// A generator that counts: `00000000-0000-0000-0000-000000000000`, `...01`, and so on.
  ///
  /// Each access of this property starts a new sequence.
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
  /// Creates a UUID whose last hexadecimal digits are the magnitude of a number.
  ///
  /// A negative number sets the third group to 1, so its UUID never equals that of a positive number: `UUID(-1)` is
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
  /// A generator of new UUIDs.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }
}

/// A function that gives an operation access to a random number generator.
///
/// ```swift
/// @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
/// state.die = withRandomNumberGenerator { Int.random(in: 1...6, using: &$0) }
/// ```
public struct WithRandomNumberGenerator: Sendable {
  private let generator: LockIsolated<any RandomNumberGenerator & Sendable>

  /// Creates a function that gives operations access to a random number generator.
  ///
  /// Concurrent operations can use the generator, because it is locked for each number that is drawn.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    self.generator = LockIsolated(generator)
  }

  /// Runs an operation that draws random numbers from the generator.
  ///
  /// - Parameter operation: The operation to run, which receives the generator.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  public func callAsFunction<R>(
    _ operation: (inout any RandomNumberGenerator) throws -> R
  ) rethrows -> R {
    var generator: any RandomNumberGenerator = RecordingRandomNumberGenerator(base: generator)
    return try operation(&generator)
  }
}

/// A random number generator that records each drawn number as a read.
private struct RecordingRandomNumberGenerator: RandomNumberGenerator {
  let base: LockIsolated<any RandomNumberGenerator & Sendable>
  private var drawn: UInt64 = 0

  init(base: LockIsolated<any RandomNumberGenerator & Sendable>) {
    self.base = base
  }

  mutating func next() -> UInt64 {
    drawn &+= 1
    return ReducerReadScope.read("random", standIn: standIn) { base.withValue { $0.next() } }
  }

  /// The number that a replay draws if none was recorded, computed with the output function of SplitMix64.
  ///
  /// The number differs for each draw. With a constant, code that draws until a number fits would loop forever.
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
  /// A function that gives an operation access to a random number generator.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[WithRandomNumberGeneratorKey.self] }
    set { self[WithRandomNumberGeneratorKey.self] = newValue }
  }
}
