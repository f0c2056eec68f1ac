/// The ids of one kind that are in use, and their names in a log.
///
/// An id of the running code is identified by its value. An id that only a log describes is identified by its text and
/// number. Ids with the same text get numbers. An id that equals one in use gets that one's text.
struct NamedIDs<Logged: LoggedIdentities>: Sendable {
  typealias Text = Logged.Text
  typealias Name = NumberedName<Text>

  /// An id of the running code, or an id that a log describes.
  ///
  /// The number of a described id stays the same when a checkpoint renumbers ids.
  enum Identity: Hashable, Sendable {
    case live(Logged.Identity)
    case logged(Name)
  }

  /// An identity with its cached hash.
  ///
  /// Schedules look up the same keys repeatedly, and hashing a tree is slow.
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
  /// The ids that are known only from descriptions.
  private var logged = Logged()
  /// The number of uses of each id.
  private var uses: [Key: Int] = [:]
  /// The ids that were named for effects that have not started.
  private var introduced: Set<Key> = []
}

extension NamedIDs {
  /// Names an id of the running code.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - text: The id's text.
  ///   - hint: The name that the recording has at this position. Its number is reused if possible.
  /// - Returns: The name.
  mutating func named(_ id: Logged.Identity, _ text: Text, like hint: Name?) -> Name {
    let key = key(of: id, text, like: hint)
    let isAlike = hint?.text == text || hint != nil && hint?.text == names[key]?.text
    introduced.insert(key)
    return names.name(of: key, text, preferring: isAlike ? hint?.number : nil)
  }

  /// Returns the key of an id of the running code.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - text: The id's text.
  ///   - hint: The name that the recording has at this position.
  /// - Returns: The key of the described id that equals it, or a key of its own.
  mutating func key(of id: Logged.Identity, _ text: Text, like hint: Name?) -> Key {
    let key = Key(.live(id))
    if !logged.isEmpty, uses[key] == nil,
      let name = logged.name(of: id, text, like: hint.map { loggedName(of: $0) })
    {
      return Key(.logged(name))
    }
    return key
  }

  /// Returns the running code's id for a key, or `nil` if the code has not named it.
  func identity(of key: Key) -> Logged.Identity? {
    switch key.identity {
    case .live(let id): id
    case .logged(let name): logged.identity(of: name)
    }
  }

  /// Returns the key of the id that a log describes by a name.
  func key(of name: Name) -> Key {
    if let known = names.key(named: name) { return known }
    // A checkpoint may have given another number to the id that had this one.
    var name = name
    while uses[Key(.logged(name))] != nil { name.number += 1 }
    return Key(.logged(name))
  }

  /// Returns the described id for a name.
  ///
  /// The number is 0 if no such id is in use.
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

  /// Adopts the name in a description, so that later descriptions without identities refer to the same id.
  mutating func setName(of key: Key, to name: Name) {
    if uses[key] != nil, names[key] != name { names.assign(key, to: name) }
  }

  /// Removes one use of an id, and drops the id if it has no other use.
  mutating func release(_ key: Key) {
    guard let count = uses[key], count > 1 else {
      uses[key] = nil
      return forget(key)
    }
    uses[key] = count - 1
  }

  /// Drops ids that were named and not retained, because an action only cancelled them.
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
