import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A git repository.
struct GitRepository: Sendable {
  /// The working folder of git commands.
  let folder: String

  /// A failed git command.
  struct Failure: StatusError, Hashable, CustomStringConvertible {
    let command: String
    let message: String

    var description: String { Wording.describe(self) }
    var status: ExitStatus { .usage }
  }

  /// The description of a commit.
  struct Commit: Sendable, Equatable {
    let hash: String
    let author: String
    /// The author date in the format of RFC 3339.
    let date: String
    let subject: String
  }

  /// Runs git.
  ///
  /// - Returns: Its standard output, without the last line's end.
  /// - Throws: `Failure` if git is missing or reports an error.
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

  /// Returns the hash of the commit for a revision.
  func commit(_ revision: String) throws(Failure) -> String {
    try git("rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}")
  }

  /// Returns the description of a commit.
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

  /// Returns whether the older commit is an ancestor of the newer one.
  func isAncestor(_ older: String, of newer: String) throws(Failure) -> Bool {
    try git("merge-base", older, newer) == older
  }

  /// Returns the ancestors of a bad commit that are no ancestors of good ones.
  ///
  /// The commit that halves them best is first.
  func suspects(bad: String, good: [String]) throws(Failure) -> [String] {
    let text = try git(["rev-list", "--bisect-all", bad, "--not"] + good)
    return text.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
  }
}
