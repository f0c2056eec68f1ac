/// Names for keys that may print alike: the text of a key, and a number that distinguishes it from others with that text.
///
/// The first key with a text gets the number 1, the next one 2, and so on. The number of a removed key is free again, so names
/// depend only on the keys in use.
struct NumberedNames<Key: Hashable & Sendable, Text: Hashable & Sendable>: Sendable {
  /// A text and a number, from 1.
  struct Name: Hashable, Sendable {
    var text: Text
    var number: Int
  }

  private var names: [Key: Name] = [:]
  /// The keys that have names with a text.
  private var keys: [Text: [Key]] = [:]

  /// The name of a key.
  subscript(key: Key) -> Name? { names[key] }

  /// A key with a name.
  func key(named name: Name) -> Key? { keys[name.text]?.first { names[$0]?.number == name.number } }

  /// Gives a key a name, whether others have it or not.
  mutating func set(_ key: Key, to name: Name) {
    remove(key)
    names[key] = name
    keys[name.text, default: []].append(key)
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
    var number = preferred ?? 1
    if let others = keys[text] {
      let taken = Set(others.compactMap { names[$0]?.number })
      if taken.contains(number) { number = 1 }
      while taken.contains(number) { number += 1 }
    }
    let name = Name(text: text, number: number)
    set(key, to: name)
    return name
  }

  /// Removes the name of a key.
  mutating func remove(_ key: Key) {
    guard let name = names.removeValue(forKey: key) else { return }
    keys[name.text]?.removeAll { $0 == key }
    if keys[name.text]?.isEmpty == true { keys[name.text] = nil }
  }

  /// Removes all names.
  mutating func removeAll() {
    names.removeAll()
    keys.removeAll()
  }
}
