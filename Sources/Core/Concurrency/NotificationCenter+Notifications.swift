#if !canImport(Darwin)
public import Foundation

extension NotificationCenter {
  /// The notifications of a name, as they are posted, until the task is cancelled.
  ///
  /// ```swift
  /// for await _ in NotificationCenter.default.notifications(named: .NSCalendarDayChanged) { await send(.dayChanged) }
  /// ```
  ///
  /// What Foundation has elsewhere. Once it has it here too, its own comes first.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: Who posts them; anyone when nil.
  /// - Returns: The notifications.
  @_disfavoredOverload
  public func notifications(
    named name: Notification.Name,
    object: (any AnyObject & Sendable)? = nil
  ) -> AsyncStream<Notification> {
    let (notifications, continuation) = AsyncStream<Notification>.makeStream()
    let token = addObserver(forName: name, object: object, queue: nil) { notification in
      // A value that was made for its observers, though it may hold anything.
      nonisolated(unsafe) let notification = notification
      continuation.yield(notification)
    }
    let observer = UncheckedSendable((center: self, token: token))
    continuation.onTermination = { _ in
      observer.value.center.removeObserver(observer.value.token)
    }
    return notifications
  }
}
#endif
