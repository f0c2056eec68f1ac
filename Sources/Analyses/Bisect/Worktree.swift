import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A git worktree in which commits are built without changing the user's checkout.
///
/// The worktree is removed when the search ends. If a search was killed, the next search removes the worktree.
final class Worktree {
  /// The repository that contains the user's working folder.
  let repository: GitRepository
  /// The working copy in which commits are checked out and built.
  let checkout: Checkout
  /// The path of the user's working folder, relative to the root of the repository.
  let prefix: String
  /// The folder that contains the cache, the build output, and the worktree.
  private let folder: String
  private let owned: LockedFolder

  /// Creates an empty folder for the worktree.
  ///
  /// - Parameter current: The user's working folder, which must be in a repository.
  /// - Throws: `GitRepository.Failure` if there is no repository, or `CommandError.unusableCache` if a folder can't be
  ///   created.
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

  /// The prefix of worktree folder names, by which abandoned worktrees are found.
  private static let prefix = "worktree-"

  /// Removes the worktrees of searches that were killed, for all repositories.
  private static func removeAbandoned(in root: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    where name.hasPrefix("bisect-") {
      LockedFolder.removeAbandoned(in: "\(root)/\(name)", prefix: prefix)
    }
  }

  /// The path of the file that stores the outcomes of tested commits.
  var cache: String { "\(folder)/answers.json" }

  /// The path of the folder for build output.
  var builds: String { "\(folder)/builds" }

  /// Creates the worktree in the folder and checks out a commit.
  func add(at commit: String) throws {
    try repository.git("worktree", "add", "--quiet", "--force", "--detach", owned.path, commit)
  }

  /// Removes the worktree with all build products.
  func close() {
    owned.remove()
    // An error is ignored, because the repository may have been deleted during the search.
    _ = try? repository.git("worktree", "prune")
  }
}

extension Worktree {
  /// The files of the commit that is checked out in the worktree.
  struct Checkout: Sendable {
    private let repository: GitRepository
    /// The folder in which builds run, at the same path in the worktree as the user's working folder in the repository.
    let folder: URL

    fileprivate init(repository: GitRepository, prefix: String) {
      self.repository = repository
      folder = URL(fileURLWithPath: repository.folder).appendingPathComponent(prefix)
    }

    /// Checks out a commit and its submodules.
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
  /// Creates a folder and its missing parents, unless it exists.
  func makeFolder(_ path: String) throws(StreamError) {
    if mkdir(path, 0o755) == 0 { return }
    let code = errno
    let parent = (path as NSString).deletingLastPathComponent
    if code == ENOENT, !parent.isEmpty, parent != path {
      try makeFolder(parent)
      if mkdir(path, 0o755) == 0 { return }
    }
    guard FileSystemItemKind(path) == .folder else {
      throw StreamError(name: path, code: code, isCreation: true)
    }
  }
}
