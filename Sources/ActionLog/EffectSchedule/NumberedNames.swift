/// A text with a number, counted from 1, that distinguishes keys with the same text.
package struct NumberedName<Text: Hashable & Sendable>: Hashable, Sendable {
  package var text: Text
  package var number: Int
}

/// Names for keys, different even for keys with the same text.
///
/// The first key with a text gets the number 1, the next one 2, and so on. The number of a removed key is reused, so
/// that names depend only on the keys in use.
struct NumberedNames<Key: Hashable & Sendable, Text: Hashable & Sendable>: Sendable {
  typealias Name = NumberedName<Text>

  /// The keys whose names have the same text.
  private struct Namesakes: Sendable {
    var keys: [Int: [Key]] = [:]
    /// A lower bound of the smallest free number, at which the search for a free number begins.
    var firstFree = 1
  }

  private var names: [Key: Name] = [:]
  private var namesakes: [Text: Namesakes] = [:]

  /// The name of a key, or `nil` if it has none.
  subscript(key: Key) -> Name? { names[key] }

  /// Returns the key that has a name, or `nil` if no key has it.
  func key(named name: Name) -> Key? { namesakes[name.text]?.keys[name.number]?.first }

  /// Gives a key a name, even if other keys have the same one.
  mutating func assign(_ key: Key, to name: Name) {
    remove(key)
    names[key] = name
    namesakes[name.text, default: Namesakes()].keys[name.number, default: []].append(key)
  }

  /// Returns the name of a key, and creates one if the key has none.
  ///
  /// - Parameters:
  ///   - key: The key to name.
  ///   - text: The key's text. Ignored if an equal key is named, possibly with another text.
  ///   - preferred: The number for a new name, if it is free. If `nil`, the smallest free number is used.
  /// - Returns: The key's name.
  mutating func name(of key: Key, _ text: Text, preferring preferred: Int? = nil) -> Name {
    if let name = names[key] { return name }
    let name = Name(text: text, number: freeNumber(for: text, preferring: preferred))
    assign(key, to: name)
    return name
  }

  private mutating func freeNumber(for text: Text, preferring preferred: Int?) -> Int {
    guard let index = namesakes.index(forKey: text) else { return preferred ?? 1 }
    if let preferred, namesakes.values[index].keys[preferred] == nil { return preferred }
    var number = namesakes.values[index].firstFree
    while namesakes.values[index].keys[number] != nil { number += 1 }
    namesakes.values[index].firstFree = number
    return number
  }

  /// Removes a key and its name.
  mutating func remove(_ key: Key) {
    guard let name = names.removeValue(forKey: key),
      let index = namesakes.index(forKey: name.text)
    else { return }
    namesakes.values[index].keys[name.number]?.removeAll { $0 == key }
    guard namesakes.values[index].keys[name.number]?.isEmpty == true else { return }
    namesakes.values[index].keys[name.number] = nil
    namesakes.values[index].firstFree = min(namesakes.values[index].firstFree, name.number)
    if namesakes.values[index].keys.isEmpty { namesakes.remove(at: index) }
  }

  mutating func removeAll() {
    names.removeAll()
    namesakes.removeAll()
  }
}
