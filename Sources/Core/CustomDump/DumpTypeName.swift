import ActionLog
import Synchronization

/// Names of types as they stand in a dump: without modules, and without the contexts of local types.
enum DumpTypeName {
  private static let names = Mutex<[ObjectIdentifier: (short: String, full: String)]>([:])

  /// The name without generic arguments: `Row.State`.
  static func short(_ type: Any.Type) -> String {
    both(type).short
  }

  /// The whole name as it is written in code: `[Row<Int>?]`.
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

  /// Drops `(extension in Module):`.
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
      // Not the arrow of a function.
      case ">" where last != "-" && depth > 0: depth -= 1
      default: if depth == 0 { result.append(character) }
      }
      last = character
    }
    return result
  }

  /// Writes `Optional<X>` as `X?`, `Array<X>` as `[X]` and `Dictionary<K, V>` as `[K: V]`.
  private static func sugared(_ name: String) -> String {
    var rest = Substring(name)
    var result = ""
    while let open = rest.firstIndex(of: "<"), let close = end(of: rest[open...]) {
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

  /// Where a list of arguments ends.
  private static func end(of text: Substring) -> String.Index? {
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
