import ActionLog

/// The paths that occur in logs, as they are displayed, with the patterns that match them.
///
/// `phase.login.email` stands for `/phase/login/_0/email`, and `.path[*].titleChanged` in actions for
/// `/path/_0/element/action/titleChanged`. The logs determine which paths exist, so users can type every displayed
/// path.
struct MaskPatternTable {
  private typealias Section = LogPathInventory.Section

  private var patterns: [LogPathInventory.Section: [String: Set<MaskPath>]] = [:]

  /// Collects the paths from a list of log paths, together with their prefixes.
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

  /// Returns whether a string is a pattern, rather than a displayed path such as `todos[*].title`.
  static func isPattern(_ text: String) -> Bool {
    text.isEmpty || text.contains("/") || text.contains("**")
  }

  /// Returns the patterns that a string stands for.
  ///
  /// For a displayed path that occurs in the logs, these are the patterns of the matching log paths. Any other string
  /// is itself a pattern.
  func patterns(_ text: String, in section: LogPathInventory.Section) -> [MaskPath] {
    guard !Self.isPattern(text),
      let found = patterns[section]?[text] ?? patterns[section]?[Self.withoutRoot(text, section)]
    else { return [MaskPath(text)] }
    return found.sorted { $0.description < $1.description }
  }

  /// Removes a prefix that other options accept, such as `.` in `.todos[*].title` or `$.state.` in
  /// `$.state.todos[*].title`.
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

  /// Returns all displayed paths in a section, as candidates for a suggestion.
  func texts(in section: LogPathInventory.Section) -> [String] {
    patterns[section].map { Array($0.keys) } ?? []
  }

  /// Returns the path of a log entry as it is displayed.
  ///
  /// If the path is not a JSON pointer, it is returned unchanged.
  static func text(of entry: LogPathInventory.PathSummary) -> String {
    guard let pointer = try? JSON.Pointer(parsing: entry.path), !pointer.tokens.isEmpty else {
      return entry.path
    }
    return text(pointer, in: entry.section)
  }

  /// Returns the path of a log entry and its prefixes, as they are displayed.
  ///
  /// - Returns: The prefixes from the shortest to the path itself, or an empty array if the path is not a JSON pointer.
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
    // The first token is the key of a read or the endpoint of a call. It may contain dots.
    case .read, .call:
      let inner = JSON.Pointer(Array(pointer.tokens.dropFirst()))
      // The arguments of a call keep their indexes, because each argument has its own type.
      let isArgument = section == .call && inner.tokens.first == "arguments"
      let rest = Notation().pathText(JSON.ValueLocation(inner, elements: isArgument ? [1] : []))
      let dot = rest.isEmpty || rest.hasPrefix("[") ? "" : "."
      return Notation.visible(pointer.tokens.first ?? "") + dot + rest
    }
  }

  /// Removes the wrappers that the library's cases add to a path into an action, such as `_0` and `presented`.
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

  /// Returns a pattern for use in Swift code, with `*` for the names that the log format adds.
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
