/// The ids of which a log tells, found by the ids of the running code.
package protocol LoggedIdentities: Sendable {
  /// An id of the running code.
  associatedtype Identity: Hashable & Sendable
  /// How a log renders one.
  associatedtype Text: Hashable & Sendable

  /// No ids.
  init()

  /// Whether there are no ids.
  var isEmpty: Bool { get }

  /// Adds an id of a log.
  mutating func insert(_ name: NumberedName<Text>)

  /// The id of the code that an id of the log is linked to.
  func identity(of name: NumberedName<Text>) -> Identity?

  /// The id of the log that an id of the code means.
  ///
  /// - Parameters:
  ///   - identity: The id of the code.
  ///   - text: How it prints.
  ///   - hint: The id that the recording has in its place.
  /// - Returns: The id of the log; `nil` if the log has no such id.
  mutating func name(
    of identity: Identity,
    _ text: Text,
    like hint: NumberedName<Text>?
  ) -> NumberedName<Text>?

  /// Removes an id of the log.
  mutating func remove(_ name: NumberedName<Text>)
}

/// The ids of which a log tells, and the ids of the running code that turn out to be the same.
///
/// A checkpoint describes effects that started before it, so their ids are known as text alone. Code that runs on from there
/// names them again. `link` decides which ones it means, once for each id.
package struct LoggedNames<Identity: Hashable & Sendable, Text: Hashable & Sendable>:
  LoggedIdentities
{
  package typealias Name = NumberedName<Text>

  /// The numbers of the ids with a text that no code has named yet, in ascending order.
  private var unlinked: [Text: [Int]] = [:]
  private var links: [Identity: Name] = [:]
  private var identities: [Name: Identity] = [:]

  /// No ids.
  package init() {}

  package var isEmpty: Bool { unlinked.isEmpty && links.isEmpty }

  /// The texts of the ids that no code has named yet.
  var unlinkedTexts: some Collection<Text> { unlinked.keys }

  /// Adds an id of a log.
  package mutating func insert(_ name: Name) {
    var numbers = unlinked[name.text] ?? []
    guard !numbers.contains(name.number), identities[name] == nil else { return }
    numbers.append(name.number)
    numbers.sort()
    unlinked[name.text] = numbers
  }

  /// Adds an id of a log, and the id of the code that it is.
  package mutating func insert(_ name: Name, as identity: Identity) {
    unlink(name)
    (links[identity], identities[name]) = (name, identity)
  }

  package func identity(of name: Name) -> Identity? { identities[name] }

  /// The id of the log that an id of the code is linked to.
  subscript(identity: Identity) -> Name? { links[identity] }

  package mutating func name(of identity: Identity, _ text: Text, like hint: Name?) -> Name? {
    self[identity] ?? link(identity, text, like: hint)
  }

  /// Links an id of the code with one of the log.
  ///
  /// - Parameters:
  ///   - identity: The id of the code.
  ///   - text: How it prints.
  ///   - hint: The id that the recording has in its place; the first one with the text if there is none.
  /// - Returns: The id of the log; `nil` if the log has none with this text, or others are linked to them.
  mutating func link(_ identity: Identity, _ text: Text, like hint: Name?) -> Name? {
    guard let numbers = unlinked[text], let first = numbers.first else { return nil }
    let number = hint?.text == text ? hint?.number ?? first : first
    // The recording has an id here that prints alike, and is none of those that are left.
    guard numbers.contains(number) else { return nil }
    let name = Name(text: text, number: number)
    insert(name, as: identity)
    return name
  }

  /// Removes an id from those that no code has named yet.
  private mutating func unlink(_ name: Name) {
    unlinked[name.text]?.removeAll { $0 == name.number }
    if unlinked[name.text]?.isEmpty == true { unlinked[name.text] = nil }
  }

  /// Removes an id of the log.
  package mutating func remove(_ name: Name) {
    unlink(name)
    if let identity = identities.removeValue(forKey: name) { links[identity] = nil }
  }
}
