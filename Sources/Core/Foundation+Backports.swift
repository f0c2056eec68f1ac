#if !canImport(Darwin)
public import Foundation

// API of Foundation on Apple platforms. Once Foundation has it here too, its own comes first.

extension NotificationCenter {
  /// The notifications of a name, as they are posted, until the task is cancelled.
  ///
  /// ```swift
  /// for await _ in NotificationCenter.default.notifications(named: .NSCalendarDayChanged) { await send(.dayChanged) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - object: The sender, nil for any.
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

extension URL {
  /// The folder of the user's documents.
  ///
  /// ```swift
  /// @Shared(.fileStorage(.documentsDirectory.appending(component: "todos.json"))) var todos: [Todo] = []
  /// ```
  @_disfavoredOverload
  public static var documentsDirectory: URL { folder(.documentDirectory) }

  /// The folder of data that the app can make again, and the system may delete.
  ///
  /// ```swift
  /// let images = URL.cachesDirectory.appending(component: "images")
  /// ```
  @_disfavoredOverload
  public static var cachesDirectory: URL { folder(.cachesDirectory) }

  /// The folder of data that an app keeps for itself.
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
