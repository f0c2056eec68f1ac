import Foundation

/// The effect of a reducer: a task, a publisher or none.
public struct Effect<Action>: Sendable {
  enum Operation: Sendable {
    case none
    case publisher(AnyPublisher<Action>)
    case run(
      name: String? = nil,
      priority: TaskPriority? = nil,
      operation: @Sendable (_ send: Send<Action>) async -> Void
    )
  }

  let operation: Operation
}

/// The effect of a reducer's actions.
public typealias EffectOf<R: Reducer> = Effect<R.Action>

/// Sends actions from an effect.
@MainActor
public struct Send<Action>: Sendable {
  let send: @MainActor @Sendable (Action) -> Void

  /// Creates a sender from a function.
  public init(send: @escaping @MainActor @Sendable (Action) -> Void) { self.send = send }

  /// Sends an action, unless the effect is canceled.
  public func callAsFunction(_ action: Action) {
    guard !Task.isCancelled else { return }
    send(action)
  }
}

extension Effect {
  /// An effect that does nothing.
  public static var none: Self { Self(operation: .none) }

  /// Returns an effect that runs a task.
  public static func run(
    priority: TaskPriority? = nil,
    name: String? = nil,
    operation: @escaping @Sendable (_ send: Send<Action>) async throws -> Void,
    catch handler: (@Sendable (_ error: any Error, _ send: Send<Action>) async -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let dependencies = DependencyValues._current
    return Self(
      operation: .run(name: name, priority: priority) { send in
        await DependencyValues.$_current.withValue(dependencies) {
          do {
            try await operation(send)
          } catch is CancellationError {
          } catch {
            guard let handler else {
              return reportIssue("An effect threw \(error).", fileID: fileID, line: line)
            }
            await handler(error, send)
          }
        }
      }
    )
  }

  /// Returns an effect that immediately sends an action, in the same call of the store.
  public static func send(_ action: Action) -> Self { Self(operation: .publisher(.just(action))) }

  /// Returns an effect that sends the values of a publisher.
  ///
  /// The function is called immediately.
  public static func publisher(_ create: () -> AnyPublisher<Action>) -> Self {
    Self(operation: .publisher(create()))
  }

  /// Returns an effect that runs all effects concurrently.
  public static func merge(_ effects: Self...) -> Self { merge(effects) }

  /// Returns an effect that runs all effects concurrently.
  public static func merge(_ effects: some Sequence<Self>) -> Self {
    effects.reduce(.none) { $0.merge(with: $1) }
  }

  /// Returns an effect that runs both effects concurrently.
  public func merge(with other: Self) -> Self {
    switch (operation, other.operation) {
    case (_, .none): self
    case (.none, _): other
    case (.run(_, let priority, let first), .run(_, let otherPriority, let second)):
      Self(
        operation: .run { send in
          await withTaskGroup(of: Void.self) { group in
            group.addTask(priority: priority) { await first(send) }
            group.addTask(priority: otherPriority) { await second(send) }
          }
        }
      )
    default:
      Self(
        operation: .publisher(
          .merge(_EffectPublisher(self).inner, _EffectPublisher(other).inner)
        )
      )
    }
  }

  /// Returns an effect that runs all effects one after another.
  public static func concatenate(_ effects: Self...) -> Self { concatenate(effects) }

  /// Returns an effect that runs all effects one after another.
  public static func concatenate(_ effects: some Collection<Self>) -> Self {
    effects.reduce(.none) { $0.concatenate(with: $1) }
  }

  /// Returns an effect that runs this effect and then the other one.
  public func concatenate(with other: Self) -> Self {
    switch (operation, other.operation) {
    case (_, .none): self
    case (.none, _): other
    case (.run(let name, let priority, let first), .run(_, _, let second)):
      Self(
        operation: .run(name: name, priority: priority) { send in
          await first(send)
          await second(send)
        }
      )
    default:
      Self(
        operation: .publisher(
          .concatenate(_EffectPublisher(self).inner, _EffectPublisher(other).inner)
        )
      )
    }
  }

  /// Returns the effect with converted actions.
  public func map<New>(_ transform: @escaping @Sendable (Action) -> New) -> Effect<New> {
    switch operation {
    case .none: .none
    case .publisher(let publisher):
      Effect<New>(operation: .publisher(publisher.map(transform)))
    case .run(let name, let priority, let operation):
      Effect<New>(
        operation: .run(name: name, priority: priority) { send in
          await operation(Send { send(transform($0)) })
        }
      )
    }
  }
}
