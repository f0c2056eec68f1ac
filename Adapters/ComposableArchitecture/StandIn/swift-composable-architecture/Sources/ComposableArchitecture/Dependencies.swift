import Foundation
import Synchronization

/// A dependency with a live value.
public protocol DependencyKey: Sendable {
  /// The type of the value.
  associatedtype Value: Sendable = Self
  /// The value in an app.
  static var liveValue: Value { get }
  /// The value in a test.
  static var testValue: Value { get }
}

extension DependencyKey {
  /// The live value, after a report.
  public static var testValue: Value {
    reportIssue("\(Self.self) has no test implementation, but was accessed from a test context:")
    return DependencyValues.live(Self.self)
  }
}

/// A dependency whose value for tests is made once for the dependencies of a store.
public protocol CachedDependencyKey: DependencyKey {}

/// The environment of a feature.
public enum DependencyContext: Sendable {
  /// An app.
  case live
  /// A preview.
  case preview
  /// A test.
  case test
}

/// The dependencies of features.
public struct DependencyValues: Sendable {
  /// The dependencies of the current task.
  @TaskLocal public static var _current = DependencyValues()

  private var values: [ObjectIdentifier: any Sendable] = [:]
  /// Live values, created once per process.
  private static let live = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// The environment of the features.
  public var context: DependencyContext = isTesting ? .test : .live
  private static let isTesting = CommandLine.arguments.contains("--testing-library")

  /// The values of `CachedDependencyKey`, which copies share.
  private let cache = Cache()
  private final class Cache: Sendable { let values = Mutex<[ObjectIdentifier: any Sendable]>([:]) }

  /// Creates live dependencies.
  public init() {}

  /// The value of a key.
  public subscript<Key: DependencyKey>(key: Key.Type) -> Key.Value {
    get {
      if let value = values[ObjectIdentifier(key)] as? Key.Value { return value }
      guard context == .test else { return Self.live(key) }
      guard key is any CachedDependencyKey.Type else { return Key.testValue }
      if let value = cache.values.withLock({ $0[ObjectIdentifier(key)] }) as? Key.Value {
        return value
      }
      let made = Key.testValue
      cache.values.withLock { $0[ObjectIdentifier(key)] = made }
      return made
    }
    set { values[ObjectIdentifier(key)] = newValue }
  }

  /// Returns the live value of a key, which is created once.
  static func live<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
    let id = ObjectIdentifier(key)
    if let value = live.withLock({ $0[id] }) as? Key.Value { return value }
    let made = Key.liveValue
    return live.withLock { live in
      if let value = live[id] as? Key.Value { return value }
      live[id] = made
      return made
    }
  }
}

/// Runs an operation with changed dependencies.
public func withDependencies<Result>(
  _ update: (inout DependencyValues) throws -> Void,
  operation: () throws -> Result
) rethrows -> Result {
  var values = DependencyValues._current
  try update(&values)
  return try DependencyValues.$_current.withValue(values, operation: operation)
}

/// Runs an asynchronous operation with changed dependencies.
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

  /// Creates an accessor for the dependency at a key path.
  public init(_ keyPath: any KeyPath<DependencyValues, Value> & Sendable) {
    read = { $0[keyPath: keyPath] }
  }

  /// Creates an accessor for the dependency of a key.
  public init<Key: DependencyKey>(_: Key.Type) where Key.Value == Value {
    read = { $0[Key.self] }
  }

  /// The value in the current task.
  public var wrappedValue: Value { read(DependencyValues._current) }
}

/// A generator of UUIDs.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// Creates a generator from a function.
  public init(_ generate: @escaping @Sendable () -> UUID) { self.generate = generate }

  /// Returns a new UUID.
  public func callAsFunction() -> UUID { generate() }

  /// A generator of consecutive UUIDs.
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
  /// Creates the UUID that ends in a number.
  public init(_ number: Int) {
    let digits = String(number, radix: 16)
    let padded = String(repeating: "0", count: 12 - digits.count) + digits
    self = UUID(uuidString: "00000000-0000-0000-0000-\(padded)") ?? UUID()
  }
}

/// A generator of dates.
public struct DateGenerator: Sendable {
  private var generate: @Sendable () -> Date

  /// Creates a generator from a function.
  public init(_ generate: @escaping @Sendable () -> Date) { self.generate = generate }

  /// Returns the current date.
  public func callAsFunction() -> Date { generate() }

  /// The current date.
  public var now: Date {
    get { generate() }
    set { generate = { newValue } }
  }

  /// Returns a generator that always returns the same date.
  public static func constant(_ date: Date) -> Self { Self { date } }
}

/// Provides access to a random number generator.
public final class WithRandomNumberGenerator: Sendable {
  private let lend: @Sendable (_ work: (inout any RandomNumberGenerator) -> Void) -> Void

  /// Stores a generator.
  public init(_ generator: some RandomNumberGenerator & Sendable) {
    let base = Base(generator)
    lend = { base.lend($0) }
  }

  /// Calls a function with the generator.
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

private enum UUIDKey: DependencyKey { static var liveValue: UUIDGenerator { .init { UUID() } } }
private enum DateKey: DependencyKey { static var liveValue: DateGenerator { .init { Date() } } }
private enum RandomKey: DependencyKey {
  static var liveValue: WithRandomNumberGenerator { .init(SystemRandomNumberGenerator()) }
}
private enum ContinuousClockKey: DependencyKey {
  static var liveValue: any Clock<Duration> { ContinuousClock() }
}
private enum SuspendingClockKey: DependencyKey {
  static var liveValue: any Clock<Duration> { SuspendingClock() }
}
private enum LocaleKey: DependencyKey { static var liveValue: Locale { .current } }
private enum TimeZoneKey: DependencyKey { static var liveValue: TimeZone { .current } }
private enum CalendarKey: DependencyKey { static var liveValue: Calendar { .current } }
private enum DismissKey: DependencyKey {
  static var liveValue: DismissEffect { .init {} }
  static var testValue: DismissEffect { liveValue }
}
private enum NavigationPathKey: DependencyKey {
  static var liveValue: [NavigationStep] { [] }
  static var testValue: [NavigationStep] { [] }
}

extension DependencyValues {
  /// The generator of UUIDs.
  public var uuid: UUIDGenerator {
    get { self[UUIDKey.self] }
    set { self[UUIDKey.self] = newValue }
  }

  /// The generator of dates.
  public var date: DateGenerator {
    get { self[DateKey.self] }
    set { self[DateKey.self] = newValue }
  }

  /// The access to a random number generator.
  public var withRandomNumberGenerator: WithRandomNumberGenerator {
    get { self[RandomKey.self] }
    set { self[RandomKey.self] = newValue }
  }

  /// A clock that advances while the machine sleeps.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }

  /// A clock that stops while the machine sleeps.
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

  /// Dismisses a presented feature.
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

  /// Returns a step that is different from all others, for a store.
  static func unique() -> Self { Self(place: UUID(), id: nil) }
}

/// Dismisses a presented feature.
public struct DismissEffect: Sendable {
  private let dismiss: @MainActor @Sendable () -> Void

  /// Creates an effect from a function.
  public init(_ dismiss: @escaping @MainActor @Sendable () -> Void) { self.dismiss = dismiss }

  /// Dismisses the feature.
  @MainActor public func callAsFunction() async { dismiss() }
}
