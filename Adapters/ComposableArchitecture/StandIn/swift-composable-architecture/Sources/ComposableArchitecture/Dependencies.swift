import Foundation
import Synchronization

/// A dependency with a live value.
public protocol DependencyKey: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable = Self
  /// The value in an app.
  static var liveValue: Value { get }
}

/// A key whose live value is none for tests; in the library that is any key without a value for tests.
public protocol LiveDependencyKey: DependencyKey {}

/// Where a feature runs.
public enum DependencyContext: Sendable {
  /// In an app.
  case live
  /// In a preview.
  case preview
  /// In a test.
  case test
}

/// The dependencies of features.
public struct DependencyValues: Sendable {
  /// Those of the current task.
  @TaskLocal public static var _current = DependencyValues()

  private var values: [ObjectIdentifier: any Sendable] = [:]
  /// Live values are made once for the process.
  private static let live = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// Where features run.
  public var context: DependencyContext = isTesting ? .test : .live
  private static let isTesting = CommandLine.arguments.contains("--testing-library")

  /// Live values.
  public init() {}

  /// The value of a key.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      let id = ObjectIdentifier(key)
      if let value = values[id] as? Key.Value { return value }
      if context == .test, key is any LiveDependencyKey.Type {
        reportIssue("\(key) has no test implementation, but was accessed from a test.")
      }
      if let value = Self.live.withLock({ $0[id] }) as? Key.Value { return value }
      let made = Key.liveValue
      return Self.live.withLock { live in
        if let value = live[id] as? Key.Value { return value }
        live[id] = made
        return made
      }
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

/// Runs an operation with other dependencies.
public func withDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Void,
  operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues._current
  try update(&values)
  return try DependencyValues.$_current.withValue(values, operation: operation)
}

/// Runs an asynchronous operation with other dependencies.
public func withDependencies<Result>(
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> Result
) async rethrows -> Result {
  var values = DependencyValues._current
  try await update(&values)
  return try await DependencyValues.$_current.withValue(values, operation: operation)
}

/// A dependency of a feature.
@propertyWrapper
public struct Dependency<Value>: Sendable {
  private let read: @Sendable (DependencyValues) -> Value

  /// The dependency at a key path.
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    read = { $0[keyPath: keyPath] }
  }

  /// The dependency of a key.
  public init<Key: DependencyKey>(_: Key.Type) where Key.Value == Value {
    read = { $0[Key.self] }
  }

  /// The value, as it is in the current task.
  public var wrappedValue: Value { read(DependencyValues._current) }
}

/// Makes UUIDs.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Makes them by a function.
  public init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

  /// Makes one.
  public func callAsFunction() -> UUID { generate() }

  /// Counts.
  public static var incrementing: Self {
    let count = Counter()
    return Self { UUID(count.next()) }
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }
}

extension UUID {
  /// The UUID that ends in a number.
  public init(_ number: Int) {
    let digits = String(number, radix: 16)
    let padded = String(repeating: "0", count: 12 - digits.count) + digits
    self = UUID(uuidString: "00000000-0000-0000-0000-\(padded)") ?? UUID()
  }
}

/// Says what time it is.
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Says it by a function.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// Says it.
  public func callAsFunction() -> Date { generate() }

  /// The time.
  public var now: Date {
    get { generate() }
    set { generate = { newValue } }
  }

  /// Always the same.
  public static func constant(_ date: Date) -> Self { Self { date } }
}

/// Lends a generator of random numbers.
public final class WithRandomNumberGenerator: Sendable {
  private let lend: @Sendable (_ work: (inout any RandomNumberGenerator) -> Void) -> Void

  /// Lends one.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    let base = Base(generator)
    lend = { base.lend($0) }
  }

  /// Lends it to a function.
  public func callAsFunction<R>(_ work: (inout any RandomNumberGenerator) -> R) -> R {
    var result: R?
    lend { result = work(&$0) }
    guard let result else { preconditionFailure("The generator was not lent.") }
    return result
  }

  private final class Base<Generator: RandomNumberGenerator & Sendable>: Sendable {
    private let generator: Mutex<Generator>
    init(_ generator: Generator) { self.generator = Mutex(generator) }

    func lend(_ work: (inout any RandomNumberGenerator) -> Void) {
      var copy: any RandomNumberGenerator = generator.withLock { $0 }
      work(&copy)
      if let copy = copy as? Generator { generator.withLock { $0 = copy } }
    }
  }
}

private enum UUIDKey: LiveDependencyKey { static var liveValue: UUIDGenerator { .init { UUID() } } }
private enum DateKey: LiveDependencyKey { static var liveValue: DateGenerator { .init { Date() } } }
private enum RandomKey: LiveDependencyKey {
  static var liveValue: WithRandomNumberGenerator { .init(SystemRandomNumberGenerator()) }
}
private enum ContinuousClockKey: LiveDependencyKey {
  static var liveValue: any Clock<Duration> { ContinuousClock() }
}
private enum SuspendingClockKey: LiveDependencyKey {
  static var liveValue: any Clock<Duration> { SuspendingClock() }
}
private enum LocaleKey: LiveDependencyKey { static var liveValue: Locale { .current } }
private enum TimeZoneKey: LiveDependencyKey { static var liveValue: TimeZone { .current } }
private enum CalendarKey: LiveDependencyKey { static var liveValue: Calendar { .current } }
private enum DismissKey: DependencyKey { static var liveValue: DismissEffect { .init {} } }
private enum NavigationPathKey: DependencyKey {
  static var liveValue: [NavigationStep] { [] }
}

extension DependencyValues {
  /// Makes UUIDs.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  /// Says what time it is.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  /// Lends a generator of random numbers.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[RandomKey.self] }
    set { self[RandomKey.self] = newValue }
  }

  /// A clock that goes on while the machine sleeps.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }

  /// A clock that stands while the machine sleeps.
  public var suspendingClock: any Clock<Duration> {
    get { self[SuspendingClockKey.self] }
    set { self[SuspendingClockKey.self] = newValue }
  }

  /// The locale.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The time zone.
  public var timeZone: TimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }

  /// The calendar.
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }

  /// Lets a presented feature go away.
  public var dismiss: DismissEffect {
    get { self[DismissKey.self] }
    set { self[DismissKey.self] = newValue }
  }

  var navigationPath: [NavigationStep] {
    get { self[NavigationPathKey.self] }
    set { self[NavigationPathKey.self] = newValue }
  }
}

/// A step from a feature to one that it presents.
struct NavigationStep: Hashable, @unchecked Sendable {
  let place: AnyHashable
  let id: AnyHashable?

  /// A step that no other is equal to: a store.
  static func unique() -> Self { Self(place: UUID(), id: nil) }
}

/// Lets a presented feature go away.
public struct DismissEffect: Sendable {
  private let dismiss: @MainActor @Sendable () -> Void

  /// By a function.
  public init(_ dismiss: @escaping @MainActor @Sendable () -> Void) { self.dismiss = dismiss }

  /// Lets it go.
  @MainActor public func callAsFunction() async { dismiss() }
}
