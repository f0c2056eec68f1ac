/// Texts of values that hold no others.
enum DumpText {
  /// A string on one line, as a literal.
  static func quoted(_ string: String) -> String {
    if isRaw(string), string.contains(where: { $0 == "\"" || $0 == "\\" }) {
      let pounds = pounds(for: string)
      return "\(pounds)\"\(string)\"\(pounds)"
    }
    return "\"\(escaped(string, quotes: true))\""
  }

  /// The lines of a string as a literal, the first and the last one with the quotes.
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

  /// Whether a string has only what can be seen, so that nothing has to be escaped.
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

  /// As many number signs as a raw literal needs.
  private static func pounds(for string: String) -> String {
    var longest = 0
    var run = 0
    for character in string {
      run = character == "#" ? run + 1 : 0
      longest = max(longest, run)
    }
    return String(repeating: "#", count: longest + 1)
  }

  /// The key of an entry, on one line.
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

  /// A key path as it is written in code; what it computes has no name at run time.
  static func of(_ keyPath: AnyKeyPath) -> String {
    let type = DumpTypeName.full(type(of: keyPath).rootType)
    if let names = ChildPlace(keyPath).memberName { return "\\\(type).\(names)" }
    var text = Substring(String(reflecting: keyPath))
    var result = ""
    // `<computed 0x… (Int)>` has an address in it.
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

  /// Where the path begins behind the name of the root type.
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

  /// The name of a case without payload, whatever the enum says of itself.
  static func caseName(of value: Any) -> String {
    func name<Value>(_ value: Value) -> String? {
      runtimeCaseName(value).map { String(cString: $0) }
    }
    return _openExistential(value, do: name) ?? "\(value)"
  }
}

/// The Swift runtime's name for the case that an enum stands in, nil for enums of other languages.
@_silgen_name("swift_EnumCaseName")
private func runtimeCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
