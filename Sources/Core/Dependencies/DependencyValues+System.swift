public import Foundation

#if URLSession && canImport(FoundationNetworking)
public import FoundationNetworking
#endif
#if canImport(SwiftUI)
import SwiftUI
#endif

private enum CalendarKey: DependencyKey {
  static var liveValue: Calendar { .autoupdatingCurrent }
}

private enum LocaleKey: DependencyKey {
  static var liveValue: Locale { .autoupdatingCurrent }
}

private enum TimeZoneKey: DependencyKey {
  static var liveValue: TimeZone { .autoupdatingCurrent }
}

extension DependencyValues {
  /// The user's current calendar, which follows changes of the user's settings.
  public var calendar: Calendar {
    get { self[CalendarKey.self] }
    set { self[CalendarKey.self] = newValue }
  }

  /// The user's current locale, which follows changes of the user's settings.
  public var locale: Locale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }

  /// The user's current time zone, which follows changes of the user's settings.
  public var timeZone: TimeZone {
    get { self[TimeZoneKey.self] }
    set { self[TimeZoneKey.self] = newValue }
  }
}

private enum PreferredLocalesKey: DependencyKey {
  static var liveValue: [Locale] { Locale.preferredLanguages.map(Locale.init(identifier:)) }
}

extension DependencyValues {
  /// The locales of the user's preferred languages, with the most preferred one first.
  ///
  /// ```swift
  /// @Dependency(\.preferredLocales) var locales
  /// locales.first?.identifier  // en_GB
  /// ```
  public var preferredLocales: [Locale] {
    get { self[PreferredLocalesKey.self] }
    set { self[PreferredLocalesKey.self] = newValue }
  }
}

private enum NotificationCenterKey: DependencyKey {
  static var liveValue: NotificationCenter { .default }
  // A center per test keeps tests from receiving each other's notifications.
  static var testValue: NotificationCenter { NotificationCenter() }
}

extension DependencyValues {
  /// The app's default notification center, or a new center for each test.
  ///
  /// ```swift
  /// @Dependency(\.notificationCenter) var notificationCenter
  /// for await _ in notificationCenter.notifications(named: .NSCalendarDayChanged) { await send(.dayChanged) }
  /// ```
  public var notificationCenter: NotificationCenter {
    get { self[NotificationCenterKey.self] }
    set { self[NotificationCenterKey.self] = newValue }
  }
}

/// A function that opens a URL in the default program for its scheme.
///
/// ```swift
/// @Dependency(\.openURL) var openURL
/// await openURL(URL(string: "https://www.swift.org")!)
/// ```
public struct OpenURLEffect: Sendable {
  private let open: @Sendable (URL) async -> Bool

  /// Creates an effect that calls a function to open a URL.
  ///
  /// The function returns whether a program opened the URL.
  public init(_ open: @escaping @Sendable (URL) async -> Bool) {
    self.open = open
  }

  /// Opens a URL.
  ///
  /// - Parameter url: The URL to open.
  /// - Returns: Whether a program opened the URL.
  @discardableResult
  public func callAsFunction(_ url: URL) async -> Bool {
    await open(url)
  }
}

private enum OpenURLKey: DependencyKey {
  static let liveValue = OpenURLEffect { url in
    #if canImport(SwiftUI)
    return await withCheckedContinuation { continuation in
      Task { @MainActor in
        EnvironmentValues().openURL(url) { continuation.resume(returning: $0) }
      }
    }
    #else
    return await openWithDesktop(url)
    #endif
  }

  static let testValue = OpenURLEffect { _ in
    reportIssue(Messages.unimplemented("@Dependency(\\.openURL)"))
    return false
  }
}

#if !canImport(SwiftUI)
/// Opens a URL with `xdg-open`, and returns whether a program opened the URL.
///
/// Returns `false` on systems without a desktop.
private func openWithDesktop(_ url: URL) async -> Bool {
  await withCheckedContinuation { continuation in
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["xdg-open", url.absoluteString]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
    do { try process.run() } catch {
      process.terminationHandler = nil
      continuation.resume(returning: false)
    }
  }
}
#endif

extension DependencyValues {
  /// A function that opens a URL in the default program for its scheme.
  public var openURL: OpenURLEffect {
    get { self[OpenURLKey.self] }
    set { self[OpenURLKey.self] = newValue }
  }
}

// On Apple platforms, Foundation has URL sessions. The trait decides only where they need a library of their own.
#if URLSession || !canImport(FoundationNetworking)
private enum URLSessionKey: DependencyKey {
  static var liveValue: URLSession { .shared }

  static var testValue: URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [UnimplementedURLProtocol.self]
    return URLSession(configuration: configuration)
  }
}

extension DependencyValues {
  /// The session for URL requests.
  ///
  /// In a test, each request fails and reports an issue.
  ///
  /// ```swift
  /// @Dependency(\.urlSession) var session
  /// let (data, _) = try await session.data(from: url)
  /// ```
  public var urlSession: URLSession {
    get { self[URLSessionKey.self] }
    set { self[URLSessionKey.self] = newValue }
  }
}

/// A URL protocol that fails every request and reports an issue.
private final class UnimplementedURLProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    reportIssue(Messages.requestInTest(request.url))
    client?.urlProtocol(self, didFailWithError: URLError(.unsupportedURL))
  }

  override func stopLoading() {}
}
#endif
