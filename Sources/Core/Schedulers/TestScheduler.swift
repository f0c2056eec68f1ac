public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// A scheduler whose time stands still until a test advances it.
///
/// ```swift
/// let scheduler = DispatchQueue.test
/// let store = TestStore(initialState: .init()) { Search() } withDependencies: {
///   $0.mainQueue = scheduler.eraseToAnyScheduler()
/// }
/// await store.send(.queryChanged("swift"))
/// await scheduler.advance(by: .milliseconds(300))
/// await store.receive(\.searched)
/// ```
///
/// Work is done in the order of its moments, and at one moment in the order in which it was scheduled.
public final class TestScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// A test scheduler is exact.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  private let agenda: LockIsolated<Agenda>

  /// Makes a scheduler at a moment.
  public init(now: SchedulerTimeType) {
    agenda = LockIsolated(unchecked: Agenda(now: now))
  }

  /// The moment of the scheduler.
  public var now: SchedulerTimeType { agenda.withValue { $0.now } }

  /// Keeps work for the current moment; it is done when the scheduler is moved.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    agenda.withValue { _ = $0.add(action, at: $0.now) }
  }

  /// Keeps work for a moment.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    agenda.withValue { _ = $0.add(action, at: date) }
  }

  /// Keeps work for a moment and at an interval after it, until that is cancelled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let id = agenda.withValue { $0.add(action, at: date, every: interval) }
    return AnyCancellable { [agenda] in agenda.withValue { $0.remove(id) } }
  }
}

extension TestScheduler: Sendable {}

extension TestScheduler {
  /// Moves the scheduler on by a time, and does the work that lies in it.
  public func advance(by interval: SchedulerTimeType.Stride = .zero) {
    advance(to: now.advanced(by: interval))
  }

  /// Moves the scheduler on to a moment, and does the work that lies before it.
  public func advance(to date: SchedulerTimeType) {
    while let work = agenda.withValue({ $0.takeFirst(until: date) }) { work() }
  }

  /// Moves the scheduler on until there is no work left; work that repeats has to be cancelled by other work.
  public func run() {
    while let next = agenda.withValue({ $0.next }) { advance(to: next) }
  }

  /// Moves the scheduler on by a time; after each piece of work all tasks get their turn.
  @MainActor
  public func advance(by interval: SchedulerTimeType.Stride = .zero) async {
    await advance(to: now.advanced(by: interval))
  }

  /// Moves the scheduler on to a moment; after each piece of work all tasks get their turn.
  @MainActor
  public func advance(to date: SchedulerTimeType) async {
    await Task.megaYield()
    while let work = agenda.withValue({ $0.takeFirst(until: date) }) {
      work()
      await Task.megaYield()
    }
  }

  /// Moves the scheduler on until there is no work left; after each piece of work all tasks get their turn.
  @MainActor
  public func run() async {
    await Task.megaYield()
    while let next = agenda.withValue({ $0.next }) { await advance(to: next) }
  }
}

extension TestScheduler {
  /// The work that waits, in the order in which it is done.
  private struct Agenda {
    private struct ScheduledWork {
      let id: Int
      var date: SchedulerTimeType
      let interval: SchedulerTimeType.Stride?
      let action: () -> Void
    }

    private(set) var now: SchedulerTimeType
    private var entries: [ScheduledWork] = []
    private var lastID = 0

    init(now: SchedulerTimeType) {
      self.now = now
    }

    /// When the next work is due.
    var next: SchedulerTimeType? { entries.first.map { max($0.date, now) } }

    mutating func add(
      _ action: @escaping () -> Void,
      at date: SchedulerTimeType,
      every interval: SchedulerTimeType.Stride? = nil
    ) -> Int {
      lastID += 1
      insert(ScheduledWork(id: lastID, date: date, interval: interval, action: action))
      return lastID
    }

    mutating func remove(_ id: Int) {
      entries.removeAll { $0.id == id }
    }

    /// Moves on to the first work that is due, or, when there is none, all the way.
    mutating func takeFirst(until end: SchedulerTimeType) -> (() -> Void)? {
      guard let first = entries.first, first.date <= end else {
        now = max(now, end)
        return nil
      }
      now = max(now, first.date)
      entries.removeFirst()
      if let interval = first.interval {
        var repeated = first
        repeated.date = first.date.advanced(by: interval)
        insert(repeated)
      }
      return first.action
    }

    private mutating func insert(_ entry: ScheduledWork) {
      let index = entries.firstIndex { (entry.date, entry.id) < ($0.date, $0.id) }
      entries.insert(entry, at: index ?? entries.endIndex)
    }
  }
}

extension LockIsolated {
  /// Protects a value of which the compiler cannot see that no other code holds it.
  fileprivate convenience init(unchecked value: Value) {
    let value = UncheckedSendable(value)
    self.init(value.value)
  }
}

/// A test scheduler with the moments and options of another one: `TestSchedulerOf<DispatchQueue>`.
public typealias TestSchedulerOf<S: Scheduler> = TestScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// A test scheduler for what a queue does in an app.
  public static var test: TestSchedulerOf<DispatchQueue> {
    // Zero would mean the current moment.
    TestScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension RunLoop {
  /// A test scheduler for what a run loop does in an app.
  public static var test: TestSchedulerOf<RunLoop> {
    TestScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension OperationQueue {
  /// A test scheduler for what an operation queue does in an app.
  public static var test: TestSchedulerOf<OperationQueue> {
    TestScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}
