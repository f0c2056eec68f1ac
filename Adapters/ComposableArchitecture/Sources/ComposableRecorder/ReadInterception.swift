@_spi(Internals) internal import ComposableArchitecture
internal import Foundation
import Synchronization

/// Answers the reads of a reducer from its dependencies.
package protocol DependencyReadInterceptor: Sendable {
  /// A number from which harmless values are drawn, so that the same action always receives the same ones.
  var seed: UInt64 { get }

  /// Answers a read.
  ///
  /// - Parameters:
  ///   - key: The name of the read value: `uuid`, `date`, `random`, `continuousClock.now`, `suspendingClock.now`.
  ///   - standIn: Returns a harmless value.
  ///   - live: Returns the live value.
  /// - Returns: The answer.
  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value
}

extension DependencyReadInterceptor {
  /// 0, for an interceptor that answers all reads.
  package var seed: UInt64 { 0 }
}

/// The scope in which reads belong to a reducer.
///
/// It ends when the reducer returns.
///
/// Effects inherit the dependencies, but receive live values.
package final class ReducerReadScope: Sendable {
  private let interceptor: any DependencyReadInterceptor
  private let isOpen = Atomic(true)
  /// The dependencies of the app.
  ///
  /// Each value is requested only when it is read, because some have no value in tests.
  private let original: DependencyValues
  /// Draws harmless values.
  ///
  /// They differ, because algorithms that reject numbers never return with a constant, and because states need
  /// different ids.
  private let standIns: Mutex<SplitMix>

  private init(_ interceptor: any DependencyReadInterceptor, _ original: DependencyValues) {
    self.interceptor = interceptor
    self.original = original
    standIns = Mutex(SplitMix(state: interceptor.seed))
  }

  /// Runs a reducer whose reads an interceptor answers.
  ///
  /// - Parameters:
  ///   - interceptor: Answers the reads.
  ///   - changes: Receives the changes of shared values; `nil` if nobody asks for them.
  ///   - reduce: Runs the reducer.
  /// - Returns: The result of the reducer.
  package static func run<Result>(
    _ interceptor: any DependencyReadInterceptor,
    tracking changes: SharedValueChanges? = nil,
    _ reduce: () -> Result
  ) -> Result {
    // Effects of an enclosing scope retain its dependencies. Their overrides are taken from it.
    let values = DependencyValues._current
    let original = values[OriginalValuesKey.self].values ?? values
    let scope = ReducerReadScope(interceptor, original)
    defer { scope.isOpen.store(false, ordering: .releasing) }
    return withDependencies {
      scope.install(in: &$0)
    } operation: {
      changes?.track(reduce) ?? reduce()
    }
  }

  private func install(in values: inout DependencyValues) {
    values[OriginalValuesKey.self] = OriginalValues(values: original)
    values[CurrentScopeKey.self] = CurrentScope(scope: self)
    values.uuid = UUIDGenerator { [self] in
      read("uuid", standIn: standIns.withLock { $0.uuid() }) { original.uuid() }
    }
    values.date = DateGenerator { [self] in
      read("date", standIn: Date(timeIntervalSince1970: 0)) { original.date.now }
    }
    values.withRandomNumberGenerator = WithRandomNumberGenerator(RandomReads(scope: self))
    values.continuousClock = ReadInterceptingClock("continuousClock.now", self) { [original] in
      original.continuousClock
    }
    values.suspendingClock = ReadInterceptingClock("suspendingClock.now", self) { [original] in
      original.suspendingClock
    }
  }

  func read<Value>(
    _ key: String,
    standIn: @autoclosure () -> Value,
    live: () -> Value
  ) -> Value {
    guard isOpen.load(ordering: .acquiring) else { return live() }
    return interceptor.read(key, standIn: standIn, live: live)
  }

  fileprivate func random() -> UInt64 {
    read("random", standIn: standIns.withLock { $0.next() }) {
      original.withRandomNumberGenerator { $0.next() }
    }
  }
}

private struct OriginalValues: Sendable { var values: DependencyValues? }

/// The scope of a running reducer, with the names of the endpoints that it reads.
struct CurrentScope: Sendable {
  fileprivate(set) var scope: ReducerReadScope?
  var endpoints: Set<String> = []
}

enum CurrentScopeKey: DependencyKey {
  static var liveValue: CurrentScope { CurrentScope() }
  static var testValue: CurrentScope { CurrentScope() }
}

private enum OriginalValuesKey: DependencyKey {
  static var liveValue: OriginalValues { OriginalValues() }
  static var testValue: OriginalValues { OriginalValues() }
}

/// A generator of random numbers by Steele, Lea and Flood.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func uuid() -> UUID {
    func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
    let all = bytes(next()) + bytes(next())
    return UUID(
      uuid: (
        all[0], all[1], all[2], all[3], all[4], all[5], all[6] & 0x0F | 0x40, all[7],
        all[8] & 0x3F | 0x80, all[9], all[10], all[11], all[12], all[13], all[14], all[15]
      )
    )
  }
}

private struct RandomReads: RandomNumberGenerator, Sendable {
  let scope: ReducerReadScope
  mutating func next() -> UInt64 { scope.random() }
}

/// A clock whose time a reducer reads.
private struct ReadInterceptingClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
    func duration(to other: Self) -> Duration { other.offset - offset }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
  }

  private let key: String
  private let scope: ReducerReadScope
  private let base: StartedClock

  /// Wraps another clock.
  init(
    _ key: String,
    _ scope: ReducerReadScope,
    _ original: @escaping @Sendable () -> any Clock<Duration>
  ) {
    self.key = key
    self.scope = scope
    base = StartedClock(original)
  }

  var now: Instant {
    Instant(offset: scope.read(key, standIn: .zero) { base.started.now })
  }

  var minimumResolution: Duration { base.started.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await base.started.sleep(until: deadline.offset, tolerance: tolerance)
  }
}

/// A clock that starts with its first use.
private final class StartedClock: Sendable {
  private let original: @Sendable () -> any Clock<Duration>
  private let clock = Mutex<(any RunningClock)?>(nil)

  init(_ original: @escaping @Sendable () -> any Clock<Duration>) { self.original = original }

  var started: any RunningClock {
    clock.withLock { clock in
      if let clock { return clock }
      func start<Base: Clock<Duration>>(_ base: Base) -> any RunningClock {
        Running(base: base, origin: base.now)
      }
      let running = start(original())
      clock = running
      return running
    }
  }

  private struct Running<Base: Clock<Duration>>: RunningClock {
    let base: Base
    let origin: Base.Instant

    var now: Duration { origin.duration(to: base.now) }
    var minimumResolution: Duration { base.minimumResolution }

    func sleep(until deadline: Duration, tolerance: Duration?) async throws {
      try await base.sleep(
        until: base.now.advanced(by: deadline - now),
        tolerance: tolerance
      )
    }
  }
}

/// A clock that counts time from its start.
private protocol RunningClock: Sendable {
  var now: Duration { get }
  var minimumResolution: Duration { get }
  func sleep(until deadline: Duration, tolerance: Duration?) async throws
}

/// The number of the next element of a stack.
package enum StackElements {
  /// The current number.
  package static var next: Int { DependencyValues._current.stackElementID.peek().generation }

  /// Skips the numbers before the given one, because a previous store has used them.
  package static func skip(to number: Int) {
    let generator = DependencyValues._current.stackElementID
    while generator.peek().generation < number { _ = generator.next() }
  }

  /// Runs an operation in which elements get numbers from the given one on.
  ///
  /// - Returns: The result, and the next number.
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
