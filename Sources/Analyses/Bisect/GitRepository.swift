import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A git repository, and a worktree of its own in which commits can be built.
struct GitRepository: Sendable {
  /// The folder in which git runs.
  let folder: String

  /// A failed git command.
  struct Failure: StatusError, Hashable, CustomStringConvertible {
    let command: String
    let message: String

    var description: String { Wording.describe(self) }
    var status: ExitStatus { .usage }
  }

  /// A commit as people know it.
  struct Commit: Sendable, Equatable {
    let hash: String
    let author: String
    /// When it was written, in the form of RFC 3339.
    let date: String
    let subject: String
  }

  /// Runs git.
  ///
  /// - Returns: Its standard output, without the last line's end.
  /// - Throws: `Failure` when git is missing or refuses.
  @discardableResult
  func git(_ arguments: String...) throws(Failure) -> String { try git(arguments) }

  private func git(_ arguments: [String]) throws(Failure) -> String {
    let command = (["git"] + arguments).joined(separator: " ")
    let process: ChildProcess
    do throws(ChildProcess.SystemError) {
      process = try ChildProcess(
        "/usr/bin/env",
        arguments: ["git", "-C", folder] + arguments,
        input: .null,
        error: .pipe
      )
    } catch {
      throw Failure(command: command, message: String(cString: strerror(error.code)))
    }
    let (text, message) = process.readToEnd()
    guard process.wait() == .exited(0) else {
      throw Failure(command: command, message: Self.line(message))
    }
    return Self.line(text)
  }

  private static func line(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The hash of the commit that a revision names.
  func commit(_ revision: String) throws(Failure) -> String {
    try git("rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}")
  }

  /// Describes a commit.
  func describe(_ hash: String) throws(Failure) -> Commit {
    let lines = try git("show", "--no-patch", "--format=%an%n%aI%n%s", hash)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Commit(
      hash: hash,
      author: lines.first ?? "",
      date: lines.dropFirst().first ?? "",
      subject: lines.dropFirst(2).first ?? ""
    )
  }

  /// Whether every commit of one is in the history of the other.
  func isAncestor(_ older: String, of newer: String) throws(Failure) -> Bool {
    try git("merge-base", older, newer) == older
  }

  /// The commits that lead to a bad one and not to good ones, the one that halves them best first.
  func suspects(bad: String, good: [String]) throws(Failure) -> [String] {
    let text = try git(["rev-list", "--bisect-all", bad, "--not"] + good)
    return text.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
  }
}

/// A worktree in which commits are checked out and built, so that the user's checkout is not touched.
///
/// It is removed when the search ends. The next search removes the worktrees of searches that were killed.
final class Worktree {
  /// The repository that the user is in.
  let repository: GitRepository
  /// The repository at the worktree.
  let checkout: GitRepository
  /// The user's working folder within the repository.
  let prefix: String
  /// The folder of the cache and of the builds' output.
  private let folder: String
  private let owned: LockedFolder

  /// Makes a folder for a worktree of the repository around a folder.
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

  /// The prefix of worktrees' names.
  private static let prefix = "worktree-"

  /// Removes the worktrees of searches that were killed, of all repositories.
  private static func removeAbandoned(in root: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    where name.hasPrefix("bisect-") {
      LockedFolder.removeAbandoned(in: "\(root)/\(name)", prefix: prefix)
    }
  }

  /// The file of the commits' outcomes.
  var cache: String { "\(folder)/answers.json" }

  /// The folder of the builds' output.
  var builds: String { "\(folder)/builds" }

  /// Checks a commit out.
  func open(at commit: String) throws {
    try repository.git("worktree", "add", "--quiet", "--force", "--detach", owned.path, commit)
  }

  /// Removes the worktree and its builds.
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
