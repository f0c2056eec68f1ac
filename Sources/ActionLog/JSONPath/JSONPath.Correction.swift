// Texts that people type in the place of an expression, as they do in Swift, SQL or JavaScript.

extension JSONPath.SyntaxError {
  /// The error with the expression that was most likely meant.
  ///
  /// - Parameter problem: Reads a text; returns the error, or `nil` for an expression.
  /// - Returns: The error, without a correction where the edits that are known make no expression.
  func corrected(_ problem: (String) -> JSONPath.SyntaxError?) -> JSONPath.SyntaxError {
    var result = self
    var error = self
    for _ in 0..<Self.mostEdits {
      guard let text = error.edited else { return result }
      guard let next = problem(text) else {
        result.correction = text
        return result
      }
      error = next
    }
    return result
  }

  /// A text that needs more edits is something else.
  private static let mostEdits = 8

  /// The text with the edit that belongs to the place of the error; `nil` where none is known.
  private var edited: String? {
    let scalars = Array(text.unicodeScalars)
    let place = min(max(column - 1, 0), scalars.count)
    let (before, rest) = (Self.string(scalars[..<place]), Self.string(scalars[place...]))
    if let text = replacingOperator(before, rest) ?? replacingWord(before, rest) { return text }
    if let text = replacingQuotes ?? replacingPrefixTest(before, rest) { return text }
    if let text = replacingEmptyArray(before, rest) ?? replacingCount(before, rest) { return text }
    return replacingQuery(scalars, place)
  }

  private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }

  private func replacingOperator(_ before: String, _ rest: String) -> String? {
    switch rest.unicodeScalars.first {
    case "="? where before.hasSuffix("==") || before.hasSuffix("!="): before + rest.dropFirst()
    case "="?: before + "=" + rest
    case "&"? where !rest.hasPrefix("&&"): before + "&" + rest
    case "|"? where !rest.hasPrefix("||"): before + "|" + rest
    case ">"? where before.hasSuffix("<"): "\(before.dropLast())!=\(rest.dropFirst())"
    // Optional chaining and unwrapping, which places do by themselves.
    case "?"? where ".[".contains(rest.dropFirst().first ?? " "): before + rest.dropFirst()
    case "!"? where ".[".contains(rest.dropFirst().first ?? " "): before + rest.dropFirst()
    // `case .saved`, as in Swift.
    case "."? where before.split(separator: " ").last == "case":
      "\(before.dropLast(before.reversed().prefix { $0 == " " }.count + "case".count))\(rest)"
    case let first? where before.hasSuffix("$") && first.properties.isAlphabetic:
      "\(before.dropLast())\(rest)"
    case "_"? where before.last?.isNumber == true && rest.dropFirst().first?.isNumber == true:
      before + rest.dropFirst()
    default: nil
    }
  }

  private func replacingWord(_ before: String, _ rest: String) -> String? {
    let word = rest.prefix { $0.isLetter }
    let end = rest.dropFirst(word.count)
    switch word.lowercased() {
    case "and", "or", "not", "contains":
      return word == word.lowercased() ? nil : before + word.lowercased() + end
    case "is" where end.drop { $0 == " " }.hasPrefix("not "):
      return before + "!=" + end.drop { $0 == " " }.dropFirst("not".count)
    case "is", "equals": return before + "==" + end
    case "includes", "has": return before + "contains" + end
    default: return nil
    }
  }

  private static let quotes: [Character: Character] = ["“": "\"", "”": "\"", "‘": "'", "’": "'"]

  private var replacingQuotes: String? {
    guard text.contains(where: { Self.quotes[$0] != nil }) else { return nil }
    return String(text.map { Self.quotes[$0] ?? $0 })
  }

  /// `name.hasPrefix("E")` becomes `match(name, "E.*")`.
  private func replacingPrefixTest(_ before: String, _ rest: String) -> String? {
    let isPrefix = before.hasSuffix(".hasPrefix")
    guard isPrefix || before.hasSuffix(".hasSuffix"), rest.hasPrefix("(") else { return nil }
    let argument = rest.dropFirst().prefix { $0 != ")" }
    guard argument.count >= 2, let quote = argument.first, quote == "\"" || quote == "'",
      argument.last == quote
    else { return nil }
    let pattern = argument.dropFirst().dropLast().map { character -> String in
      "\\.*+?()[]{}|^$".contains(character) ? "[\(character)]" : String(character)
    }
    .joined()
    let head = before.dropLast(".hasPrefix".count)
    let place = String(head.reversed().prefix { !" &|(!".contains($0) }.reversed())
    guard !place.isEmpty, !pattern.contains("[\\]") else { return nil }
    let whole = isPrefix ? "\(pattern).*" : ".*\(pattern)"
    return "\(head.dropLast(place.count))match(\(place), \(quote)\(whole)\(quote))"
      + rest.dropFirst(argument.count + 2)
  }

  /// `rows == []` becomes `rows.isEmpty`.
  private func replacingEmptyArray(_ before: String, _ rest: String) -> String? {
    guard rest.hasPrefix("]"), before.hasSuffix("[") else { return nil }
    let head = Self.withoutSpaces(before.dropLast())
    let sign = head.suffix(2)
    let left = Self.withoutSpaces(head.dropLast(2))
    let place = left.suffix(left.reversed().prefix { !" &|(!".contains($0) }.count)
    guard !place.isEmpty, sign == "==" || sign == "!=" else { return nil }
    let not = sign == "==" ? "" : "!"
    return "\(left.dropLast(place.count))\(not)\(place).isEmpty\(rest.dropFirst())"
  }

  private static func withoutSpaces(_ text: Substring) -> Substring {
    text.dropLast(text.reversed().prefix { $0 == " " }.count)
  }

  /// `count(rows)` and `len(rows)` become `rows.count`.
  private func replacingCount(_ before: String, _ rest: String) -> String? {
    let whole = before + rest
    for name in ["count(", "len("] {
      guard before.hasSuffix(name) || rest.hasPrefix(name) else { continue }
      let head = before.hasSuffix(name) ? before.dropLast(name.count) : before[...]
      let place = whole.dropFirst(head.count + name.count).prefix { $0 != ")" }
      guard !place.isEmpty, !place.hasPrefix("$"), !place.hasPrefix("@") else { continue }
      return "\(head)\(place).count\(whole.dropFirst(head.count + name.count + place.count + 1))"
    }
    return nil
  }

  /// A query with an id or a test of many values becomes a place, which has both.
  private func replacingQuery(_ scalars: [Unicode.Scalar], _ place: Int) -> String? {
    let isQuery = problem == .notSingular || scalars[place...].first == "#"
    let upTo = min(place + 1, scalars.count)
    guard isQuery, let start = scalars[..<upTo].lastIndex(of: "$") else { return nil }
    let rest = Self.string(scalars[start...])
    for (query, root) in [("$.state.", ""), ("$.before.", "before."), ("$.action.", "action.")]
    where rest.hasPrefix(query) {
      return Self.string(scalars[..<start]) + root + rest.dropFirst(query.count)
    }
    return nil
  }
}
