import ActionLog

/// The paths of logs in the notation, with the patterns that they stand for.
///
/// `phase.login.email` stands for `/phase/login/_0/email`, and `.path[*].titleChanged` in actions for
/// `/path/_0/element/action/titleChanged`. The logs determine which paths exist, so every displayed path can be typed.
struct MaskPlaces {
  private typealias Section = LogPathInventory.Section

  private var patterns: [LogPathInventory.Section: [String: Set<MaskPath>]] = [:]

  /// The paths of logs and their prefixes.
  init(_ entries: [LogPathInventory.PathSummary]) {
    for entry in entries {
      guard let pointer = try? JSON.Pointer(parsing: entry.path) else { continue }
      for count in 0..<pointer.tokens.count {
        let prefix = JSON.Pointer(Array(pointer.tokens[...count]))
        let text = Self.text(prefix, in: entry.section)
        patterns[entry.section, default: [:]][text, default: []]
          .insert(MaskPath(prefix.description))
      }
    }
  }

  /// Returns whether a text is a pattern instead of a path in the notation.
  static func isPattern(_ text: String) -> Bool {
    text.isEmpty || text.contains("/") || text.contains("**")
  }

  /// Returns the patterns for a text: itself, or those of a path.
  func patterns(_ text: String, in section: LogPathInventory.Section) -> [MaskPath] {
    guard !Self.isPattern(text),
      let found = patterns[section]?[text] ?? patterns[section]?[Self.withoutRoot(text, section)]
    else { return [MaskPath(text)] }
    return found.sorted { $0.description < $1.description }
  }

  /// Returns a path without the prefixes that other options accept, such as `.todos[*].title` and
  /// `$.state.todos[*].title` for the state.
  private static func withoutRoot(
    _ text: String,
    _ section: LogPathInventory.Section
  ) -> String {
    let roots: [String] =
      switch section {
      case .state: ["$.state.", "."]
      case .action: ["$.action"]
      default: []
      }
    guard let root = roots.first(where: { text.hasPrefix($0) }) else { return text }
    return String(text.dropFirst(root.count))
  }

  /// Returns the paths of a section, for suggestions.
  func texts(in section: LogPathInventory.Section) -> [String] {
    patterns[section].map { Array($0.keys) } ?? []
  }

  /// Returns a path of a log in the notation.
  ///
  /// A pattern that is not a pointer stays unchanged.
  static func text(of entry: LogPathInventory.PathSummary) -> String {
    guard let pointer = try? JSON.Pointer(parsing: entry.path), !pointer.tokens.isEmpty else {
      return entry.path
    }
    return text(pointer, in: entry.section)
  }

  /// Returns a path and its prefixes.
  static func texts(of entry: LogPathInventory.PathSummary) -> [String] {
    guard let pointer = try? JSON.Pointer(parsing: entry.path) else { return [] }
    return pointer.tokens.indices.map { index in
      text(JSON.Pointer(Array(pointer.tokens[...index])), in: entry.section)
    }
  }

  private static func text(
    _ pointer: JSON.Pointer,
    in section: LogPathInventory.Section
  ) -> String {
    switch section {
    case .state, .header, .effect, .note, .other: return Notation().pathText(ofAnyElement: pointer)
    case .action:
      return "." + Notation().pathText(ofAnyElement: JSON.Pointer(withoutWrappers(pointer.tokens)))
    // The key of a read and the endpoint of a call may contain dots.
    case .read, .call:
      let inner = JSON.Pointer(Array(pointer.tokens.dropFirst()))
      // The arguments of a call keep their numbers, because each has its own type.
      let isArgument = section == .call && inner.tokens.first == "arguments"
      let rest = Notation().pathText(JSON.Location(inner, elements: isArgument ? [1] : []))
      let dot = rest.isEmpty || rest.hasPrefix("[") ? "" : "."
      return Notation.visible(pointer.tokens.first ?? "") + dot + rest
    }
  }

  /// Returns the tokens of a path into an action without those that the library's cases add.
  private static func withoutWrappers(_ tokens: [String]) -> [String] {
    var result: [String] = []
    var rest = tokens[...]
    while let token = rest.first {
      if result.isEmpty || token != "_0" || rest.count == 1 {
        result.append(token)
        rest.removeFirst()
      } else if rest.starts(with: ["_0", "presented", "_0"]), rest.count > 3 {
        rest.removeFirst(3)
      } else if rest.starts(with: ["_0", "element", "action"]) {
        result.append("*")
        rest.removeFirst(3)
      } else if rest.starts(with: ["_0", "element", "id"]) {
        result += ["*", "id"]
        rest.removeFirst(3)
      } else {
        rest.removeFirst()
      }
    }
    return result
  }

  /// Returns a pattern for Swift code, with `*` for the names that the log format adds.
  static func code(_ path: String) -> String {
    guard var tokens = (try? JSON.Pointer(parsing: path))?.tokens else { return path }
    while tokens.count > 1, tokens.last == "_0" { tokens.removeLast() }
    for index in tokens.indices where index > 0 {
      let isWrapper =
        tokens[index] == "_0" || tokens[index] == "element"
        || tokens[index] == "presented" && tokens[index - 1] == "*"
      if isWrapper { tokens[index] = "*" }
    }
    return JSON.Pointer(tokens).description
  }
}
