import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayEngine

/// Completes words and their arguments, such as actions, effects, and paths in the state.
@MainActor package final class DebugCompleter {
  private let shell: DebugShell

  package init(_ shell: DebugShell) { self.shell = shell }

  /// The maximum number of array elements to offer.
  private static let mostElements = 20

  /// Returns the completions of the text before the cursor.
  package func completions(of head: String) -> Completions {
    let head = String(head.drop { $0 == " " })
    guard let blank = head.firstIndex(of: " ") else {
      let names = shell.words.words.map(\.name).filter { $0.hasPrefix(head) }
      return Completions(replaced: head.count, candidates: names.sorted())
    }
    guard let word = try? shell.words.word(String(head[..<blank])) else {
      return Completions(replaced: 0, candidates: [])
    }
    let parts = head.split(separator: " ", omittingEmptySubsequences: false)
    let token = String(parts[parts.count - 1])
    let before = parts.count > 2 ? String(parts[parts.count - 2]) : word.name
    var candidates: [String] = []
    var isPlace = false
    for completion in word.completions {
      switch completion {
      case .actions where before != "--effect" && token.hasPrefix("."):
        candidates += shell.survey.map { Self.actions(token, in: $0) } ?? []
      case .effects where before == "--effect": candidates += shell.survey?.effects ?? []
      case .files(let options) where options.contains(before):
        return Self.files(token, in: shell.context.folder)
      case .places where before != "if":
        let places = places(token)
        isPlace = !places.isEmpty
        candidates += places
      case .effects where before == "--read": candidates += shell.survey?.reads ?? []
      case .words(let words) where !["--effect", "--read"].contains(before): candidates += words
      case .bookmarks: candidates += shell.bookmarks.map(\.name)
      case .debugWords: candidates += shell.words.words.map(\.name)
      case .actions, .effects, .places, .files, .words: break
      }
    }
    let found = Set(candidates).filter { $0.hasPrefix(token) }.sorted()
    return Completions(replaced: token.count, candidates: found, suffix: isPlace ? "" : " ")
  }

  // MARK: - Actions

  /// Returns the actions that begin with a string, or if there are none, those with a nested case that does.
  private static func actions(_ token: String, in survey: LogVocabulary) -> [String] {
    // Value cases and elements are offered only after the user has begun to type one, because there can be many.
    let paths =
      token.contains("(")
      ? survey.values : token.contains("[") ? survey.actions + survey.elements : survey.actions
    guard !paths.contains(where: { $0.hasPrefix(token) }) else { return paths }
    return paths.flatMap { path in
      path.indices.filter { path[$0] == "." }.map { String(path[$0...]) }
    }
  }

  // MARK: - Files

  /// Returns the files and folders whose paths begin with a string.
  private static func files(_ token: String, in base: String) -> Completions {
    let end = token.lastIndex(of: "/").map { token.index(after: $0) } ?? token.startIndex
    let (stem, name) = (String(token[..<end]), token[end...])
    let folder = stem.hasPrefix("/") ? stem : "\(base)/\(stem)"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let found = names.filter { $0.hasPrefix(name) && ($0.first != "." || name.first == ".") }
      .map { stem + $0 + (FileSystemItemKind("\(folder)/\($0)") == .folder ? "/" : "") }.sorted()
    let isFolder = found.count == 1 && found[0].hasSuffix("/")
    return Completions(replaced: token.count, candidates: found, suffix: isFolder ? "" : " ")
  }

  // MARK: - Paths

  /// Returns the paths in the state that begin with a string.
  private func places(_ token: String) -> [String] {
    let end = token.lastIndex { $0 == "." || $0 == "[" }
    let stem = end.map { String(token[..<$0]) } ?? ""
    let step = shell.session.current
    guard var value = stem.isEmpty ? step.after : Self.value(at: stem, step) else { return [] }
    while let inner = value.wrapped { value = inner }
    switch value {
    case .object(let object):
      let isKeyed = end.map { token[$0] == "[" } ?? false
      return object.keys.map { key in
        guard key.isSwiftIdentifier, !isKeyed else { return "\(stem)[\(JSON.string(key))]" }
        return stem.isEmpty ? key : "\(stem).\(key)"
      }
    case .array(let elements):
      guard !stem.isEmpty, !elements.isEmpty else { return [] }
      let first = elements.prefix(Self.mostElements)
      let names = first.indices.map { "\($0)" } + ["*"] + first.compactMap(\.rowName)
      return names.map { "\(stem)[\($0)]" }
    case .null, .bool, .number, .string: return []
    }
  }

  private static func value(at text: String, _ step: LogStep) -> JSON? {
    switch try? StepExpression(parsing: text).value(in: step) {
    case .one(let value), .action(let value): value
    case .many(let items): items.first?.value
    case .truth, nil: nil
    }
  }
}

extension JSON {
  /// The short id of a row, such as `#2` for an element of a stack, or `…AC1A` for a row with a UUID.
  fileprivate var rowName: String? {
    guard let id = self["id"] else { return nil }
    if let number = id.number { return "#\(number.literal)" }
    return id.string.flatMap { UUID(uuidString: $0) == nil ? nil : "…\($0.suffix(4))" }
  }
}
