import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine

/// A worktree in which commits are checked out and built, so that the user's checkout is not touched.
///
/// It is removed when the search is through, whatever its end. What a search has left that was killed, the next one removes.
final class Worktree {
  /// The repository that the user is in.
  let repository: GitRepository
  /// The repository at the worktree.
  let checkout: GitRepository
  /// Where in the repository the user was.
  let prefix: String
  /// What is known of the repository's commits.
  private let folder: String
  private let owned: LockedFolder

  /// Makes room for a worktree of the repository around a folder.
  ///
  /// - Throws: `GitRepository.Failure` when there is no repository, `CommandError.unusableCache`.
  init(around current: String) throws {
    let repository = GitRepository(folder: current)
    let prefix = try repository.git("rev-parse", "--show-prefix")
    let common = URL(
      fileURLWithPath: try repository.git("rev-parse", "--git-common-dir"),
      relativeTo: URL(fileURLWithPath: current, isDirectory: true)
    ).standardizedFileURL.resolvingSymlinksInPath()
    let caches =
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
    let root = caches.appendingPathComponent("tca-replay").path
    let folder = "\(root)/bisect-\(common.path.utf8.digest)"
    do throws(StreamError) {
      try FileManager.default.makeFolder("\(folder)/builds")
      Self.removeAbandoned(in: root)
      owned = try LockedFolder(in: folder, prefix: Self.prefix)
    } catch {
      throw CommandError.unusableCache(error)
    }
    (self.repository, self.prefix, self.folder) = (repository, prefix, folder)
    checkout = GitRepository(folder: owned.path)
    try repository.git("worktree", "prune")
  }

  /// What the names of worktrees begin with.
  private static let prefix = "worktree-"

  /// Removes what searches have left that were killed, in whatever repository.
  private static func removeAbandoned(in root: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    where name.hasPrefix("bisect-") {
      LockedFolder.removeAbandoned(in: "\(root)/\(name)", prefix: prefix)
    }
  }

  /// The file of what is known of commits.
  var cache: String { "\(folder)/answers.json" }

  /// Where the output of builds is kept.
  var builds: String { "\(folder)/builds" }

  /// Checks a commit out.
  func open(at commit: String) throws {
    try repository.git("worktree", "add", "--quiet", "--force", "--detach", owned.path, commit)
  }

  /// Removes the worktree, with all that was built in it.
  func close() {
    owned.remove()
    // The repository may be gone by now.
    _ = try? repository.git("worktree", "prune")
  }
}

extension FileManager {
  /// Makes a folder, with those that it is in.
  func makeFolder(_ path: String) throws(StreamError) {
    if mkdir(path, 0o755) == 0 { return }
    let code = errno
    let parent = (path as NSString).deletingLastPathComponent
    if code == ENOENT, !parent.isEmpty, parent != path {
      try makeFolder(parent)
      if mkdir(path, 0o755) == 0 { return }
    }
    guard FileKind(path) == .folder else {
      throw StreamError(name: path, code: code, isCreation: true)
    }
  }
}
