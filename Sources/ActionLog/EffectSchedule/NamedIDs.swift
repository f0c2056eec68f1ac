/// Ids of one kind that are in use: which ones are the same, and how a log names them.
///
/// An id of the running code is known by the id itself, and one that only a log describes by its text and number. Ids that print
/// alike get numbers. An id that equals one in use gets that one's text.
struct NamedIDs<Logged: LoggedIdentities>: Sendable {
  typealias Text = Logged.Text
  typealias Name = NumberedName<Text>

  /// An id of the running code, or one that a log describes, with a number that it keeps when a checkpoint numbers ids anew.
  enum Identity: Hashable, Sendable {
    case live(Logged.Identity)
    case logged(Name)
  }

  /// An identity with its hash: a schedule looks for the same ones several times, and to hash a tree takes long.
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
  /// The ids that are known from descriptions alone.
  private var logged = Logged()
  /// How often each id is in use.
  private var uses: [Key: Int] = [:]
  /// The ids that were named for effects that have not started yet.
  private var introduced: Set<Key> = []
}

extension NamedIDs {
  /// Names an id of the running code.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - text: How it prints.
  ///   - hint: The name that the recording has in its place. Its number is taken over where that is possible.
  /// - Returns: The name.
  mutating func named(_ id: Logged.Identity, _ text: Text, like hint: Name?) -> Name {
    let key = key(of: id, text, like: hint)
    let isAlike = hint?.text == text || hint != nil && hint?.text == names[key]?.text
    introduced.insert(key)
    return names.name(of: key, text, preferring: isAlike ? hint?.number : nil)
  }

  /// The key of an id of the running code.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - text: How it prints.
  ///   - hint: The name that the recording has in its place.
  /// - Returns: The key.
  mutating func key(of id: Logged.Identity, _ text: Text, like hint: Name?) -> Key {
    let key = Key(.live(id))
    if !logged.isEmpty, uses[key] == nil,
      let name = logged.name(of: id, text, like: hint.map { loggedName(of: $0) })
    {
      return Key(.logged(name))
    }
    return key
  }

  /// The id of the running code with a key; `nil` where the code has not named it.
  func identity(of key: Key) -> Logged.Identity? {
    switch key.identity {
    case .live(let id): id
    case .logged(let name): logged.identity(of: name)
    }
  }

  /// The key of an id that a log describes: the id with this name.
  func key(of name: Name) -> Key {
    if let known = names.key(named: name) { return known }
    // A checkpoint may have given another number to the id that had this one.
    var name = name
    while uses[Key(.logged(name))] != nil { name.number += 1 }
    return Key(.logged(name))
  }

  /// The id of the log that a name means; with the number 0 if it is none that is in use.
  private func loggedName(of name: Name) -> Name {
    if case .logged(let known)? = names.key(named: name)?.identity { return known }
    return Name(text: name.text, number: 0)
  }

  /// Begins a use of an id.
  ///
  /// - Parameters:
  ///   - key: The id.
  ///   - isDescribed: Whether it is known from a description alone.
  ///   - name: Its name in the description.
  mutating func retain(_ key: Key, isDescribed: Bool, as name: Name) {
    uses[key, default: 0] += 1
    if isDescribed, case .logged(let name) = key.identity { logged.insert(name) }
    setName(of: key, to: name)
  }

  /// Takes over the name that a description has, so that descriptions without ids find what is meant.
  mutating func setName(of key: Key, to name: Name) {
    if uses[key] != nil, names[key] != name { names.set(key, to: name) }
  }

  /// Ends one use of an id, which is forgotten if it has no other.
  mutating func release(_ key: Key) {
    guard let count = uses[key], count > 1 else {
      uses[key] = nil
      return forget(key)
    }
    uses[key] = count - 1
  }

  /// Forgets ids that were named and not retained: those that an action has only cancelled.
  mutating func forgetCancelled() {
    for key in introduced where uses[key] == nil { forget(key) }
    introduced = []
  }

  /// Forgets all names.
  mutating func removeNames() { names.removeAll() }

  private mutating func forget(_ key: Key) {
    names.remove(key)
    if case .logged(let name) = key.identity { logged.remove(name) }
  }
}
