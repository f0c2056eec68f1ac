// Corrections for expressions that people write by analogy with Swift, SQL, or JavaScript.

extension JSONPath.SyntaxError {
  /// Returns the error with the expression that was most likely intended.
  ///
  /// - Parameter problem: Parses a string, and returns the error in it, or `nil` if the string is valid.
  /// - Returns: The error. It has no correction if the known edits don't lead to a valid expression.
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

  /// The maximum number of edits in a correction.
  ///
  /// A string that needs more edits is unlikely to be a misspelled expression.
  private static let mostEdits = 8

  /// The expression after an edit at the position of the error, or `nil` if no edit applies.
  private var edited: String? {
    let scalars = Array(text.unicodeScalars)
    let place = min(max(column - 1, 0), scalars.count)
    let (before, rest) = (Self.string(scalars[..<place]), Self.string(scalars[place...]))
    if let text = replacingOperator(before, rest) ?? replacingWord(before, rest) { return text }
    if let text = replacingQuotes ?? replacingPrefixTest(before, rest) { return text }
    if let text = replacingEmptyArray(before, rest) ?? replacingCount(before, rest) { return text }
    if let text = replacingDefault(before, rest) ?? replacingMembership(before, rest) {
      return text
    }
    if let text = replacingNegativeIndex(before, rest) { return text }
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
    // Optional chaining and unwrapping are implicit in paths.
    case "?"? where ".[".contains(rest.dropFirst().first ?? " "): before + rest.dropFirst()
    case "!"? where ".[".contains(rest.dropFirst().first ?? " "): before + rest.dropFirst()
    // Conversion to a Boolean is implicit in conditions.
    case "!"? where before.hasSuffix("!"): "\(before.dropLast())\(rest.dropFirst())"
    // Swift patterns start with `case`, as in `case .saved`.
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

  /// Replaces `name.hasPrefix("E")` with `match(name, "E.*")`, and `name.hasSuffix("E")` with `match(name, ".*E")`.
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

  /// Replaces `rows == []` with `rows.isEmpty`, and `rows != []` with `!rows.isEmpty`.
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

  /// Replaces `count(rows)` and `len(rows)` with `rows.count`.
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

  /// Replaces `count ?? 0 > 1` with `count > 1`, and `isOn ?? true` with `isOn != false`.
  ///
  /// Returns `nil` if the expression without the default could have another result for a missing value.
  private func replacingDefault(_ before: String, _ rest: String) -> String? {
    guard rest.hasPrefix("??") else { return nil }
    let tail = rest.dropFirst(2).drop { $0 == " " }
    let literal = tail.prefix { !" &|)=!<>".contains($0) }
    guard !literal.isEmpty else { return nil }
    let end = tail.dropFirst(literal.count)
    let head = Self.withoutSpaces(before[...])
    let compared = end.drop { ") ".contains($0) }
    let comparison = JSONPath.Comparison.allCases.first { compared.hasPrefix($0.rawValue) }
    guard let comparison else {
      return literal == "true" ? "\(head) != false\(end)" : "\(head)\(end)"
    }
    let operand = compared.dropFirst(comparison.rawValue.count).drop { $0 == " " }
    guard let value = Self.literal(literal), let other = Self.literal(operand) else { return nil }
    // A missing value is `null` in a path, and nothing in a query.
    let results = [value, .null, nil].map { comparison.holds($0, other) }
    return results.allSatisfy { $0 == results[0] } ? "\(head)\(end)" : nil
  }

  /// Returns the value of the literal at the start of a string, or `nil` if there is none.
  private static func literal(_ text: Substring) -> JSON? {
    guard let quote = text.first, quote == "'" || quote == "\"" else {
      return try? JSON(parsing: String(text.prefix { !" &|)".contains($0) }))
    }
    let content = text.dropFirst().prefix { $0 != quote }
    return content.contains("\\") ? nil : .string(String(content))
  }

  /// Replaces `count in 1...3` with `count >= 1 && count <= 3`, and `count in [1, 2]` with `count == 1 || count == 2`.
  private func replacingMembership(_ before: String, _ rest: String) -> String? {
    guard rest.hasPrefix("in ") else { return nil }
    let left = Self.withoutSpaces(before[...])
    let place = left.suffix(left.reversed().prefix { !" &|(!".contains($0) }.count)
    let values = rest.dropFirst("in ".count).drop { $0 == " " }
    guard !place.isEmpty else { return nil }
    let (tests, sign, end): ([String], String, Substring)
    if values.hasPrefix("[") {
      let list = values.dropFirst().prefix { $0 != "]" }
      let elements = list.split(separator: ",").map { Self.withoutSpaces($0.drop { $0 == " " }) }
      (tests, sign) = (elements.map { "\(place) == \($0)" }, " || ")
      end = values.dropFirst(list.count + 2)
    } else {
      let low = Self.number(values)
      let operation = values.dropFirst(low.count).prefix(3)
      let high = Self.number(values.dropFirst(low.count + 3))
      guard !low.isEmpty, !high.isEmpty, operation == "..." || operation == "..<" else {
        return nil
      }
      let comparison = operation == "..." ? "<=" : "<"
      (tests, sign) = (["\(place) >= \(low)", "\(place) \(comparison) \(high)"], " && ")
      end = values.dropFirst(low.count + 3 + high.count)
    }
    guard !tests.isEmpty else { return nil }
    let (head, text) = (left.dropLast(place.count), tests.joined(separator: sign))
    let isAlone = head.isEmpty && end.isEmpty || tests.count == 1
    return isAlone ? "\(head)\(text)\(end)" : "\(head)(\(text))\(end)"
  }

  /// Returns the number at the start of a string, without a range operator after it.
  ///
  /// Returns an empty string if there is no number.
  private static func number(_ text: Substring) -> Substring {
    let sign = text.prefix(text.hasPrefix("-") ? 1 : 0)
    let whole = text.dropFirst(sign.count).prefix { $0.isNumber }
    let rest = text.dropFirst(sign.count + whole.count)
    let fraction = rest.hasPrefix(".") ? rest.dropFirst().prefix { $0.isNumber } : ""
    return whole.isEmpty
      ? "" : text.prefix(sign.count + whole.count + (fraction.isEmpty ? 0 : fraction.count + 1))
  }

  /// Replaces `rows[-1]` with `$.state.rows[-1]`, because only queries count from the end.
  private func replacingNegativeIndex(_ before: String, _ rest: String) -> String? {
    guard before.hasSuffix("["), rest.hasPrefix("-"), rest.dropFirst().first?.isNumber == true
    else { return nil }
    let place = before.suffix(before.reversed().prefix { !" &|(!".contains($0) }.count)
    let name = place.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard !name.isEmpty else { return nil }
    let root = JSONPath.ShortPath.roots.contains(String(name)) ? "$." : "$.state."
    return "\(before.dropLast(place.count))\(root)\(place)\(rest)"
  }

  /// Replaces a query that contains an id, or that compares many values, with a path in the short form.
  ///
  /// Queries support neither.
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
