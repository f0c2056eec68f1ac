import Foundation
import TCACore
import Testing

/// The outputs in Documentation/Dumping.md equal those of the code.
@Suite("Documented dumps and differences")
struct DocumentedDumpTests {
  struct User: Equatable {
    var id: Int
    var name: String
    var tags: [String] = []
  }

  private final class Desk {
    let number: Int
    init(number: Int) { self.number = number }
  }

  struct Token: Equatable, CustomDumpStringConvertible {
    var text: String
    var customDumpDescription: String { "<redacted>" }
  }

  struct Ratio: CustomDumpReflectable {
    var customDumpMirror: Mirror { Mirror(self, children: ["value": "1/2"], displayStyle: .struct) }
  }

  struct Number: CustomDumpRepresentable {
    var customDumpValue: Any { 7 }
  }

  struct LoadingFailed: Error { var code = 3 }

  private func loadedUser() throws -> User { throw LoadingFailed() }

  /// The outputs in the order of the article.
  private var outputs: [String?] {
    [
      String(customDumping: User(id: 1, name: "Blob", tags: ["a"])),
      {
        var text = ""
        customDump(
          [User(id: 1, name: "Blob", tags: ["a"])],
          to: &text,
          name: "users",
          indent: 2,
          maxDepth: 2
        )
        return text
      }(),
      {
        let desk = Desk(number: 4)
        return
          String(customDumping: [desk, desk])
      }(),
      String(customDumping: (Token(text: "a"), Ratio(), Number())),
      diff(User(id: 1, name: "Blob"), User(id: 1, name: "Blob Jr.")),
      diff([1, 2, 3, 4], [1, 2, 3, 5]),
      diff(Token(text: "a"), Token(text: "b")),
      recordingIssues {
        expectNoDifference(
          User(id: 1, name: "Blob"),
          User(id: 2, name: "Blob"),
          "The user was saved."
        )
      }.first,
      {
        func expectation() { expectNoDifference(try loadedUser(), User(id: 1, name: "Blob")) }
        return recordingIssues(expectation).first
      }(),
      recordingIssues {
        var user = User(id: 1, name: "Blob")
        expectDifference(user) {
          user.name = "Blob Jr."
          user.tags = ["new"]
        } changes: {
          $0.name = "Blob Jr."
        }
      }.first,
      recordingIssues {
        let user = User(id: 1, name: "Blob")
        expectDifference(user) { $0.name = "Blob Jr." }
      }.first,
    ]
  }

  @Test func `the article on dumps shows the output that its code prints`() throws {
    let shown = try blocks(of: "text").map { $0.trimmingCharacters(in: .newlines) }
    let made = outputs.map { output in
      // The suite's name precedes those of its types, and the blank of a message is a wide one.
      (output ?? "nil").replacing("DocumentedDumpTests.", with: "").replacing("\u{2007}", with: " ")
    }
    try #require(shown.count == made.count)
    for (shown, made) in zip(shown, made) {
      #expect(shown == made.trimmingCharacters(in: .newlines))
    }
  }

  private struct Account: Equatable {
    var id: Int
    var name: String
  }

  private struct Counter: Equatable {
    var count = 0
    mutating func increment() { count += 1 }
  }

  /// The outputs in the comments of functions, with their files.
  private var commentedOutputs: [(file: String, output: String?)] {
    var dump = ""
    customDump(Account(id: 2, name: "Blob"), to: &dump)
    return [
      ("CustomDump", dump),
      ("Diff", diff(Account(id: 1, name: "Blob"), Account(id: 1, name: "Blob Jr."))),
      (
        "ExpectDifference",
        recordingIssues {
          expectNoDifference(
            Account(id: 1, name: "Blob"),
            Account(id: 2, name: "Blob"),
            "The user was saved."
          )
        }.first
      ),
      (
        "ExpectDifference",
        recordingIssues {
          var counter = Counter()
          expectDifference(counter) {
            counter.increment()
          } changes: {
            $0.count = 2
          }
        }.first
      ),
    ]
  }

  @Test func `comments in the sources of CustomDump show the output that their code prints`() throws
  {
    for (file, output) in commentedOutputs {
      let made = (output ?? "nil").replacing("DocumentedDumpTests.", with: "")
        .replacing("\u{2007}", with: " ").replacing("Account(", with: "User(")
      let source = try String(
        contentsOf: package.appending(path: "Sources/Core/CustomDump/\(file).swift"),
        encoding: .utf8
      )
      // In a comment, the output of a line of code follows "// ".
      let comment = source.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.replacing(/^\/\/\/ ?(\/\/ )?/, with: "") }.joined(separator: "\n")
      #expect(comment.contains(made), "\(file): \(made)")
    }
  }

  @Test func `the code in the article on dumps is part of its test file`() throws {
    let source = words(of: try String(contentsOfFile: #filePath, encoding: .utf8))
    for code in try blocks(of: "swift") { #expect(source.contains(words(of: code)), "\(code)") }
  }

  private var package: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
  }

  /// Returns the code blocks of the article in a given language.
  private func blocks(of language: String) throws -> [String] {
    let article = package.appending(path: "Documentation/Dumping.md")
    return try String(contentsOf: article, encoding: .utf8)
      .components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
  }

  /// Returns the text without its layout.
  private func words(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing("return ", with: "")
  }
}
