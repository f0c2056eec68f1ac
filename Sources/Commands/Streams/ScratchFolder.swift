import Foundation
import Synchronization

/// A folder for temporary files that is gone with the object, with all that is in it then.
///
/// All of a process are in one that the process owns.
package final class ScratchFolder {
  package let path: String
  private let root: OwnedFolder

  package init() throws(StreamError) {
    root = try Self.root()
    path = "\(root.path)/\(UUID().uuidString)"
    guard mkdir(path, 0o700) == 0 else {
      throw StreamError(name: path, code: errno, isCreation: true)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private struct Shared {
    weak var root: OwnedFolder?
    var hasLookedAround = false
  }

  private static let shared = Mutex(Shared())

  /// What the names of the folders that processes own begin with.
  private static let prefix = "tca-replay."

  private static func root() throws(StreamError) -> OwnedFolder {
    try shared.withLock { shared throws(StreamError) -> OwnedFolder in
      if let root = shared.root { return root }
      let parent = FileManager.default.temporaryDirectory.path
      if !shared.hasLookedAround {
        shared.hasLookedAround = true
        OwnedFolder.removeAbandoned(in: parent, prefix: prefix)
      }
      let root = try OwnedFolder(in: parent, prefix: prefix)
      shared.root = root
      return root
    }
  }
}
