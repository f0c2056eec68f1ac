/// Ids that a log describes, found by ids of the running code.
package protocol LoggedIDMapping: Sendable {
  /// An id of the running code.
  associatedtype Identity: Hashable & Sendable
  /// The representation of an id in a log, without the id's number.
  associatedtype Text: Hashable & Sendable

  init()

  var isEmpty: Bool { get }

  /// Adds an id that a log describes.
  mutating func insert(_ name: NumberedName<Text>)

  /// Returns the running code's id that is linked to an id of the log, or `nil` if there is no link.
  func identity(of name: NumberedName<Text>) -> Identity?

  /// Returns the log's name for an id of the running code.
  ///
  /// - Parameters:
  ///   - identity: The id of the running code.
  ///   - text: The id's text.
  ///   - hint: The name that the recording has for the id at this position, if any.
  /// - Returns: The name in the log, or `nil` if the log has no such id.
  mutating func name(
    of identity: Identity,
    _ text: Text,
    like hint: NumberedName<Text>?
  ) -> NumberedName<Text>?

  /// Removes an id that a log describes.
  mutating func remove(_ name: NumberedName<Text>)
}

/// The ids that a log describes, and their links to ids of the running code.
///
/// A checkpoint describes effects that started before it, so their ids are known only as text. Code that continues from
/// the checkpoint names these ids again. `link` decides once for each of the code's ids which described id it equals.
package struct LoggedIDLinks<Identity: Hashable & Sendable, Text: Hashable & Sendable>:
  LoggedIDMapping
{
  package typealias Name = NumberedName<Text>

  /// For each text, the numbers of the ids that are not linked to an id of the code, in ascending order.
  private var unlinked: [Text: [Int]] = [:]
  private var links: [Identity: Name] = [:]
  private var identities: [Name: Identity] = [:]

  package init() {}

  package var isEmpty: Bool { unlinked.isEmpty && links.isEmpty }

  /// The texts of the ids that are not linked to an id of the code.
  var unlinkedTexts: some Collection<Text> { unlinked.keys }

  /// Adds an id that a log describes.
  package mutating func insert(_ name: Name) {
    var numbers = unlinked[name.text] ?? []
    guard !numbers.contains(name.number), identities[name] == nil else { return }
    numbers.append(name.number)
    numbers.sort()
    unlinked[name.text] = numbers
  }

  /// Adds an id that a log describes, and links it to an id of the code.
  package mutating func insert(_ name: Name, as identity: Identity) {
    unlink(name)
    (links[identity], identities[name]) = (name, identity)
  }

  package func identity(of name: Name) -> Identity? { identities[name] }

  /// The name of the log's id that is linked to an id of the code, or `nil` if there is no link.
  subscript(identity: Identity) -> Name? { links[identity] }

  package mutating func name(of identity: Identity, _ text: Text, like hint: Name?) -> Name? {
    self[identity] ?? link(identity, text, like: hint)
  }

  /// Links an id of the code to an id of the log.
  ///
  /// - Parameters:
  ///   - identity: The id of the code.
  ///   - text: The id's text.
  ///   - hint: The name that the recording has for the id at this position. If `nil`, or if it has another text, the
  ///     first unlinked id with `text` is used.
  /// - Returns: The id's name in the log, or `nil` if the log has no unlinked id with this text and number.
  mutating func link(_ identity: Identity, _ text: Text, like hint: Name?) -> Name? {
    guard let numbers = unlinked[text], let first = numbers.first else { return nil }
    let number = hint?.text == text ? hint?.number ?? first : first
    // The recording has an id with the same text here, and that id is already linked to another one of the code.
    guard numbers.contains(number) else { return nil }
    let name = Name(text: text, number: number)
    insert(name, as: identity)
    return name
  }

  /// Removes a name from the unlinked ids.
  private mutating func unlink(_ name: Name) {
    unlinked[name.text]?.removeAll { $0 == name.number }
    if unlinked[name.text]?.isEmpty == true { unlinked[name.text] = nil }
  }

  /// Removes an id that a log describes, and its link.
  package mutating func remove(_ name: Name) {
    unlink(name)
    if let identity = identities.removeValue(forKey: name) { links[identity] = nil }
  }
}
