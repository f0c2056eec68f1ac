/// The ids of one kind that are in use, and their names in a log.
///
/// An id of the running code is identified by its value. An id that only a log describes is identified by its text and
/// number. The number distinguishes ids with the same text. An id that equals one in use gets the same name, even if
/// its text differs.
struct IDNameRegistry<Logged: LoggedIDMapping>: Sendable {
  typealias Text = Logged.Text
  typealias Name = NumberedName<Text>

  /// An id of the running code, or an id that only a log describes.
  ///
  /// The name in `logged` stays the same when a checkpoint renumbers ids.
  enum Identity: Hashable, Sendable {
    case live(Logged.Identity)
    case logged(Name)
  }

  /// An identity with its cached hash.
  ///
  /// Schedules look up the same keys repeatedly, and hashing the JSON value of an id is slow.
  struct Key: Hashable, Sendable {
    private let hash: Int
    let identity: Identity

    init(_ identity: Identity) {
      self.identity = identity
      hash = identity.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  private var names = NumberedNames<Key, Text>()
  /// The ids that are known only from the descriptions in a log.
  private var logged = Logged()
  /// The number of effects and path elements that use each id.
  private var uses: [Key: Int] = [:]
  /// The ids that were named since the last call of `forgetCancelled()`.
  private var introduced: Set<Key> = []
}

extension IDNameRegistry {
  /// Names an id of the running code.
  ///
  /// - Parameters:
  ///   - id: The id to name.
  ///   - text: The id's text.
  ///   - equal: The text under which the log describes an equal id, if the recording says so.
  ///   - hint: The name that the recording has for the id at this position. Its number is reused if possible.
  /// - Returns: The id's name in the log.
  mutating func named(
    _ id: Logged.Identity,
    _ text: Text,
    equal: Text? = nil,
    like hint: Name?
  ) -> Name {
    let key = key(of: id, equal ?? text, like: hint)
    let isAlike = hint?.text == text || hint != nil && hint?.text == names[key]?.text
    introduced.insert(key)
    return names.name(of: key, text, preferring: isAlike ? hint?.number : nil)
  }

  /// Returns the key of an id of the running code.
  ///
  /// - Parameters:
  ///   - id: The id of the running code.
  ///   - text: The id's text.
  ///   - hint: The name that the recording has for the id at this position.
  /// - Returns: The key of the described id that equals `id`, or a new key if there is none.
  mutating func key(of id: Logged.Identity, _ text: Text, like hint: Name?) -> Key {
    let key = Key(.live(id))
    if !logged.isEmpty, uses[key] == nil,
      let name = logged.name(of: id, text, like: hint.map { loggedName(of: $0) })
    {
      return Key(.logged(name))
    }
    return key
  }

  /// Returns the running code's id for a key, or `nil` if only a log describes that id.
  func identity(of key: Key) -> Logged.Identity? {
    switch key.identity {
    case .live(let id): id
    case .logged(let name): logged.identity(of: name)
    }
  }

  /// Returns the key of the id that a log describes with `name`.
  func key(of name: Name) -> Key {
    if let known = names.key(named: name) { return known }
    // A checkpoint may have given another number to the id that had this name.
    var name = name
    while uses[Key(.logged(name))] != nil { name.number += 1 }
    return Key(.logged(name))
  }

  /// Returns the name under which the described id that is now named `name` was inserted.
  ///
  /// The two names differ if a checkpoint has renumbered the ids. If no described id is named `name`, the number of the
  /// result is 0.
  private func loggedName(of name: Name) -> Name {
    if case .logged(let known)? = names.key(named: name)?.identity { return known }
    return Name(text: name.text, number: 0)
  }

  /// Adds one use of an id.
  ///
  /// - Parameters:
  ///   - key: The key of the id.
  ///   - isDescribed: Whether the id is known only from a description.
  ///   - name: The id's name in the description.
  mutating func retain(_ key: Key, isDescribed: Bool, as name: Name) {
    uses[key, default: 0] += 1
    if isDescribed, case .logged(let name) = key.identity { logged.insert(name) }
    setName(of: key, to: name)
  }

  /// Sets the name of an id, so that later descriptions with this name refer to the same id.
  mutating func setName(of key: Key, to name: Name) {
    if uses[key] != nil, names[key] != name { names.assign(key, to: name) }
  }

  /// Removes one use of an id, and drops the id if this was its last use.
  mutating func release(_ key: Key) {
    guard let count = uses[key], count > 1 else {
      uses[key] = nil
      return forget(key)
    }
    uses[key] = count - 1
  }

  /// Drops new ids that no effect uses.
  ///
  /// Such ids were named because an action canceled effects under them.
  mutating func forgetCancelled() {
    for key in introduced where uses[key] == nil { forget(key) }
    introduced = []
  }

  mutating func removeNames() { names.removeAll() }

  private mutating func forget(_ key: Key) {
    names.remove(key)
    if case .logged(let name) = key.identity { logged.remove(name) }
  }
}
