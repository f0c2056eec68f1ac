import Foundation
import TCACore
import Testing

/// What Documentation/Dumping.md shows is what the code does.
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

  /// The outputs, in the order of the article.
  private var outputs: [String?] {
    [
      String(customDumping: User(id: 1, name: "Blob", tags: ["a"])),
      {
        let desk = Desk(number: 4)
        return
          String(customDumping: [desk, desk])
      }(),
      diff(User(id: 1, name: "Blob"), User(id: 1, name: "Blob Jr.")),
      diff([1, 2, 3, 4], [1, 2, 3, 5]),
      recordingIssues {
        expectNoDifference(
          User(id: 1, name: "Blob"),
          User(id: 2, name: "Blob"),
          "The user was saved."
        )
      }.first,
      recordingIssues {
        var user = User(id: 1, name: "Blob")
        expectDifference(user) {
          user.name = "Blob Jr."
          user.tags = ["new"]
        } changes: {
          $0.name = "Blob Jr."
        }
      }.first,
    ]
  }

  @Test func outputsAreThoseOfTheArticle() throws {
    let shown = try blocks(of: "text").map { $0.trimmingCharacters(in: .newlines) }
    let made = outputs.map { output in
      // The suite's own name stands before those of its types, and the blank of a message is a wide one.
      (output ?? "nil").replacing("DocumentedDumpTests.", with: "").replacing("\u{2007}", with: " ")
    }
    try #require(shown.count == made.count)
    for (shown, made) in zip(shown, made) {
      #expect(shown == made.trimmingCharacters(in: .newlines))
    }
  }

  @Test func codeIsThatOfThisFile() throws {
    let source = words(of: try String(contentsOfFile: #filePath, encoding: .utf8))
    for code in try blocks(of: "swift") { #expect(source.contains(words(of: code)), "\(code)") }
  }

  /// The parts of the article in a language.
  private func blocks(of language: String) throws -> [String] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let article = package.appending(path: "Documentation/Dumping.md")
    return try String(contentsOf: article, encoding: .utf8)
      .components(separatedBy: "```\(language)\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0] }
  }

  /// The text without its layout.
  private func words(of text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ").replacing("return ", with: "")
  }
}
