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
/// Actions are performed in the order of their times. Actions with equal times are performed in the order in which they
/// were scheduled.
public final class TestScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The smallest tolerance: zero, because actions are performed exactly at their times.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  private let agenda: LockIsolated<Agenda>

  /// Creates a scheduler that starts at the given time.
  public init(now: SchedulerTimeType) {
    agenda = LockIsolated(unchecked: Agenda(now: now))
  }

  /// The current time, which changes only when a test advances the scheduler.
  public var now: SchedulerTimeType { agenda.withValue { $0.now } }

  /// Schedules an action for the current time.
  ///
  /// The action is performed when a test advances the scheduler.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    agenda.withValue { _ = $0.add(action, at: $0.now) }
  }

  /// Schedules an action for the given time.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    agenda.withValue { _ = $0.add(action, at: date) }
  }

  /// Schedules an action for the given time and then at regular intervals, until the returned object is canceled.
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
  /// Advances the scheduler by an interval and performs the actions that are due.
  public func advance(by interval: SchedulerTimeType.Stride = .zero) {
    advance(to: now.advanced(by: interval))
  }

  /// Advances the scheduler to a time and performs the actions that are due.
  public func advance(to date: SchedulerTimeType) {
    while let work = agenda.withValue({ $0.takeFirst(until: date) }) { work() }
  }

  /// Advances the scheduler until no action is scheduled.
  ///
  /// The function doesn't return before all repeating actions are canceled.
  public func run() {
    while let next = agenda.withValue({ $0.next }) { advance(to: next) }
  }

  /// Advances the scheduler by an interval and performs the actions that are due.
  ///
  /// After each action, all tasks have an opportunity to run.
  @MainActor
  public func advance(by interval: SchedulerTimeType.Stride = .zero) async {
    await advance(to: now.advanced(by: interval))
  }

  /// Advances the scheduler to a time and performs the actions that are due.
  ///
  /// After each action, all tasks have an opportunity to run.
  @MainActor
  public func advance(to date: SchedulerTimeType) async {
    await Task.megaYield()
    while let work = agenda.withValue({ $0.takeFirst(until: date) }) {
      work()
      await Task.megaYield()
    }
  }

  /// Advances the scheduler until no action is scheduled.
  ///
  /// After each action, all tasks have an opportunity to run.
  @MainActor
  public func run() async {
    await Task.megaYield()
    while let next = agenda.withValue({ $0.next }) { await advance(to: next) }
  }
}

extension TestScheduler {
  /// The current time, and the scheduled actions, sorted by time and then by scheduling order.
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

    /// The time of the next action, which is at least the current time; `nil` if no action is scheduled.
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

    /// Advances to the first action that is due by a time, and removes and returns the action.
    ///
    /// If no action is due by then, the function advances to that time and returns `nil`.
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
  /// Creates a container for a value that the caller doesn't use elsewhere, which the compiler can't verify.
  fileprivate convenience init(unchecked value: Value) {
    let value = UncheckedSendable(value)
    self.init(value.value)
  }
}

/// A test scheduler with the time and options of another scheduler: `TestSchedulerOf<DispatchQueue>`.
public typealias TestSchedulerOf<S: Scheduler> = TestScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// A new test scheduler that can replace a dispatch queue.
  public static var test: TestSchedulerOf<DispatchQueue> {
    // The time must not be zero, because `DispatchTime` interprets zero as the current time.
    TestScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension RunLoop {
  /// A new test scheduler that can replace a run loop.
  public static var test: TestSchedulerOf<RunLoop> {
    TestScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension OperationQueue {
  /// A new test scheduler that can replace an operation queue.
  public static var test: TestSchedulerOf<OperationQueue> {
    TestScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}
