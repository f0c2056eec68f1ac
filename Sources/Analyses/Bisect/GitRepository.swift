import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Runs git commands in a repository.
struct GitRepository: Sendable {
  /// The folder in which git commands run.
  let folder: String

  /// An error that git reported, or that occurred when git was started.
  struct Failure: StatusError, Hashable, CustomStringConvertible {
    let command: String
    let message: String

    var description: String { Wording.describe(self) }
    var status: ExitStatus { .usage }
  }

  /// A commit with the details that a report shows.
  struct Commit: Sendable, Equatable {
    let hash: String
    let author: String
    /// The author date in RFC 3339 format.
    let date: String
    let subject: String
  }

  /// Runs a git command.
  ///
  /// - Parameter arguments: The arguments after `git`.
  /// - Returns: The standard output, without whitespace at either end.
  /// - Throws: `Failure` if git is missing or exits with an error.
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

  /// Returns the commit hash for a revision, such as a branch name.
  func commit(_ revision: String) throws(Failure) -> String {
    try git("rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}")
  }

  /// Returns the author, date, and subject of the commit with the given hash.
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

  /// Returns whether the commit `older` is an ancestor of the commit `newer`, or the same commit.
  func isAncestor(_ older: String, of newer: String) throws(Failure) -> Bool {
    try git("merge-base", older, newer) == older
  }

  /// Returns the commits that may be the first bad one: ancestors of `bad` that are not ancestors of a good commit.
  ///
  /// The list starts with the commit whose test is expected to exclude the most suspects.
  func suspects(bad: String, good: [String]) throws(Failure) -> [String] {
    let text = try git(["rev-list", "--bisect-all", bad, "--not"] + good)
    return text.split(separator: "\n").compactMap { line in
      line.split(separator: " ").first.map(String.init)
    }
  }
}
