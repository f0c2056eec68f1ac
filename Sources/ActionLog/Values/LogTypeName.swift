import Foundation
import Synchronization

/// The names of types in a log.
///
/// ```swift
/// LogTypeName.of(Todos.State.self)  // "Todos.State"
/// ```
public enum LogTypeName {
  /// Returns the name of a type without its module and without parts that differ between builds.
  ///
  /// The nested type `App.Todos.State` has the name `Todos.State`. For a private type or a type in a function, Swift
  /// prints `(unknown context at $...)` between the names. This part is omitted, because it contains an address.
  public static func of(_ type: Any.Type) -> String {
    // Names are cached: the number of types in a program is limited, and the same types are looked up for each effect.
    let id = ObjectIdentifier(type)
    if let name = names.withLock({ $0[id] }) { return name }
    let name = spelled(type)
    names.withLock { $0[id] = name }
    return name
  }

  private static let names = Mutex<[ObjectIdentifier: String]>([:])

  private static func spelled(_ type: Any.Type) -> String {
    var name = ""
    // `_typeName` returns the same string as `String(reflecting:)`, which first checks for a custom description.
    var rest = Substring(_typeName(type, qualified: true))
    while let open = rest.firstRange(of: "(unknown context at "),
      let close = rest[open.upperBound...].firstIndex(of: ")")
    {
      name += rest[..<open.lowerBound]
      rest = rest[rest.index(after: close)...].drop { $0 == "." }
    }
    name += rest
    return withoutModules(name)
  }

  /// Removes the module, which is the first component of every dotted name.
  ///
  /// `Swift.Array<App.Row>` becomes `Array<Row>`.
  private static func withoutModules(_ name: String) -> String {
    var result = ""
    var word = ""
    var isFirstComponent = true
    for character in name {
      if character.isLetter || character.isNumber || character == "_" {
        word.append(character)
      } else if character == ".", isFirstComponent, !word.isEmpty {
        word = ""
        isFirstComponent = false
      } else {
        result += word
        word = ""
        result.append(character)
        isFirstComponent = character != "."
      }
    }
    return result + word
  }
}

extension LogTypeName {
  /// Returns a symbol by which every process with the same code finds the type, or `nil` if there is none.
  ///
  /// Private types have no such symbol.
  static func symbol(of type: Any.Type) -> String? {
    guard let symbol = _mangledTypeName(type), _typeByName(symbol) == type else { return nil }
    return symbol
  }

  /// Whether the logged values of a type can be decoded.
  static func readsBack(_ type: Any.Type) -> Bool {
    type is any LogValue.Type || type is any Encodable.Type && type is any Decodable.Type
      || type is any RawRepresentable.Type
  }

  /// Returns the type that has a symbol, or `nil` if the code has no such type.
  static func type(for symbol: String) -> Any.Type? { _typeByName(symbol) }
}
