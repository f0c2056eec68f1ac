public import Foundation

#if canImport(SwiftUI)
import SwiftUI
#endif

/// Opens a URL in whatever program is there for it.
///
/// ```swift
/// @Dependency(\.openURL) var openURL
/// await openURL(URL(string: "https://www.swift.org")!)
/// ```
public struct OpenURLEffect: Sendable {
  private let open: @Sendable (URL) async -> Bool

  /// Makes one of a function that says whether it could open the URL.
  public init(_ open: @escaping @Sendable (URL) async -> Bool) {
    self.open = open
  }

  /// Opens a URL.
  ///
  /// - Parameter url: The URL.
  /// - Returns: Whether something could open it.
  @discardableResult
  public func callAsFunction(_ url: URL) async -> Bool {
    await open(url)
  }
}

private enum OpenURLKey: DependencyKey {
  static let liveValue = OpenURLEffect { url in
    #if canImport(SwiftUI)
    await withCheckedContinuation { continuation in
      Task { @MainActor in
        EnvironmentValues().openURL(url) { continuation.resume(returning: $0) }
      }
    }
    #else
    await openWithDesktop(url)
    #endif
  }

  static let testValue = OpenURLEffect { _ in
    reportIssue(Messages.unimplemented("@Dependency(\\.openURL)"))
    return false
  }
}

#if !canImport(SwiftUI)
/// Asks the desktop, if there is one, to open a URL.
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
  /// Opens a URL in whatever program is there for it.
  public var openURL: OpenURLEffect {
    get { self[OpenURLKey.self] }
    set { self[OpenURLKey.self] = newValue }
  }
}
