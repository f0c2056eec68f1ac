public import Foundation

private enum NotificationCenterKey: DependencyKey {
  static var liveValue: NotificationCenter { .default }
  // Of its own, so that tests do not hear of each other.
  static var testValue: NotificationCenter { NotificationCenter() }
}

extension DependencyValues {
  /// The centre of notifications; each test has one of its own.
  public var notificationCenter: NotificationCenter {
    get { self[NotificationCenterKey.self] }
    set { self[NotificationCenterKey.self] = newValue }
  }
}
