/// The paths of all values in a log, each with a sample, to show users what a log reveals.
///
/// All elements of an array share one path with the token `*`. An object with more than 100 names is probably a
/// dictionary, so its further members share one path, too.
package struct LogPathInventory {
  /// A part of the log in which paths start.
  package enum Section: String, CaseIterable, Sendable {
    case state, action, read, call, effect, note, header, other
  }

  /// A path, and information about the values at that path.
  package struct PathSummary: Sendable, Equatable {
    package let section: Section
    /// The path as a pattern for the `mask` command.
    package let path: String
    /// The JSON kinds of the values at the path.
    package let kinds: [String]
    package let count: Int
    /// Whether a mask in the log's header covers a value at the path.
    package let isMasked: Bool
    /// The first value that looks secret, or otherwise the first value that is not empty.
    package let sample: JSON
    /// The kinds of secrets that unmasked values at the path suggest.
    ///
    /// A value suggests a secret by its form, by a name in its path, or by the form of its members' names. The kind
    /// `name` is listed only if no other kind is.
    package let looks: [SecretKind]
    /// The number of strings and names that contain a masked string in a form that masks don't find.
    package let remaining: Int

    /// Whether a pattern matches the path or one of its prefixes.
    package func isCovered(by patterns: [MaskPath]) -> Bool {
      var match = MaskPathMatcher(patterns)
      for token in MaskPath(path).tokens where match.complete.isEmpty {
        switch token {
        case .name(let name): match = match.descend(name)
        // The token stands for all elements. A pattern with a single index doesn't match it.
        case .any, .anyNumber: match = match.descend("*")
        }
      }
      return !match.complete.isEmpty
    }
  }

  private var roots: [Section: InventoryNode] = [:]
  private var masks = LogMasks()
  private let remainders: UnmaskedFormSearch?

  /// Creates an inventory without paths.
  ///
  /// - Parameter remainders: A search for forms of masked strings that masks don't find, or `nil` for none.
  package init(searching remainders: UnmaskedFormSearch? = nil) { self.remainders = remainders }

  /// The paths, ordered by section and first occurrence.
  package var entries: [PathSummary] {
    Section.allCases.flatMap { section -> [PathSummary] in
      var entries: [PathSummary] = []
      roots[section]?.collect(into: &entries, section, [])
      return entries
    }
  }

  /// Adds the paths and values in an event.
  package mutating func add(_ event: LogEvent) {
    switch event {
    case .header(let header):
      masks = header.masked ?? LogMasks()
      if let app = header.app { add(app, at: ["app"], in: .header) }
      add(.string(header.startedAt), at: ["startedAt"], in: .header)
      add(header.environment, at: ["environment"], in: .header)
      if !header.scope.isEmpty { add(.array(header.scope), at: ["scope"], in: .header) }
      add(header.rest, in: .header)
    case .checkpoint(let checkpoint):
      add(checkpoint.state, in: .state)
      for effect in checkpoint.effects { add(effect) }
    case .action(let action):
      add(action.action, in: .action)
      add(action.rest, in: .other)
    case .read(let read): add(read.value, at: [read.key], in: .read)
    case .change, .external, .excluded:
      guard let change = event.stateChange else { break }
      add(change.patch)
      for effect in change.effects { add(effect) }
    case .effect(let effect):
      if case .failed(let error) = effect.event { add(error, at: ["error"], in: .effect) }
    case .call(let call):
      for (tokens, value) in call.values { add(value, at: [call.key] + tokens, in: .call) }
    case .gap(let gap): add(.string(gap.reason), at: ["gap"], in: .note)
    case .note(let note): add(.string(note.text), at: ["text"], in: .note)
    case .finding(let finding):
      for (name, value) in [("expected", finding.expected), ("actual", finding.actual)] {
        if let value { add(value, at: ["finding", name], in: .other) }
      }
      if let text = finding.message { add(.string(text), at: ["finding", "message"], in: .other) }
    case .withheld, .end: break
    case .unknown(let kind, let object): add(.object(object), at: [kind], in: .other)
    }
  }

  private mutating func add(_ members: JSON.Object, in section: Section) {
    for (name, value) in members { add(value, at: [name], in: section) }
  }

  private mutating func add(_ effect: EffectDescription) {
    for effect in effect.flattened {
      if let action = effect.action { add(action, in: .action) }
      if let name = effect.name { add(.string(name), at: ["name"], in: .effect) }
      if let input = effect.input { add(input, at: ["input"], in: .effect) }
      if let id = effect.cancelID {
        add(id.value, at: ["cancelID", id.type], in: .effect)
        if let own = id.ownSpelling {
          add(own.text.value, at: ["cancelID", own.text.type], in: .effect)
        }
      }
    }
  }

  private mutating func add(_ patch: JSON.Patch) {
    for operation in patch.operations {
      switch operation {
      case .add(let path, let value), .replace(let path, let value), .test(let path, let value):
        add(value, at: path.tokens, in: .state)
      case .splice(let path, let splice): add(.string(splice.inserted), at: path.tokens, in: .state)
      // The values that these operations affect are already in the inventory, at other paths.
      case .remove, .move, .copy: break
      }
    }
  }

  private mutating func add(_ value: JSON, at tokens: [String] = [], in section: Section) {
    var paths = LogMasks.Subject(rawValue: section.rawValue).map { masks.paths(in: $0) } ?? []
    if section == .state { paths += masks.omitted }
    let root = roots[section] ?? InventoryNode(remainders)
    roots[section] = root
    var node = root
    var match = MaskPathMatcher(paths)
    var isMasked = !match.complete.isEmpty
    for token in tokens where token != "$some" {
      match = match.descend(token)
      isMasked = isMasked || !match.complete.isEmpty
      node = node.child(token, isElement: node.isArray && section == .state)
    }
    // The key of a read or an endpoint is not the name of a member.
    let names = section == .read || section == .call ? tokens.dropFirst() : tokens[...]
    let isSecret = names.contains { SecretKind.isNameOfSecret($0) }
    node.add(value, match, isMasked, isSecret: isSecret)
  }
}

extension LogPathInventory {
  /// A path in a section, with the paths that extend it.
  private final class InventoryNode {
    private var names: [String] = []
    private var children: [String: InventoryNode] = [:]
    private var elements: InventoryNode?
    private var kinds: [String] = []
    private var count = 0
    private var sample = JSON.null
    private var isMasked = false
    private var looks: [SecretKind] = []
    /// Whether a value at the path was an array.
    private(set) var isArray = false
    private let remainders: UnmaskedFormSearch?
    private var remaining = 0

    init(_ remainders: UnmaskedFormSearch?) { self.remainders = remainders }

    /// The maximum number of an object's members that have paths of their own.
    ///
    /// An object with more members is probably a dictionary.
    private static let maximumNames = 100

    func child(_ name: String, isElement: Bool) -> InventoryNode {
      if let child = children[name], !isElement { return child }
      if isElement || names.count >= Self.maximumNames {
        let node = elements ?? InventoryNode(remainders)
        elements = node
        return node
      }
      let node = InventoryNode(remainders)
      names.append(name)
      children[name] = node
      return node
    }

    /// Adds a value at this node's path.
    ///
    /// - Parameters:
    ///   - value: The value to add.
    ///   - match: The complete and partial matches of the masks at the path.
    ///   - isInMasked: Whether the path lies within a masked one.
    ///   - isSecret: Whether an enclosing member has a name that secrets usually have.
    func add(_ value: JSON, _ match: MaskPathMatcher, _ isInMasked: Bool, isSecret: Bool) {
      let isInMasked = isInMasked || !match.complete.isEmpty
      switch value {
      case .object(let object) where !object.isEmpty:
        if object.firstKey == "$some", let inner = object.values.first {
          return add(inner, match, isInMasked, isSecret: isSecret)
        }
        if let tag = object.firstKey, tag.hasPrefix("$"), !tag.hasPrefix("$$") {
          return record(value, String(tag.dropFirst()), isInMasked, isSecret)
        }
        for (name, member) in object {
          recordSecretKind(of: name, JSON.string(name), isInMasked)
          child(name, isElement: false).add(
            member,
            match.descend(name),
            isInMasked,
            isSecret: isSecret || SecretKind.isNameOfSecret(name)
          )
        }
      case .array(let parts) where !parts.isEmpty:
        isArray = true
        for (index, part) in parts.enumerated() {
          child("*", isElement: true).add(
            part,
            match.descend("\(index)"),
            isInMasked,
            isSecret: isSecret
          )
        }
      default:
        if value.array != nil { isArray = true }
        record(value, value.kind, isInMasked, isSecret)
      }
    }

    private func record(_ value: JSON, _ kind: String, _ isInMasked: Bool, _ isSecret: Bool) {
      count += 1
      isMasked = isMasked || isInMasked
      if !kinds.contains(kind) { kinds.append(kind) }
      if let text = value.string { recordSecretKind(of: text, value, isInMasked) }
      if sample.isEmpty { sample = value }
      if isSecret, !isInMasked, !value.isEmpty, value.bool == nil, !isSubstitute(value),
        !looks.contains(.name)
      {
        if looks.isEmpty { sample = value }
        looks.append(.name)
      }
    }

    private func isSubstitute(_ value: JSON) -> Bool { value.string?.isMaskSubstitute == true }

    /// Records the kind of secret that a string or a member's name looks like, unless the value is masked.
    private func recordSecretKind(of text: String, _ value: JSON, _ isInMasked: Bool) {
      if !isInMasked, remainders?.areFound(in: text) == true { remaining += 1 }
      guard !isInMasked, let look = SecretKind.of(text), !looks.contains(look) else { return }
      if looks.isEmpty { sample = value }
      looks.append(look)
    }

    func collect(into entries: inout [PathSummary], _ section: Section, _ tokens: [String]) {
      if count > 0 || !looks.isEmpty || remaining > 0 {
        entries.append(
          PathSummary(
            section: section,
            path: tokens.map { "/" + $0 }.joined(),
            kinds: kinds,
            count: count,
            isMasked: isMasked,
            sample: sample,
            // The form of a value says more than the name of its member.
            looks: looks.count > 1 ? looks.filter { $0 != .name } : looks,
            remaining: remaining
          )
        )
      }
      for name in names {
        children[name]?.collect(into: &entries, section, tokens + [MaskPath.escaped(name)])
      }
      elements?.collect(into: &entries, section, tokens + ["*"])
    }
  }
}

extension JSON {
  /// Whether the value is `null`, an empty string, or an empty container.
  fileprivate var isEmpty: Bool { self == .null || self == "" || self == [] || self == [:] }
}
