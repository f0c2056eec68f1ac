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
/// Work is performed in the order of its times. Work with equal times is performed in scheduling order.
public final class TestScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The smallest tolerance: zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  private let agenda: LockIsolated<Agenda>

  /// Creates a scheduler with a given time.
  public init(now: SchedulerTimeType) {
    agenda = LockIsolated(unchecked: Agenda(now: now))
  }

  /// The time of the scheduler.
  public var now: SchedulerTimeType { agenda.withValue { $0.now } }

  /// Schedules work for the current time.
  ///
  /// It is performed when a test advances the scheduler.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    agenda.withValue { _ = $0.add(action, at: $0.now) }
  }

  /// Schedules work for a time.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    agenda.withValue { _ = $0.add(action, at: date) }
  }

  /// Schedules work for a time and then at regular intervals, until the result is cancelled.
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
  /// Advances the scheduler by an interval and performs the work that is due.
  public func advance(by interval: SchedulerTimeType.Stride = .zero) {
    advance(to: now.advanced(by: interval))
  }

  /// Advances the scheduler to a time and performs the work that is due.
  public func advance(to date: SchedulerTimeType) {
    while let work = agenda.withValue({ $0.takeFirst(until: date) }) { work() }
  }

  /// Advances the scheduler until no work is left.
  ///
  /// Doesn't return while repeating work remains uncancelled.
  public func run() {
    while let next = agenda.withValue({ $0.next }) { advance(to: next) }
  }

  /// Advances the scheduler by an interval.
  ///
  /// All tasks may run after each unit of work.
  @MainActor
  public func advance(by interval: SchedulerTimeType.Stride = .zero) async {
    await advance(to: now.advanced(by: interval))
  }

  /// Advances the scheduler to a time.
  ///
  /// All tasks may run after each unit of work.
  @MainActor
  public func advance(to date: SchedulerTimeType) async {
    await Task.megaYield()
    while let work = agenda.withValue({ $0.takeFirst(until: date) }) {
      work()
      await Task.megaYield()
    }
  }

  /// Advances the scheduler until no work is left.
  ///
  /// All tasks may run after each unit of work.
  @MainActor
  public func run() async {
    await Task.megaYield()
    while let next = agenda.withValue({ $0.next }) { await advance(to: next) }
  }
}

extension TestScheduler {
  /// The scheduled work, sorted by time and scheduling order.
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

    /// The time of the next work.
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

    /// Advances to the first work that is due and removes it.
    ///
    /// If there is none, advances to the end.
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
  /// Protects a value that the caller guarantees isn't used elsewhere.
  ///
  /// The compiler can't verify this.
  fileprivate convenience init(unchecked value: Value) {
    let value = UncheckedSendable(value)
    self.init(value.value)
  }
}

/// A test scheduler with the time and options of another one: `TestSchedulerOf<DispatchQueue>`.
public typealias TestSchedulerOf<S: Scheduler> = TestScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// A test scheduler that replaces a dispatch queue.
  public static var test: TestSchedulerOf<DispatchQueue> {
    // `DispatchTime` interprets zero as the current time.
    TestScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension RunLoop {
  /// A test scheduler that replaces a run loop.
  public static var test: TestSchedulerOf<RunLoop> {
    TestScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension OperationQueue {
  /// A test scheduler that replaces an operation queue.
  public static var test: TestSchedulerOf<OperationQueue> {
    TestScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}
