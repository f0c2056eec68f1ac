import Foundation
import Synchronization

/// The cancellable effects, by their ids and the paths of their features.
private enum Cancellations {
  struct Key: Hashable {
    let id: ObjectIdentifier
    let value: AnyHashableBox
    let path: [NavigationStep]
  }

  struct AnyHashableBox: Hashable, @unchecked Sendable { let base: AnyHashable }

  static let running = Mutex<[Key: [UUID: AnyCancellable]]>([:])

  static func key(_ id: some Hashable & Sendable, _ path: [NavigationStep]) -> Key {
    Key(
      id: ObjectIdentifier(type(of: id)),
      value: AnyHashableBox(base: AnyHashable(id)),
      path: path
    )
  }

  static func insert(_ cancellable: AnyCancellable, _ token: UUID, _ key: Key) {
    running.withLock { $0[key, default: [:]][token] = cancellable }
  }

  static func remove(_ token: UUID, _ key: Key) {
    let removed = running.withLock { running in
      let removed = running[key]?.removeValue(forKey: token)
      if running[key]?.isEmpty == true { running[key] = nil }
      return removed
    }
    withExtendedLifetime(removed) {}
  }

  static func cancel(_ key: Key) {
    // An id applies to its own feature and its children.
    let found = running.withLock { running in
      running.filter {
        $0.key.id == key.id && $0.key.value == key.value && $0.key.path.starts(with: key.path)
      }
    }
    for cancellable in found.values.flatMap(\.values) { cancellable.cancel() }
  }
}

extension Effect {
  /// Returns the effect with a cancellation id.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    let path = DependencyValues._current.navigationPath
    return cancellable(id, path, cancelInFlight: cancelInFlight)
  }

  func cancellable(
    _ id: some Hashable & Sendable,
    _ path: [NavigationStep],
    cancelInFlight: Bool = false
  ) -> Self {
    let key = Cancellations.key(id, path)
    switch operation {
    case .none: return .none
    case .run(let name, let priority, let operation):
      return Self(
        operation: .run(name: name, priority: priority) { send in
          if cancelInFlight { Cancellations.cancel(key) }
          let task = Task { @MainActor in await operation(send) }
          let token = UUID()
          Cancellations.insert(AnyCancellable { task.cancel() }, token, key)
          await withTaskCancellationHandler {
            await task.value
          } onCancel: {
            task.cancel()
          }
          Cancellations.remove(token, key)
        }
      )
    case .publisher(let publisher):
      return Self(
        operation: .publisher(
          AnyPublisher { observer in
            if cancelInFlight { Cancellations.cancel(key) }
            let token = UUID()
            let isDone = Flag()
            let inner = publisher.subscribe(
              Observer {
                if !isDone.value { observer.receive($0) }
              } complete: {
                guard isDone.raise() else { return }
                Cancellations.remove(token, key)
                observer.complete()
              }
            )
            guard !isDone.value else { return inner }
            // A canceled publisher completes.
            let cancellable = AnyCancellable {
              guard isDone.raise() else { return }
              inner.cancel()
              Cancellations.remove(token, key)
              observer.complete()
            }
            Cancellations.insert(cancellable, token, key)
            return AnyCancellable {
              guard isDone.raise() else { return }
              inner.cancel()
              Cancellations.remove(token, key)
            }
          }
        )
      )
    }
  }

  /// Returns an effect that immediately cancels the effects with an id.
  public static func cancel(id: some Hashable & Sendable) -> Self {
    cancel(id, DependencyValues._current.navigationPath)
  }

  static func cancel(_ id: some Hashable & Sendable, _ path: [NavigationStep]) -> Self {
    let key = Cancellations.key(id, path)
    return .publisher {
      Cancellations.cancel(key)
      return .empty()
    }
  }
}

extension Task where Success == Never, Failure == Never {
  static func cancel(_ id: some Hashable & Sendable, _ path: [NavigationStep]) {
    Cancellations.cancel(Cancellations.key(id, path))
  }

  /// Cancels the effects with an id.
  public static func cancel(id: some Hashable & Sendable) {
    cancel(id, DependencyValues._current.navigationPath)
  }
}
