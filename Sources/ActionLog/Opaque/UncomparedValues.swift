import Foundation

/// The values that a log holds incompletely, without duplicates at the same path.
///
/// These values are found by the tags `$opaque` and `$error`. An app can't write such names, because a second dollar
/// sign is added to the app's own names that start with one.
package struct UncomparedValues: Sendable {
  private var roots: [ValueRoot: ValueNode] = [:]
  private var count = 0
  /// The opaque values that were added since the last call of `consumeNew()`.
  private var new: [UncomparedValue] = []
  /// The kinds of the tokens in the paths of patches, for each path with `*` in place of tokens of digits.
  ///
  /// `true` means that a token is an array index.
  private var indexes: [JSON.Pointer: [Bool]] = [:]

  private struct ValueRoot: Hashable {
    let part: UncomparedValue.LogSection
    let owner: String?
  }

  /// Whether the collection is limited to errors whose values are in the log, but whose types this build lacks.
  private var asksThisBuild = false

  package init() {}

  /// Returns the errors in a value that this build decodes as `LoggedError`, although the log contains their values.
  package static func errorsOfUnknownTypes(
    in value: JSONText,
    _ part: UncomparedValue.LogSection,
    of owner: String? = nil
  ) -> [UncomparedValue] {
    if let text = value.text, !mayStand(in: text) { return [] }
    var values = UncomparedValues()
    values.asksThisBuild = true
    values.add(value.json, in: part, of: owner)
    return values.list(.error)
  }

  /// The maximum number of stored values, which limits memory.
  private static let most = 1000
  /// The maximum number of values that `consumeNew()` returns.
  private static let mostNew = 16

  /// Returns and clears the opaque values that were added since the last call, in the order in which they were added.
  package mutating func consumeNew() -> [UncomparedValue] {
    defer { new = [] }
    return new
  }

  /// Returns the values of one kind, ordered by part, owner, and path.
  package func list(_ kind: UncomparedValue.Kind) -> [UncomparedValue] {
    var values: [UncomparedValue] = []
    for (root, node) in roots {
      node.collect(into: &values, []) { place, entry in
        UncomparedValue(
          entry.kind,
          in: root.part,
          of: root.owner,
          at: place,
          type: entry.type,
          reason: entry.reason
        )
      }
    }
    return values.filter { $0.kind == kind }.sorted()
  }

  /// Adds a value, unless the maximum number of values is reached or the same value is already at its path.
  ///
  /// - Returns: Whether the value was added.
  @discardableResult
  package mutating func insert(_ value: UncomparedValue) -> Bool {
    let entry = ValueNode.UncomparedType(kind: value.kind, type: value.type, reason: value.reason)
    return insert(entry, in: value.part, of: value.owner, at: value.place.tokens)
  }

  @discardableResult
  private mutating func insert(
    _ entry: ValueNode.UncomparedType,
    in part: UncomparedValue.LogSection,
    of owner: String?,
    at tokens: [String]
  ) -> Bool {
    guard count < Self.most else { return false }
    let place = tokens.filter { $0 != "$some" }
    let isNew = roots[ValueRoot(part: part, owner: owner), default: ValueNode()].insert(
      entry,
      at: place[...]
    )
    guard isNew else { return false }
    count += 1
    if entry.kind == .opaque, new.count < Self.mostNew {
      new.append(
        UncomparedValue(
          .opaque,
          in: part,
          of: owner,
          at: JSON.Pointer(place),
          type: entry.type,
          reason: entry.reason
        )
      )
    }
    return true
  }
}

extension UncomparedValues {
  /// A node in the tree of paths, with the values at its path.
  private struct ValueNode: Sendable {
    /// An incompletely logged value, without its path.
    struct UncomparedType: Sendable, Hashable {
      let kind: UncomparedValue.Kind
      let type: String
      let reason: String?
    }

    private var names: [String: ValueNode] = [:]
    private var entries: Set<UncomparedType> = []
    /// Whether the names are the keys of a dictionary, which share one node.
    private var isDictionary = false

    /// The maximum number of incompletely logged members of a type.
    ///
    /// If a node has more names, they are the keys of a dictionary.
    private static let mostNames = 32

    mutating func insert(_ entry: UncomparedType, at tokens: ArraySlice<String>) -> Bool {
      guard let first = tokens.first else { return entries.insert(entry).inserted }
      let token = isDictionary ? "*" : first
      if names[token] == nil, names.count >= Self.mostNames {
        join()
        return insert(entry, at: tokens)
      }
      return names[token, default: ValueNode()].insert(entry, at: tokens.dropFirst())
    }

    /// Merges the child nodes of all names into one for the token `*`.
    private mutating func join() {
      var all = ValueNode()
      for node in names.values { all.merge(node) }
      names = ["*": all]
      isDictionary = true
    }

    private mutating func merge(_ other: ValueNode) {
      entries.formUnion(other.entries)
      isDictionary = isDictionary || other.isDictionary
      for (name, node) in other.names { names[name, default: ValueNode()].merge(node) }
      if isDictionary, names.count > 1 { join() }
    }

    func collect(
      into values: inout [UncomparedValue],
      _ tokens: [String],
      _ make: (JSON.Pointer, UncomparedType) -> UncomparedValue
    ) {
      for entry in entries { values.append(make(JSON.Pointer(tokens), entry)) }
      for (name, node) in names { node.collect(into: &values, tokens + [name], make) }
    }
  }
}

// MARK: - Finding values in a log

extension UncomparedValues {
  /// Whether the text of events could contain a value that is logged incompletely.
  package static func mayStand(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let base = text.baseAddress else { return false }
    var position = 0
    while let found = memchr(base + position, Int32(UInt8(ascii: "$")), text.count - position) {
      position = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
      let rest = UnsafeBufferPointer(rebasing: text[position...])
      if rest.starts(with: "opaque\"".utf8) || rest.starts(with: "error\"".utf8) { return true }
    }
    return false
  }

  /// The length of the longest tag, `$opaque` with its closing quote, in bytes.
  package static let longestTag = 8

  /// Adds the values in an event.
  ///
  /// Ignores lines that are not events.
  ///
  /// - Parameters:
  ///   - line: The event's line in UTF-8.
  ///   - last: The number of the last action whose values are added.
  ///   - state: A closure that returns the state before the event, or `nil` if the state is unknown. The state
  ///     determines whether a token of digits is a key or an index.
  package mutating func add(
    line: UnsafeBufferPointer<UInt8>,
    through last: Int = .max,
    after state: () -> JSON? = { nil }
  ) {
    guard Self.mayStand(in: line), let event = try? JSON(parsing: line) else { return }
    if let seq = event["seq"]?.int, seq > last { return }
    switch event["kind"]?.string {
    case "checkpoint":
      add(event["state"], in: .state)
      addEffects(event["effects"])
    case "action": add(event["action"], in: .action)
    case "read": add(event["value"], in: .read, of: event["key"]?.string)
    case "change", "external", "excluded":
      let operations = (event["patch"]?.array ?? []).compactMap { json in
        try? JSON.Patch.Operation(json: json)
      }
      for (number, operation) in operations.enumerated() {
        guard let value = operation.value, value.holdsOpaque else { continue }
        add(value, in: .state, at: writtenPath(of: operation, after: operations[..<number], state))
      }
      addEffects(event["effects"])
    case "effect": add(event["error"], in: .error, of: event["id"]?.string)
    default: break
    }
  }

  /// Returns the path to which an operation writes, with `*` for each index.
  ///
  /// If the container is unknown, tokens of digits are indexes.
  private mutating func writtenPath(
    of operation: JSON.Patch.Operation,
    after operations: ArraySlice<JSON.Patch.Operation>,
    _ state: () -> JSON?
  ) -> [String] {
    let anyElement = operation.path.anyElement
    guard anyElement.tokens.contains(where: { $0 == "*" || $0 == "-" }) else {
      return anyElement.tokens
    }
    if indexes[anyElement] == nil, var state = state() {
      var copies = JSON.Patch.CopyBudget()
      _ = JSON.Patch(Array(operations)).failure(on: &state, &copies)
      indexes[anyElement] = operation.path.tokens.indices.map { depth in
        state[JSON.Pointer(Array(operation.path.tokens[..<depth]))]?.object == nil
      }
    }
    guard let isIndex = indexes[anyElement] else {
      return anyElement.tokens.map { $0 == "-" ? "*" : $0 }
    }
    return operation.path.tokens.indices.map { isIndex[$0] ? "*" : operation.path.tokens[$0] }
  }

  private mutating func addEffects(_ effects: JSON?) {
    for effect in effects?.array ?? [] {
      add(effect["action"], in: .action)
      let name = effect["name"]?.string ?? effect["source"]?.string ?? effect["op"]?.string
      add(effect["input"], in: .input, of: name)
      if let id = effect["cancelID"] { add(id["value"], in: .cancelID, of: id["type"]?.string) }
      addEffects(effect["effects"])
    }
  }

  private mutating func add(
    _ value: JSON?,
    in part: UncomparedValue.LogSection,
    of owner: String? = nil,
    at tokens: [String] = []
  ) {
    guard let value else { return }
    var tokens = tokens
    visit(value, &tokens) { insert($0, in: part, of: owner, at: $1) }
  }

  private func visit(
    _ value: JSON,
    _ tokens: inout [String],
    _ found: (ValueNode.UncomparedType, [String]) -> Void
  ) {
    switch value {
    case .array(let elements):
      tokens.append("*")
      for element in elements { visit(element, &tokens, found) }
      tokens.removeLast()
    case .object(let object):
      guard let tag = object.firstKey, tag.hasPrefix("$"), !tag.hasPrefix("$$") else {
        for (name, member) in object {
          tokens.append(name)
          visit(member, &tokens, found)
          tokens.removeLast()
        }
        return
      }
      guard let content = object[tag] else { return }
      switch tag {
      case "$opaque":
        // The header already lists the paths that masks omit.
        guard !asksThisBuild, let type = content.string, value != LogMasker.omission else { return }
        let reason = object["reason"]?.string
        found(ValueNode.UncomparedType(kind: .opaque, type: type, reason: reason), tokens)
      case "$error":
        guard let type = content["type"]?.string else { return }
        if let inner = content["value"] {
          guard asksThisBuild, LogDecoder.losesType(ofError: content) else {
            return visit(inner, &tokens, found)
          }
          let reason = UncomparedValue.isUnknownHere
          found(ValueNode.UncomparedType(kind: .error, type: type, reason: reason), tokens)
        } else if !asksThisBuild {
          found(ValueNode.UncomparedType(kind: .error, type: type, reason: nil), tokens)
        }
      case "$some": visit(content, &tokens, found)
      default: return
      }
    default: return
    }
  }
}
