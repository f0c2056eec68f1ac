import Foundation

/// A git repository, and a worktree of its own in which commits can be built.
struct GitRepository: Sendable {
  /// The folder in which git runs.
  let folder: String

  /// What git would not do.
  struct Failure: Error, Hashable, CustomStringConvertible {
    let command: String
    let message: String

    var description: String { Wording.describe(self) }
  }

  /// What a person calls a commit.
  struct Commit: Sendable, Equatable {
    let hash: String
    let author: String
    /// When it was written, in the form of RFC 3339.
    let date: String
    let subject: String
  }

  /// Runs git.
  ///
  /// - Returns: What it wrote to standard output, without the last line's end.
  /// - Throws: `Failure` when git is missing or refuses.
  @discardableResult
  func git(_ arguments: String...) throws(Failure) -> String { try git(arguments) }

  private func git(_ arguments: [String]) throws(Failure) -> String {
    let command = (["git"] + arguments).joined(separator: " ")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let output = Pipe()
    let error = Pipe()
    process.standardOutput = output
    process.standardError = error
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch {
      throw Failure(command: command, message: Wording.reason(error))
    }
    // Messages are short; what is asked for may be long and has to be read while git writes.
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let message = error.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(command: command, message: Self.line(message))
    }
    return Self.line(text)
  }

  private static func line(_ data: Data) -> String {
    String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The hash of the commit that a revision names.
  func commit(_ revision: String) throws(Failure) -> String {
    try git("rev-parse", "--verify", "--quiet", "--end-of-options", "\(revision)^{commit}")
  }

  /// Tells of a commit.
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
