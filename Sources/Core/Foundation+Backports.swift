#if !canImport(Darwin)
public import Foundation

// Substitutes for Foundation API that exists on Apple platforms. If Foundation on this platform also provides a
// declaration, that declaration takes precedence.

extension NotificationCenter {
  /// Returns a stream of the notifications with a name, which ends when the task that iterates over it is canceled.
  ///
  /// ```swift
  /// for await _ in NotificationCenter.default.notifications(named: .NSCalendarDayChanged) { await send(.dayChanged) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The object that posts the notifications; `nil` for any object.
  /// - Returns: A stream of the notifications that are posted from now on.
  @_disfavoredOverload
  public func notifications(
    named name: Notification.Name,
    object: (any AnyObject & Sendable)? = nil
  ) -> AsyncStream<Notification> {
    let (notifications, continuation) = AsyncStream<Notification>.makeStream()
    let token = addObserver(forName: name, object: object, queue: nil) { notification in
      // Unsafe, because a notification can contain any value. Posting it has already shared the value with observers on
      // any thread.
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

extension URL {
  /// The URL of the folder for the user's documents.
  ///
  /// ```swift
  /// @Shared(.fileStorage(.documentsDirectory.appending(component: "todos.json"))) var todos: [Todo] = []
  /// ```
  @_disfavoredOverload
  public static var documentsDirectory: URL { folder(.documentDirectory) }

  /// The URL of the folder for data that the app can create again and that the system may delete.
  ///
  /// ```swift
  /// let images = URL.cachesDirectory.appending(component: "images")
  /// ```
  @_disfavoredOverload
  public static var cachesDirectory: URL { folder(.cachesDirectory) }

  /// The URL of the folder for an app's private data.
  ///
  /// ```swift
  /// let index = URL.applicationSupportDirectory.appending(component: "index.json")
  /// ```
  @_disfavoredOverload
  public static var applicationSupportDirectory: URL { folder(.applicationSupportDirectory) }

  private static func folder(_ folder: FileManager.SearchPathDirectory) -> URL {
    FileManager.default.urls(for: folder, in: .userDomainMask).first ?? .homeDirectory
  }
}
#endif
