import ActionLog
import Synchronization

/// The functions that format strings, dictionary keys, key paths, and the names of enum cases.
enum DumpText {
  /// Returns a string as a literal on one line.
  static func quoted(_ string: String) -> String {
    if isRaw(string), string.contains(where: { $0 == "\"" || $0 == "\\" }) {
      let pounds = pounds(for: string)
      return "\(pounds)\"\(string)\"\(pounds)"
    }
    return "\"\(escaped(string, quotes: true))\""
  }

  /// Returns the lines of a multiline literal for a string, with the opening delimiter first and the closing one last.
  static func lines(of string: String) -> [String] {
    let lines = string.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    guard lines.allSatisfy(isRaw) else {
      return ["\"\"\""] + lines.map { escaped($0, quotes: false) } + ["\"\"\""]
    }
    let isPlain = !string.contains("\\") && !string.contains("\"\"\"")
    let pounds = isPlain ? "" : pounds(for: string)
    return ["\(pounds)\"\"\""] + lines + ["\"\"\"\(pounds)"]
  }

  /// Returns whether a line has no control characters, so that a raw literal can contain it.
  private static func isRaw(_ line: String) -> Bool {
    line.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func escaped(_ line: String, quotes: Bool) -> String {
    line.unicodeScalars.reduce(into: "") { text, scalar in
      let isPlain = scalar.properties.generalCategory != .control && scalar != "\\"
      if isPlain && (!quotes || scalar != "\"") {
        text.unicodeScalars.append(scalar)
      } else {
        text += scalar.escaped(asASCII: false)
      }
    }
  }

  /// Returns the number signs that a raw literal needs around a string.
  private static func pounds(for string: String) -> String {
    var longest = 0
    var run = 0
    for character in string {
      run = character == "#" ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "#", count: longest + 1)
  }

  /// Returns the key of a dictionary entry, on one line.
  static func key(_ key: Any) -> String {
    var printer = DumpPrinter()
    let lines = printer.block(of: DumpChild(value: key), depth: 3).lines
    guard lines.count > 1 else { return lines[0].text }
    var text = ""
    for line in lines {
      let isTight =
        text.isEmpty || text.hasSuffix("(") || text.hasSuffix("[")
        || ")]".contains(line.text.prefix(1))
      text += (isTight ? "" : " ") + line.text + line.separator
    }
    return text
  }

  /// Returns a key path as it appears in source code.
  ///
  /// Computed properties have no name at run time and appear as `<computed (Type)>`.
  static func of(_ keyPath: AnyKeyPath) -> String {
    let type = DumpTypeName.full(type(of: keyPath).rootType)
    if let names = ChildLocation(keyPath).memberName { return "\\\(type).\(names)" }
    var text = Substring(String(reflecting: keyPath))
    var result = ""
    // Removes the address from `<computed 0x… (Int)>`.
    while let open = text.firstRange(of: "<computed 0x"),
      let space = text[open.upperBound...].firstIndex(of: " ")
    {
      result += text[..<open.lowerBound] + "<computed"
      text = text[space...]
    }
    result += text
    guard let dot = pathStart(of: result) else { return result }
    return "\\\(type)\(result[dot...])"
  }

  /// Returns the index of the dot before the first component of a described key path, after the name of the root type.
  private static func pathStart(of text: String) -> String.Index? {
    var depth = 0
    for index in text.indices {
      switch text[index] {
      case "<", "(", "[": depth += 1
      case ">", ")", "]": depth -= 1
      case "." where depth == 0: return index
      default: break
      }
    }
    return nil
  }

  /// Returns the name of a case without payload, even if the enum has a custom description.
  static func caseName(of value: Any) -> String {
    func name<Value>(_ value: Value) -> String? {
      runtimeCaseName(value).map { String(cString: $0) }
    }
    return _openExistential(value, do: name) ?? "\(value)"
  }
}

/// Returns the name of an enum case from the Swift runtime, or `nil` for an enum of another language.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?

/// The functions that format type names for dumps, without modules and without the contexts of local types.
enum DumpTypeName {
  private static let names = Mutex<[ObjectIdentifier: (short: String, full: String)]>([:])

  /// Returns the name of a type without generic arguments: `Row.State`.
  static func short(_ type: Any.Type) -> String {
    both(type).short
  }

  /// Returns the full name of a type as it appears in source code: `[Row<Int>?]`.
  static func full(_ type: Any.Type) -> String {
    both(type).full
  }

  private static func both(_ type: Any.Type) -> (short: String, full: String) {
    let id = ObjectIdentifier(type)
    if let known = names.withLock({ $0[id] }) { return known }
    let name = withoutExtensions(LogTypeName.of(type))
    let both = (short: withoutArguments(name), full: sugared(name))
    names.withLock { $0[id] = both }
    return both
  }

  /// Removes `(extension in Module):` from the name of a type.
  private static func withoutExtensions(_ name: String) -> String {
    var name = name
    while let open = name.firstRange(of: "(extension in "),
      let close = name[open.upperBound...].firstRange(of: "):")
    {
      name.removeSubrange(open.lowerBound..<close.upperBound)
    }
    return name
  }

  private static func withoutArguments(_ name: String) -> String {
    var result = ""
    var depth = 0
    var last: Character?
    for character in name {
      switch character {
      case "<": depth += 1
      // The `>` of an arrow in a function type closes no bracket.
      case ">" where last != "-" && depth > 0: depth -= 1
      default: if depth == 0 { result.append(character) }
      }
      last = character
    }
    return result
  }

  /// Rewrites `Optional<X>` as `X?`, `Array<X>` as `[X]`, and `Dictionary<K, V>` as `[K: V]`.
  private static func sugared(_ name: String) -> String {
    var rest = Substring(name)
    var result = ""
    while let open = rest.firstIndex(of: "<"), let close = closingBracket(of: rest[open...]) {
      let prefix = rest[..<open]
      let arguments = split(rest[rest.index(after: open)..<close]).map { sugared(String($0)) }
      let start = prefix.lastIndex { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
      let name = start.map { prefix[prefix.index(after: $0)...] } ?? prefix
      result += prefix[..<name.startIndex]
      switch (name, arguments.count) {
      case ("Optional", 1) where arguments[0].hasPrefix("any ") || arguments[0].contains("->"):
        result += "(\(arguments[0]))?"
      case ("Optional", 1): result += "\(arguments[0])?"
      case ("Array", 1): result += "[\(arguments[0])]"
      case ("Dictionary", 2): result += "[\(arguments[0]): \(arguments[1])]"
      default: result += "\(name)<\(arguments.joined(separator: ", "))>"
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// Returns the index of the bracket that closes a list of generic arguments.
  private static func closingBracket(of text: Substring) -> String.Index? {
    var depth = 0
    var last: Character?
    for index in text.indices {
      if text[index] == "<" { depth += 1 }
      if text[index] == ">", last != "-" { depth -= 1 }
      if depth == 0 { return index }
      last = text[index]
    }
    return nil
  }

  private static func split(_ arguments: Substring) -> [Substring] {
    var parts: [Substring] = []
    var depth = 0
    var start = arguments.startIndex
    var last: Character?
    for index in arguments.indices {
      switch arguments[index] {
      case "<", "(": depth += 1
      case ")": depth -= 1
      case ">" where last != "-": depth -= 1
      case "," where depth == 0:
        parts.append(arguments[start..<index])
        start = arguments.index(after: index)
      default: break
      }
      last = arguments[index]
    }
    parts.append(arguments[start...])
    return parts.map { $0.drop { $0 == " " } }
  }
}
