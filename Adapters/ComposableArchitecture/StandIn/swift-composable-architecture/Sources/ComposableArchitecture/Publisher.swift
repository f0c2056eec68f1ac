import Foundation
import Synchronization

/// A function that runs once, at a cancellation or at deallocation.
public final class AnyCancellable: Sendable {
  private let action: Mutex<(@Sendable () -> Void)?>

  /// Creates a cancellable from a function.
  public init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

  /// Runs the function unless it has already run.
  public func cancel() {
    let action = action.withLock { $0.take() }
    action?()
  }

  deinit { cancel() }
}

/// A receiver of values.
public struct Observer<Output>: Sendable {
  let receive: @Sendable (Output) -> Void
  let complete: @Sendable () -> Void
}

/// A stream of values that cannot fail, reduced to the requirements of effects.
public struct AnyPublisher<Output>: Sendable {
  let subscribe: @Sendable (Observer<Output>) -> AnyCancellable

  /// Creates a publisher from a function that is called for each subscription.
  public init(_ subscribe: @escaping @Sendable (Observer<Output>) -> AnyCancellable) {
    self.subscribe = subscribe
  }

  /// Returns a publisher of the values that a function sends until its result is canceled.
  public static func create(
    _ body:
      @escaping @Sendable (
        _ send: @escaping @Sendable (Output) -> Void,
        _ complete: @escaping @Sendable () -> Void
      ) -> AnyCancellable
  ) -> Self {
    Self { body($0.receive, $0.complete) }
  }
}

extension AnyPublisher {
  static func empty(completes: Bool = true) -> Self {
    Self { observer in
      if completes { observer.complete() }
      return AnyCancellable {}
    }
  }

  static func just(_ value: Output) -> Self {
    nonisolated(unsafe) let value = value
    return Self { observer in
      observer.receive(value)
      observer.complete()
      return AnyCancellable {}
    }
  }

  func map<New>(_ transform: @escaping @Sendable (Output) -> New) -> AnyPublisher<New> {
    AnyPublisher<New> { observer in
      subscribe(
        Observer {
          observer.receive(transform($0))
        } complete: {
          observer.complete()
        }
      )
    }
  }

  static func merge(_ first: Self, _ second: Self) -> Self {
    Self { observer in
      let countdown = Countdown()
      let part = Observer(receive: observer.receive) { countdown.count(observer.complete) }
      let cancellables = [first.subscribe(part), second.subscribe(part)]
      return AnyCancellable { for cancellable in cancellables { cancellable.cancel() } }
    }
  }

  static func concatenate(_ first: Self, _ second: Self) -> Self {
    Self { observer in
      let current = CancellableSlot()
      current.set(
        first.subscribe(
          Observer(receive: observer.receive) {
            guard !current.isCancelled else { return }
            current.set(second.subscribe(observer))
          }
        ),
        ifFirst: true
      )
      return AnyCancellable { current.cancel() }
    }
  }

  /// Returns a publisher that calls functions at its events.
  public func handleEvents(
    receiveOutput: (@Sendable (Output) -> Void)? = nil,
    receiveCompletion: (@Sendable (Never?) -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil
  ) -> Self {
    Self { observer in
      let isDone = Flag()
      let inner = subscribe(
        Observer {
          receiveOutput?($0)
          observer.receive($0)
        } complete: {
          if isDone.raise() { receiveCompletion?(nil) }
          observer.complete()
        }
      )
      return AnyCancellable {
        inner.cancel()
        if isDone.raise() { receiveCancel?() }
      }
    }
  }
}

/// Counts the two parts of a merge.
private final class Countdown: Sendable {
  private let left = Mutex(2)

  func count(_ whenDone: () -> Void) {
    let isDone = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isDone { whenDone() }
  }
}

/// A flag that is set once.
final class Flag: Sendable {
  private let isRaised = Mutex(false)

  /// Sets the flag.
  ///
  /// - Returns: Whether it was not set before.
  func raise() -> Bool {
    isRaised.withLock { isRaised in
      defer { isRaised = true }
      return !isRaised
    }
  }

  var value: Bool { isRaised.withLock { $0 } }
}

/// The running part of a sequence.
private final class CancellableSlot: Sendable {
  private struct Contents {
    var current: AnyCancellable?
    var isCancelled = false
    var isSecond = false
  }
  private let contents = Mutex(Contents())

  var isCancelled: Bool { contents.withLock { $0.isCancelled } }

  func set(_ cancellable: AnyCancellable, ifFirst: Bool = false) {
    let isLate = contents.withLock { contents in
      // The first part may have ended before its subscription was returned.
      if ifFirst, contents.isSecond { return false }
      contents.isSecond = contents.isSecond || !ifFirst
      contents.current = cancellable
      return contents.isCancelled
    }
    if isLate { cancellable.cancel() }
  }

  func cancel() {
    let current = contents.withLock { contents in
      contents.isCancelled = true
      return contents.current.take()
    }
    current?.cancel()
  }
}

/// Publishes the actions of an effect.
public struct _EffectPublisher<Action>: Sendable {
  private let publisher: AnyPublisher<Action>

  /// Creates the publisher of an effect.
  public init(_ effect: Effect<Action>) {
    switch effect.operation {
    case .none: publisher = .empty()
    case .publisher(let inner): publisher = inner
    case .run(_, let priority, let operation):
      publisher = AnyPublisher { observer in
        let task = Task(priority: priority) { @MainActor in
          await operation(Send { observer.receive($0) })
          observer.complete()
        }
        return AnyCancellable { task.cancel() }
      }
    }
  }

  var inner: AnyPublisher<Action> { publisher }

  /// Returns a publisher of converted values without `nil`.
  public func compactMap<New>(
    _ transform: @escaping @Sendable (Action) -> New?
  ) -> AnyPublisher<New> {
    AnyPublisher<New> { observer in
      publisher.subscribe(
        Observer {
          if let value = transform($0) { observer.receive(value) }
        } complete: {
          observer.complete()
        }
      )
    }
  }

  /// Returns a publisher that calls functions at its events.
  public func handleEvents(
    receiveOutput: (@Sendable (Action) -> Void)? = nil,
    receiveCompletion: (@Sendable (Never?) -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil
  ) -> AnyPublisher<Action> {
    publisher.handleEvents(
      receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion,
      receiveCancel: receiveCancel
    )
  }

  /// Starts the effect, and calls a function with each action.
  public func sink(receiveValue: @escaping @Sendable (Action) -> Void) -> AnyCancellable {
    publisher.subscribe(Observer(receive: receiveValue) {})
  }
}
