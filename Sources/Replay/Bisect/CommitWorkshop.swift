import ActionLog
import Foundation

/// The folder in which commits are checked out and built: a worktree of its own, so that the user's checkout is not touched.
struct CommitWorkshop {
  let repository: GitRepository
  let worktree: GitRepository
  /// Where in the repository the user was.
  let prefix: String
  private let folder: URL

  /// Opens the workshop of the repository around a folder.
  ///
  /// - Throws: `GitRepository.Failure` when there is none.
  init(around current: String) throws {
    repository = GitRepository(folder: current)
    prefix = try repository.git("rev-parse", "--show-prefix")
    let common = URL(
      fileURLWithPath: try repository.git("rev-parse", "--git-common-dir"),
      relativeTo: URL(fileURLWithPath: current, isDirectory: true)
    ).standardizedFileURL.resolvingSymlinksInPath()
    let caches =
      FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
    folder = caches.appendingPathComponent("tca-replay/bisect-\(common.path.utf8.digest)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("builds"),
      withIntermediateDirectories: true
    )
    worktree = GitRepository(folder: folder.appendingPathComponent("worktree").path)
  }

  /// The file of what is known of commits.
  var cache: String { folder.appendingPathComponent("answers.json").path }

  /// Where the output of the build of a commit is kept.
  func buildLog(_ commit: String) -> String {
    folder.appendingPathComponent("builds/\(commit).txt").path
  }

  /// Checks a commit out into the worktree, which is kept from one search to the next for what its builds have made.
  func open(at commit: String) throws {
    try repository.git("worktree", "prune")
    if (try? worktree.git("rev-parse", "--is-inside-work-tree")) == "true" { return }
    try? FileManager.default.removeItem(atPath: worktree.folder)
    try repository.git("worktree", "add", "--quiet", "--force", "--detach", worktree.folder, commit)
  }

  /// Takes the worktree away, with all that was built in it.
  func close() throws {
    try repository.git("worktree", "remove", "--force", worktree.folder)
  }
}
