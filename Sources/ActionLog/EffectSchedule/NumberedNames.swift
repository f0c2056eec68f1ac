/// A text, and a number that distinguishes what it names from others with that text, from 1.
package struct NumberedName<Text: Hashable & Sendable>: Hashable, Sendable {
  package var text: Text
  package var number: Int
}

/// Names for keys that may print alike.
///
/// The first key with a text gets the number 1, the next one 2, and so on. The number of a removed key is free again, so names
/// depend only on the keys in use.
struct NumberedNames<Key: Hashable & Sendable, Text: Hashable & Sendable>: Sendable {
  typealias Name = NumberedName<Text>

  /// The keys that have names with a text.
  private struct Namesakes: Sendable {
    var keys: [Int: [Key]] = [:]
    /// A number below which all are taken.
    var firstFree = 1
  }

  private var names: [Key: Name] = [:]
  private var namesakes: [Text: Namesakes] = [:]

  /// The name of a key.
  subscript(key: Key) -> Name? { names[key] }

  /// A key with a name.
  func key(named name: Name) -> Key? { namesakes[name.text]?.keys[name.number]?.first }

  /// Gives a key a name, whether others have it or not.
  mutating func set(_ key: Key, to name: Name) {
    remove(key)
    names[key] = name
    namesakes[name.text, default: Namesakes()].keys[name.number, default: []].append(key)
  }

  /// The name of a key, which gets one if it has none.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - text: Its text. An equal key may have got its name from another text.
  ///   - preferred: The number that the key gets if no other one has it; `nil` for the smallest.
  /// - Returns: The name.
  mutating func name(of key: Key, _ text: Text, preferring preferred: Int? = nil) -> Name {
    if let name = names[key] { return name }
    let name = Name(text: text, number: freeNumber(for: text, preferring: preferred))
    set(key, to: name)
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

  /// Removes the name of a key.
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

  /// Removes all names.
  mutating func removeAll() {
    names.removeAll()
    namesakes.removeAll()
  }
}
