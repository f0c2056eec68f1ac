@_spi(Internals) internal import ComposableArchitecture
internal import Foundation
import Synchronization

/// Answers what a reducer asks of its dependencies.
package protocol ReadInterceptor: Sendable {
  /// Answers one question.
  ///
  /// - Parameters:
  ///   - key: What is asked: `uuid`, `date`, `random`, `continuousClock.now`, `suspendingClock.now`.
  ///   - standIn: A harmless value.
  ///   - live: Asks the world.
  /// - Returns: The answer.
  func read<Value>(_ key: String, standIn: Value, live: () -> Value) -> Value
}

/// The time during which reads are those of a reducer: until it returns.
///
/// Its effects keep the dependencies; they ask the world.
package final class ReadScope: Sendable {
  private let interceptor: any ReadInterceptor
  private let isOpen = Atomic(true)
  private let original: OriginalReads

  private init(_ interceptor: any ReadInterceptor, _ original: OriginalReads) {
    self.interceptor = interceptor
    self.original = original
  }

  /// Runs a reducer whose reads an interceptor answers.
  package static func run<Result>(
    _ interceptor: any ReadInterceptor,
    _ reduce: () -> Result
  ) -> Result {
    // Of a scope around this one the effects keep the dependencies; what they override is taken from it.
    let values = DependencyValues._current
    let original = values[OriginalReadsKey.self].reads ?? OriginalReads(values)
    let scope = ReadScope(interceptor, original)
    defer { scope.isOpen.store(false, ordering: .releasing) }
    return withDependencies {
      scope.install(in: &$0)
    } operation: {
      reduce()
    }
  }

  private func install(in values: inout DependencyValues) {
    values[OriginalReadsKey.self] = OriginalReadsBox(reads: original)
    values.uuid = UUIDGenerator { [self] in
      read("uuid", standIn: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) {
        original.uuid()
      }
    }
    values.date = DateGenerator { [self] in
      read("date", standIn: Date(timeIntervalSince1970: 0)) { original.date.now }
    }
    values.withRandomNumberGenerator = WithRandomNumberGenerator(RandomReads(scope: self))
    values.continuousClock = readClock(original.continuousClock, "continuousClock.now", self)
    values.suspendingClock = readClock(original.suspendingClock, "suspendingClock.now", self)
  }

  fileprivate func read<Value>(_ key: String, standIn: Value, live: () -> Value) -> Value {
    guard isOpen.load(ordering: .acquiring) else { return live() }
    return interceptor.read(key, standIn: standIn, live: live)
  }

  fileprivate func random() -> UInt64 {
    read("random", standIn: 0) { original.random { $0.next() } }
  }
}

/// The dependencies as the app has them.
private struct OriginalReads: Sendable {
  let uuid: UUIDGenerator
  let date: DateGenerator
  let random: WithRandomNumberGenerator
  let continuousClock: any Clock<Duration>
  let suspendingClock: any Clock<Duration>

  init(_ values: DependencyValues) {
    uuid = values.uuid
    date = values.date
    random = values.withRandomNumberGenerator
    continuousClock = values.continuousClock
    suspendingClock = values.suspendingClock
  }
}

private struct OriginalReadsBox: Sendable { var reads: OriginalReads? }

private enum OriginalReadsKey: DependencyKey {
  static var liveValue: OriginalReadsBox { OriginalReadsBox() }
  static var testValue: OriginalReadsBox { OriginalReadsBox() }
}

private struct RandomReads: RandomNumberGenerator, Sendable {
  let scope: ReadScope
  mutating func next() -> UInt64 { scope.random() }
}

/// A clock whose time a reducer reads.
private struct ReadClock<Base: Clock>: Clock where Base.Duration == Duration {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
  }

  let base: Base
  let origin: Base.Instant
  let key: String
  let scope: ReadScope

  var now: Instant {
    Instant(offset: scope.read(key, standIn: .zero) { origin.duration(to: base.now) })
  }

  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let passed = origin.duration(to: base.now)
    let rest = deadline.offset - passed
    try await base.sleep(until: base.now.advanced(by: rest), tolerance: tolerance)
  }
}

private func readClock(
  _ clock: any Clock<Duration>,
  _ key: String,
  _ scope: ReadScope
) -> any Clock<Duration> {
  func open<Base: Clock<Duration>>(_ base: Base) -> any Clock<Duration> {
    ReadClock<Base>(base: base, origin: base.now, key: key, scope: scope)
  }
  return open(clock)
}

/// The number that the next element of a stack gets.
package enum StackElements {
  /// The number as it is now.
  package static var next: Int { DependencyValues._current.stackElementID.peek().generation }

  /// Runs an operation in which elements get numbers from this one on.
  ///
  /// - Returns: The result, and the number that comes after.
  package static func counting<Result>(
    from number: Int,
    _ operation: () throws -> Result
  ) rethrows -> (Result, next: Int) {
    let generator = StackElementIDGenerator.liveValue
    while generator.peek().generation < number { _ = generator.next() }
    let result = try withDependencies {
      $0.stackElementID = generator
    } operation: {
      try operation()
    }
    return (result, generator.peek().generation)
  }
}
