import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// The invariants in a file, which are named conditions that must hold after each action.
///
/// ```text
/// # A basket never costs less than nothing.
/// total is not negative: $.state.total >= 0
///
/// [Drafts]
/// revisions only grow: $.state.savedRevision >= $.before.savedRevision
/// ```
package struct Invariants: Sendable {
  /// All invariants, in the order of the file.
  package let all: [Invariant]
  /// The path of the file, for messages.
  package let file: String

  /// Returns the invariants for all features, and those for the named feature.
  package func applying(to feature: String) -> [Invariant] {
    all.filter { $0.feature == nil || $0.feature == feature }
  }
}

/// A condition with a name and its line in the file.
package struct Invariant: Sendable {
  package let name: String
  /// The number of the invariant's line in the file.
  package let line: Int
  /// The name of the feature to which the invariant applies, or `nil` for all features.
  package let feature: String?
  let condition: Condition

  /// The source text of the condition, in canonical form.
  package var expression: String { condition.expression.description }

  /// Whether the invariant refers to an action or to the state before it.
  ///
  /// Such an invariant is not evaluated in the first state.
  package var isAboutActions: Bool {
    !(condition.usedMembers ?? []).isDisjoint(with: ["action", "origin", "before"])
  }
}

extension Invariants {
  /// Reads and parses a file.
  ///
  /// - Throws: `InvariantsError` if the text is not valid, or `LogReadError` if the file can't be read.
  package init(path: String) throws {
    guard FileSystemItemKind(path) != .folder else {
      throw LogReadError.system(path: path, code: EISDIR)
    }
    let bytes = try FileHandle(readingLog: path).readToEnd() ?? Data()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw InvariantsError(file: path, line: nil, problem: .notText)
    }
    try self.init(parsing: text, file: path)
  }

  /// Parses the text of a file.
  ///
  /// - Throws: `InvariantsError` if the text is not valid.
  init(parsing text: String, file: String) throws(InvariantsError) {
    var all: [Invariant] = []
    var feature: String?
    // Splitting at `\n` would miss CR LF, which is a single `Character`.
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      do throws(InvariantsError.Problem) {
        if text.hasPrefix("[") {
          feature = try Self.feature(text)
        } else {
          let invariant = try Invariant(text, line: index + 1, feature: feature)
          if let first = all.first(where: { $0.name == invariant.name }) {
            throw .duplicate(invariant.name, first: first.line)
          }
          all.append(invariant)
        }
      } catch {
        throw InvariantsError(file: file, line: index + 1, problem: error)
      }
    }
    guard !all.isEmpty else { throw InvariantsError(file: file, line: nil, problem: .none) }
    self.init(all: all, file: file)
  }

  /// Returns the feature name in a line such as `[Todos]`.
  private static func feature(_ text: String) throws(InvariantsError.Problem) -> String {
    let name = text.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
    guard text.hasSuffix("]"), !name.isEmpty else { throw .badFeature(text) }
    return name
  }
}

extension Invariant {
  fileprivate init(
    _ text: String,
    line: Int,
    feature: String?
  ) throws(InvariantsError.Problem) {
    // The first characters of an expression can't start a name.
    guard let colon = text.firstIndex(of: ":"), !"$@!(".contains(text.first ?? "$") else {
      throw .noName(text)
    }
    let name = text[..<colon].trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else { throw .noName(text) }
    let expression = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    guard !expression.isEmpty else { throw .noExpression(name) }
    let condition: Condition
    do throws(JSONPath.SyntaxError) {
      condition = Condition(try JSONPath.Expression(parsing: expression))
    } catch {
      throw .badExpression(error)
    }
    if let member = condition.unknownMembers.first { throw .unknownMember(member) }
    self.init(name: name, line: line, feature: feature, condition: condition)
  }
}

/// An error in a file with invariants.
package struct InvariantsError: StatusError, Equatable, CustomStringConvertible {
  let file: String
  /// The number of the line with the problem, or `nil` if the problem concerns the entire file.
  let line: Int?
  let problem: Problem

  enum Problem: Error, Equatable {
    case notText
    /// The file contains only blank lines and comments.
    case none
    case noName(String)
    case noExpression(String)
    case badExpression(JSONPath.SyntaxError)
    case unknownMember(String)
    case duplicate(String, first: Int)
    case badFeature(String)
  }

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus { .usage }
}
