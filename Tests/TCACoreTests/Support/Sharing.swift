import Foundation
import TCACore

/// Runs an operation with separate, empty storages for shared values.
@discardableResult
func withOwnSharing<R>(
  _ update: (inout DependencyValues) -> Void = { _ in },
  operation: () throws -> R
) rethrows -> R {
  try withDependencies {
    $0.isolateSharing()
    update(&$0)
  } operation: {
    try operation()
  }
}

/// Runs an asynchronous operation with separate, empty storages for shared values.
@discardableResult
func withOwnSharing<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ update: (inout DependencyValues) -> Void = { _ in },
  operation: () async throws -> R
) async rethrows -> R {
  try await withDependencies {
    $0.isolateSharing()
    update(&$0)
  } operation: {
    try await operation()
  }
}

/// Runs an operation with a folder that is removed afterwards.
func withTemporaryFolder<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: (URL) async throws -> R
) async throws -> R {
  let folder = URL.temporaryDirectory.appending(path: "tca-sharing-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await operation(folder)
}

extension DependencyValues {
  fileprivate mutating func isolateSharing() {
    sharedReferences = SharedReferences()
    defaultInMemoryStorage = InMemoryStorage()
    defaultFileStorage = .inMemory
    defaultAppStorage = .inMemory
  }
}
