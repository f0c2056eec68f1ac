import Foundation
import Synchronization

/// A temporary folder that is removed with its content when the object is deallocated.
///
/// All temporary folders of a process share one locked parent folder.
package final class TemporaryDirectory {
  package let path: String
  private let root: LockedFolder

  package init() throws(StreamError) {
    root = try Self.root()
    path = "\(root.path)/\(UUID().uuidString)"
    guard mkdir(path, 0o700) == 0 else {
      throw StreamError(name: path, code: errno, isCreation: true)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private struct RootState {
    weak var root: LockedFolder?
    var hasRemovedAbandoned = false
  }

  private static let shared = Mutex(RootState())

  /// The prefix in the names of locked parent folders.
  private static let prefix = "tca-replay."

  private static func root() throws(StreamError) -> LockedFolder {
    try shared.withLock { shared throws(StreamError) -> LockedFolder in
      if let root = shared.root { return root }
      let parent = FileManager.default.temporaryDirectory.path
      if !shared.hasRemovedAbandoned {
        shared.hasRemovedAbandoned = true
        LockedFolder.removeAbandoned(in: parent, prefix: prefix)
      }
      let root = try LockedFolder(in: parent, prefix: prefix)
      shared.root = root
      return root
    }
  }
}
