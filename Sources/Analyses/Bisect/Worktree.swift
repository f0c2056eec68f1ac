import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A git worktree for builds, which leaves the user's checkout unchanged.
///
/// It is removed at the end of the search. The next search removes the worktrees of killed searches.
final class Worktree {
  /// The user's repository.
  let repository: GitRepository
  /// The checked-out files of the worktree.
  let checkout: Checkout
  /// The path of the user's working folder within the repository.
  let prefix: String
  /// The folder for the cache and the output of builds.
  private let folder: String
  private let owned: LockedFolder

  /// Creates a folder for a worktree of the repository that contains a folder.
  ///
  /// - Throws: `GitRepository.Failure` if there is no repository, `CommandError.unusableCache`.
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
    checkout = Checkout(repository: GitRepository(folder: owned.path), prefix: prefix)
    try repository.git("worktree", "prune")
  }

  /// The prefix of worktree names.
  private static let prefix = "worktree-"

  /// Removes the worktrees of killed searches in all repositories.
  private static func removeAbandoned(in root: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    where name.hasPrefix("bisect-") {
      LockedFolder.removeAbandoned(in: "\(root)/\(name)", prefix: prefix)
    }
  }

  /// The path of the file with cached outcomes.
  var cache: String { "\(folder)/answers.json" }

  /// The folder for the output of builds.
  var builds: String { "\(folder)/builds" }

  /// Adds the worktree to the repository, with its first commit checked out.
  func add(at commit: String) throws {
    try repository.git("worktree", "add", "--quiet", "--force", "--detach", owned.path, commit)
  }

  /// Removes the worktree and its builds.
  func close() {
    owned.remove()
    // The repository may have been deleted in the meantime.
    _ = try? repository.git("worktree", "prune")
  }
}

extension Worktree {
  /// The files of the checked-out commit.
  struct Checkout: Sendable {
    private let repository: GitRepository
    /// The folder for builds, which corresponds to the user's working folder.
    let folder: URL

    fileprivate init(repository: GitRepository, prefix: String) {
      self.repository = repository
      folder = URL(fileURLWithPath: repository.folder).appendingPathComponent(prefix)
    }

    /// Checks out a commit with its submodules.
    ///
    /// - Throws: `GitRepository.Failure`.
    func checkOut(_ commit: String) throws(GitRepository.Failure) {
      try repository.git("checkout", "--quiet", "--force", "--detach", commit)
      if FileManager.default.fileExists(atPath: repository.folder + "/.gitmodules") {
        try repository.git("submodule", "update", "--quiet", "--init", "--recursive")
      }
    }
  }
}

extension FileManager {
  /// Creates a folder with its parents.
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
