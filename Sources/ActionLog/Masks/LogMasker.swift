/// A filter that removes masked values from events before the events are written.
///
/// A value that a path names is replaced with a substitute. The masker also removes such a value from other strings
/// that contain it: error descriptions, cancellation ids, effect inputs, notes, dictionary keys, and copies.
package struct LogMasker: Sendable {
  let masks: LogMasks
  private let key: SubstituteHashKey
  let names: MaskedTexts.NameDetection
  private(set) var texts: MaskedTexts
  /// The paths in actions, reads, and calls at which a masked value was found.
  ///
  /// Later values at these paths are masked, too.
  private var carriers: [LogMasks.Subject: [MaskPath]] = [:]
  private var matched: [LogMasks.Subject: Set<Int>] = [:]
  /// The paths that show a masked string because the raw value of an enum contains it.
  package internal(set) var rawPlaces: [MaskedRawValuePath] = []
  /// The version up to which learned values are replaced.
  ///
  /// Values that the masker learned after this version stay visible.
  private var lastVersion = Int.max

  /// Creates a masker for one log, with its own secret.
  ///
  /// - Parameters:
  ///   - masks: The paths to mask.
  ///   - secret: The key for substitutes. If `nil`, a random one is generated.
  ///   - capacity: The maximum number of stored masked values. Applied when `forget(besides:)` is called.
  ///   - isMarked: Whether values are encoded with marks, which distinguish names that are data from names of members.
  package init(
    _ masks: LogMasks,
    secret: (UInt64, UInt64)? = nil,
    remembering capacity: Int = MaskedTexts.defaultCapacity,
    isMarked: Bool = false
  ) {
    self.masks = masks
    names = isMarked ? .marked : .guessed
    texts = MaskedTexts(capacity: capacity)
    key = secret.map { SubstituteHashKey($0.0, $0.1) } ?? SubstituteHashKey()
  }

  /// A number that grows whenever the masker learns a value.
  ///
  /// While the version stays the same, the same strings and numbers are replaced in all events.
  package var version: Int { texts.version }

  /// Returns the strings that the masker learned after a version and that are long enough to search for.
  package func texts(since version: Int) -> [[UInt8]] {
    texts.newer(than: version).map(\.text).filter { $0.count >= MaskedTexts.minimumLength }
  }

  /// All strings that the masker has learned, in UTF-8.
  package var knownTexts: [[UInt8]] { texts.newer(than: 0).map(\.text) }

  /// Whether the number of stored values exceeds the capacity.
  package var isOverfull: Bool { texts.isOverfull }

  /// Drops the oldest masked values, except those at masked paths in `state`.
  package mutating func forget(besides state: JSON) {
    var standing = LogMasker(masks, secret: (0, 0), remembering: .max, isMarked: names == .marked)
    _ = standing.mask(state, standing.rootPath(in: .state), in: .state)
    texts.forget(besides: standing.texts)
  }

  /// The masks that have not matched any value so far.
  package var unmatched: [(subject: LogMasks.Subject, path: MaskPath)] {
    LogMasks.Subject.allCases.flatMap { subject in
      masks.paths(in: subject).enumerated()
        .filter { matched[subject]?.contains($0.offset) != true }
        .map { (subject, $0.element) }
    }
  }

  /// Masks all parts of an event.
  ///
  /// - Parameter event: The event to mask.
  /// - Returns: The event without masked values.
  package mutating func masked(_ event: LogEvent) -> LogEvent {
    var event = event
    mask(&event)
    return event
  }

  private mutating func mask(_ event: inout LogEvent) {
    switch event {
    // A withheld action contains no values, only names of cases.
    case .end, .withheld: break
    case .header(var header):
      header.scope = header.scope.map { clean($0) }
      header.app = header.app.map { clean($0) }
      event = .header(header)
    case .finding(var finding):
      finding.subject = clean(finding.subject)
      finding.expected = finding.expected.map { clean(mask($0, readBy: finding)) }
      finding.actual = finding.actual.map { clean(mask($0, readBy: finding)) }
      finding.message = finding.message.map { clean($0) }
      event = .finding(finding)
    case .unknown(let kind, let object):
      // The value of `kind` is part of the format and is never masked.
      let members = object.map { name, value in
        name == "kind" ? (key: name, value: value) : (key: cleanName(name), value: clean(value))
      }
      event = .unknown(kind: kind, JSON.Object(members: members))
    case .checkpoint(var checkpoint):
      checkpoint.state = masked(state: checkpoint.state)
      checkpoint.effects = masked(checkpoint.effects)
      checkpoint.shared = checkpoint.shared.map { masked(shared: $0, of: checkpoint.state) }
      event = .checkpoint(checkpoint)
    case .action(var action):
      action.action = mask(action.action, in: .action)
      action.shared = action.shared.map { masked(shared: $0, of: action.action) }
      event = .action(action)
    case .read(var read):
      let value = mask(read.value, readBy: read.key)
      read.value = clean(value)
      read.key = clean(read.key)
      event = .read(read)
    case .change, .external, .excluded:
      guard var change = event.stateChange else { break }
      change.effects = masked(change.effects)
      change.patch = masked(change.patch) ?? JSON.Patch()
      change.shared = nil
      event.stateChange = change
    case .effect(var effect):
      if case .failed(let error) = effect.event { effect.event = .failed(clean(error)) }
      event = .effect(effect)
    case .call(let call): event = .call(masked(call))
    case .gap(var gap):
      gap.reason = clean(gap.reason)
      event = .gap(gap)
    case .note(var note):
      note.text = clean(note.text)
      event = .note(note)
    }
  }

  /// Returns the effects without masked values.
  package mutating func masked(_ effects: [EffectDescription]) -> [EffectDescription] {
    effects.map { mask($0) }
  }

  private mutating func mask(_ value: JSON, readBy key: String) -> JSON {
    let masked = maskParts(of: value, readBy: key)
    recordRawValuePaths(in: masked, .read, [.name(key)])
    return masked
  }

  private mutating func maskParts(of value: JSON, readBy key: String) -> JSON {
    let place = rootPath(in: .read).descend(key)
    // The fact that the call threw an error isn't secret, because a replay has to throw, too.
    if !place.match.complete.isEmpty, let (outcome, payload) = value.outcome {
      return [outcome: ["_0": mask(payload, place, in: .read)]]
    }
    return mask(value, place, in: .read)
  }

  /// Returns a call without masked values.
  ///
  /// Also masks all later values at the paths where this call contains a masked value.
  private mutating func masked(_ call: LogEvent.Call) -> LogEvent.Call {
    recordCarriers(in: call)
    for place in answers(in: call) { matched[.read, default: []].formUnion(place.match.complete) }
    let masked = zip(places(of: call), call.values).map { mask($1.value, $0, in: .call) }
    // At this point, all values have been learned, so each of them is also removed from the others.
    var values = masked.map { clean($0) }[...]
    var call = call
    call.key = clean(call.key)
    call.arguments = Array(values.prefix(call.arguments.count))
    values = values.dropFirst(call.arguments.count)
    switch call.outcome {
    case .returned: call.outcome = values.first.map { .returned($0) }
    case .threw: call.outcome = values.first.map { .threw($0) }
    case nil: break
    }
    return call
  }

  /// Masks the expected or actual value of a finding, which can be the value of a read.
  private mutating func mask(_ value: JSON, readBy finding: LogEvent.Finding) -> JSON {
    switch finding.code {
    case .unusedRead, .unrecordedRead, .undecodable: mask(value, readBy: finding.subject)
    default: value
    }
  }

  private mutating func mask(_ effect: EffectDescription) -> EffectDescription {
    var effect = effect
    effect.action = effect.action.map { mask($0, in: .action) }
    let inputPlace = rootPath(in: .effect).descend("input")
    // Masking and cleaning are separate statements, because cleaning uses the values that masking has learned.
    let input = effect.input.map { mask($0, inputPlace, in: .effect) }
    if let input { recordRawValuePaths(in: input, .effect, [.name("input")]) }
    effect.input = input.map { clean($0) }
    effect.name = effect.name.map { clean($0) }
    if var id = effect.cancelID {
      id.value = clean(id.value)
      id.path = id.path.map { clean($0) }
      if let own = id.ownSpelling {
        id.ownSpelling?.text.value = clean(own.text.value)
        id.ownSpelling?.path = own.path.map { clean($0) }
      }
      effect.cancelID = id
    }
    effect.effects = effect.effects.map { mask($0) }
    effect.rest = cleaned(effect.rest)
    return effect
  }

  /// Returns an object without masked values in its members.
  package func cleaned(_ object: JSON.Object) -> JSON.Object {
    guard !object.isEmpty else { return object }
    return clean(.object(object)).object ?? JSON.Object()
  }
}

extension LogMasker {
  /// Learns the masked values inside a value that is not written to the log.
  package mutating func learn(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) {
    let place = rootPath(in: subject)
    _ = mask(json, key.map { place.descend($0) } ?? place, in: subject)
  }

  /// Returns a value with substitutes at masked paths, and without masked values at other paths.
  private mutating func mask(_ json: JSON, in subject: LogMasks.Subject) -> JSON {
    let result = mask(json, rootPath(in: subject), in: subject)
    recordRawValuePaths(in: result, subject)
    // Masking and cleaning are separate statements, because cleaning uses the values that masking has learned.
    return clean(result)
  }

  /// Returns a state without masked values.
  package mutating func masked(state: JSON) -> JSON { cleaned(state: substituted(state: state)) }

  /// Returns a state with substitutes at masked paths.
  ///
  /// At other paths, the result still contains masked values, which `cleaned(state:)` removes.
  package mutating func substituted(state: JSON) -> JSON {
    mask(state, rootPath(in: .state), in: .state)
  }

  /// Returns the result of `substituted(state:)` without masked values.
  package mutating func cleaned(state: JSON) -> JSON {
    recordRawValuePaths(in: state, .state)
    return clean(state)
  }

  /// Returns a state, masked as at an earlier version of the masker.
  ///
  /// Values that the masker learned later stay visible, except at masked paths.
  package func masked(state: JSON, asOf version: Int) -> JSON {
    var older = self
    older.lastVersion = version
    return older.masked(state: state)
  }

  /// Whether a string equals a masked string that the masker has learned.
  func isKnown(_ text: String) -> Bool { texts.contains(text) }

  /// Masks all later values at a path.
  ///
  /// Ignored if the subject already has `mostCarriers` such paths.
  mutating func addCarrier(_ path: MaskPath, in subject: LogMasks.Subject) {
    guard carriers[subject, default: []].count < Self.mostCarriers else { return }
    if carriers[subject]?.contains(path) != true { carriers[subject, default: []].append(path) }
  }

  /// The maximum number of carriers for each subject.
  ///
  /// Code has few paths that carry secrets, and each of them is checked for every action.
  private static let mostCarriers = 256

  /// Returns the masks that apply at the root of a part of the log.
  func rootPath(in subject: LogMasks.Subject) -> MasksAtPath {
    MasksAtPath(
      match: MaskPathMatcher(masks.paths(in: subject)),
      derived: MaskPathMatcher(carriers[subject] ?? []),
      omissions: MaskPathMatcher(subject == .state ? masks.omitted : [])
    )
  }

  private mutating func mask(
    _ json: JSON,
    _ place: MasksAtPath,
    in subject: LogMasks.Subject
  ) -> JSON {
    // If values are marked, any value can contain marks to remove.
    guard !place.isEmpty || names == .marked else { return json }
    if place.isMasked {
      learn(json, by: place.match.complete, in: subject)
      recordMatches(in: json, place.match, of: subject)
      recordMatches(in: json, place.omissions, of: .omitted)
      return key.substitute(for: json.unmarked)
    }
    let left = place.omissions.complete
    if !left.isEmpty {
      // An omitted value isn't secret, so only the match is recorded.
      learn(nil, by: left, in: .omitted)
      recordMatches(in: json, place.match, of: subject)
      recordMatches(in: json, place.omissions, of: .omitted)
      return Self.omission
    }
    switch json {
    case .object(let object):
      if object.count == 1, let inner = object["$some"] {
        return ["$some": mask(inner, place, in: subject)]
      }
      if let marked = object.markedValue {
        return mask(marked.value, place.adding(marked.paths), in: subject)
      }
      var members = JSON.Object()
      let assigned = object.assignedNames(names)
      // Without marks, only the names in a binding show which property the binding sets.
      let patterns = names == .guessed ? assigned.map { masks.patterns(belowMember: $0) } ?? [] : []
      for (name, value) in object {
        if MaskerMark.secret.text(of: name) != nil {
          texts.insert(value, names: names)
          continue
        }
        let step = place.descend(member: name, assigned)
        let isAssigned = name == JSON.Object.assignedValue
        members[name] = mask(value, isAssigned ? step.adding(patterns) : step, in: subject)
      }
      return .object(members)
    case .array(let elements):
      return .array(
        elements.enumerated().map { index, element in
          mask(element, place.descend(index), in: subject)
        }
      )
    default: return json
    }
  }

  /// Learns a masked value, and records which masks match it.
  private mutating func learn(_ json: JSON?, by masks: [Int], in subject: LogMasks.Subject) {
    matched[subject, default: []].formUnion(masks)
    if let json { texts.insert(json, names: names) }
  }

  /// Records the masks that match a value or its parts.
  ///
  /// Used for a value that another mask covers completely, because `mask` doesn't visit its parts.
  private mutating func recordMatches(
    in json: JSON,
    _ match: MaskPathMatcher,
    of subject: LogMasks.Subject
  ) {
    guard !match.isEmpty, matched[subject, default: []].count < masks.paths(in: subject).count
    else { return }
    matched[subject, default: []].formUnion(match.complete)
    switch json {
    case .object(let object):
      if let marked = object.markedValue {
        return recordMatches(in: marked.value, match, of: subject)
      }
      for (name, value) in object {
        let inner = name == "$some" ? match : match.descend(MaskerMark.removed(from: name))
        recordMatches(in: value, inner, of: subject)
      }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        recordMatches(in: element, match.descend("\(index)"), of: subject)
      }
    default: break
    }
  }

  /// Records the masks that match a patch's value, parts of the value, or the containers on its path.
  private mutating func recordMatches(
    in value: JSON?,
    at path: JSON.Pointer,
    of subject: LogMasks.Subject
  ) {
    var match = MaskPathMatcher(masks.paths(in: subject))
    for token in path.tokens where token != "$some" {
      match = match.descend(MaskerMark.removed(from: token))
      recordMatches(in: .null, match, of: subject)
    }
    if let value { recordMatches(in: value, match, of: subject) }
  }

  /// The value in the log that replaces an omitted one.
  static let omission: JSON = [
    "$opaque": "Value", "reason": "the masks of the log leave it out",
  ]
}

extension LogMasker {
  /// Returns the paths of shared values in a masked state or action, with substitutes for the ids of masked rows.
  package func masked(shared: JSON, of state: JSON) -> JSON {
    switch shared {
    case .array(let elements): return .array(elements.map { masked(shared: $0, of: state) })
    case .object(let object):
      return .object(
        JSON.Object(
          members: object.map { name, value in
            switch name {
            case "at", "from":
              let pointer = value.string.flatMap { try? JSON.Pointer(parsing: $0) }
              let tokens = pointer?.tokens.map { guessedName($0) } ?? []
              return (name, .string(JSON.Pointer(tokens).description))
            case "part": return (name, masked(shared: value, of: state))
            case "id":
              let id = clean(value)
              return (name, state.holds(id) ? id : key.substitute(for: value))
            default: return (name, value)
            }
          }
        )
      )
    default: return shared
    }
  }

  /// Returns a value without masked values and without marks.
  private func clean(_ json: JSON) -> JSON {
    guard !texts.isEmpty || names == .marked else { return json }
    switch json {
    case .null, .bool: return json
    case .number(let number):
      return texts.contains(number, by: lastVersion) ? key.substitute(for: json) : json
    case .string(let text): return .string(MaskerMark.code(of: text) ?? clean(text))
    case .array(let elements): return .array(elements.map { clean($0) })
    case .object(let object):
      if names == .guessed, let bound = object.boundProperty {
        let assignment: JSON = [
          "_0": .string(bound.names), JSON.Object.assignedValue: clean(bound.value),
        ]
        return ["binding": ["_0": ["set": assignment]]]
      }
      return .object(
        JSON.Object(members: object.map { (key: cleanName($0.key), value: clean($0.value)) })
      )
    }
  }

  /// Returns a string without the masked strings that it contains.
  func clean(_ text: String) -> String {
    texts.replaced(in: text, isKey: false, by: key, asOf: lastVersion) ?? text
  }

  private func cleanName(_ name: String) -> String {
    if let data = MaskerMark.data.text(of: name) { return clean(data) }
    guard names == .guessed else { return name }
    return guessedName(name)
  }

  /// Replaces masked strings in a name that can be a member's name or data, because the name has no mark.
  private func guessedName(_ name: String) -> String {
    texts.replaced(in: name, isKey: true, by: key, asOf: lastVersion) ?? name
  }
}

extension LogMasker {
  /// Returns the patch for the masked state, without changes inside masked and omitted values.
  ///
  /// The masker can learn values that are also in unchanged parts of the state. `shows` finds these values.
  ///
  /// - Parameter patch: A patch that the recorder has computed.
  /// - Returns: The patch, or `nil` if the masked state has to be compared instead. This is necessary if the patch
  ///   splices a masked string, or moves array elements that masks name by index.
  package mutating func masked(_ patch: JSON.Patch) -> JSON.Patch? {
    substituted(patch).map { cleaned($0) }
  }

  /// Returns the patch with substitutes at masked paths, or `nil` if the masked state has to be compared instead.
  ///
  /// At other paths, the result still contains masked values, which `cleaned(_:)` removes.
  package mutating func substituted(_ patch: JSON.Patch) -> JSON.Patch? {
    var operations: [JSON.Patch.Operation] = []
    for operation in patch.operations {
      let path = operation.path
      if path.tokens.contains(where: { MaskerMark.secret.text(of: $0) != nil }) {
        // The operation contains the secret value that belongs to a substitute.
        if let value = operation.value { texts.insert(value, names: names) }
        continue
      }
      switch visibility(of: path) {
      case .hidden where operation.isSplice: return nil
      case .hidden(let masks, let steps):
        for subject in [LogMasks.Subject.state, .omitted] {
          recordMatches(in: operation.value, at: path, of: subject)
        }
        // An omitted value isn't secret, so the masker doesn't learn it.
        guard !masks.isEmpty else { continue }
        learn(operation.value, by: masks, in: .state)
        for name in steps { texts.insert(name: name, names: names) }
      case .open(let match, let omissions, let isNumbered):
        let place = MasksAtPath(match: match, derived: MaskPathMatcher([]), omissions: omissions)
        let value = operation.value.map { mask($0, place, in: .state) }
        switch operation {
        case .add where !isNumbered: operations.append(.add(path, value ?? .null))
        case .remove where !isNumbered: operations.append(.remove(path))
        case .move(let from, _) where !isNumbered && from.isBeside(path):
          operations.append(operation)
        case .replace: operations.append(.replace(path, value ?? .null))
        case .test: operations.append(.test(path, value ?? .null))
        // Indexes change, or only the complete string shows which part of it is secret.
        case .add, .remove, .move, .copy, .splice: return nil
        }
      }
    }
    for operation in operations {
      guard let value = operation.value else { continue }
      recordRawValuePaths(in: value, .state, Self.tokens(of: operation.path))
    }
    return JSON.Patch(operations)
  }

  /// Returns the result of `substituted(_:)` without masked values.
  ///
  /// The first operations can contain a value that the masker learned from later ones.
  package func cleaned(_ patch: JSON.Patch) -> JSON.Patch {
    JSON.Patch(patch.operations.map { clean($0) })
  }

  /// Whether the log writes a name in a patch differently because of a value that the masker learned after a version.
  package func changesNames(of patch: JSON.Patch, since version: Int) -> Bool {
    var older = self
    older.lastVersion = version
    return patch.operations.contains { operation in
      operation.paths.contains { $0.tokens.contains { cleanName($0) != older.cleanName($0) } }
    }
  }

  /// Returns the patch from one masked state to another, without names that contain masked values.
  ///
  /// If the old state contains such a name, the patch replaces the top-level member in which the name occurs, or the
  /// complete state if that isn't possible.
  package func patch(from old: JSON, to new: JSON) -> JSON.Patch {
    let patch = JSON.Patch(from: old, to: new)
    let showing = patch.operations.filter { operation in
      operation.paths.contains { $0.tokens.contains { clean($0) != $0 } }
    }
    guard !showing.isEmpty else { return patch }
    let members = Set(showing.map { $0.path.tokens.first })
    guard new.object != nil, !members.contains(nil),
      members.allSatisfy({ name in name.map { clean($0) == $0 && new[$0] != nil } ?? false })
    else { return JSON.Patch([.replace(JSON.Pointer(), new)]) }
    let rest = patch.operations.filter { !members.contains($0.path.tokens.first) }
    let whole = members.compactMap { $0 }.sorted { $0.precedesInBytes($1) }.map {
      JSON.Patch.Operation.replace(JSON.Pointer([$0]), new[$0] ?? .null)
    }
    return JSON.Patch(rest + whole)
  }

  /// The result of comparing a path in the state with the masks.
  private enum PathVisibility {
    /// The path lies inside a masked or omitted value.
    ///
    /// - Parameters:
    ///   - by: The indexes of the masks.
    ///   - below: The tokens from the masked or omitted value to the path's end.
    case hidden(by: [Int], below: ArraySlice<String>)
    /// The value can be written, with masks for its parts.
    ///
    /// - Parameters:
    ///   - omissions: The partial matches of the paths that the app omits.
    ///   - isNumbered: Whether masks name elements of the enclosing array by index.
    case open(MaskPathMatcher, omissions: MaskPathMatcher, isNumbered: Bool)
  }

  private func visibility(of path: JSON.Pointer) -> PathVisibility {
    var match = MaskPathMatcher(masks.state)
    var omissions = MaskPathMatcher(masks.omitted)
    var isNumbered = false
    for (index, token) in path.tokens.enumerated() {
      isNumbered = false
      if match.isEmpty, omissions.isEmpty { break }
      let found = match.complete
      guard found.isEmpty, omissions.complete.isEmpty else {
        return .hidden(by: found, below: path.tokens[index...])
      }
      guard token != "$some" else { continue }
      isNumbered = match.namesElements || omissions.namesElements
      let name = MaskerMark.removed(from: token)
      match = match.descend(name)
      omissions = omissions.descend(name)
    }
    return .open(match, omissions: omissions, isNumbered: isNumbered)
  }

  private func clean(_ operation: JSON.Patch.Operation) -> JSON.Patch.Operation {
    let path = clean(operation.path)
    return switch operation {
    case .add(_, let value): .add(path, clean(value))
    case .replace(_, let value): .replace(path, clean(value))
    case .test(_, let value): .test(path, clean(value))
    case .remove: .remove(path)
    case .move(let from, _): .move(from: clean(from), to: path)
    case .copy(let from, _): .copy(from: clean(from), to: path)
    case .splice: operation
    }
  }

  private func clean(_ path: JSON.Pointer) -> JSON.Pointer {
    texts.isEmpty && names == .guessed
      ? path : JSON.Pointer(path.tokens.map { cleanName($0) })
  }
}

extension LogMasker {
  /// Whether a value that the masker learned after a version is visible in a state.
  ///
  /// Considers only paths that neither a mask nor the patch covers. Returns `true` if there are too many values to
  /// search for.
  ///
  /// - Parameters:
  ///   - version: The masker's version when the state was last logged.
  ///   - state: The state as JSON text.
  ///   - patch: The changes since the state was last logged.
  /// - Returns: Whether a value is visible.
  package func shows(since version: Int, in state: [UInt8], besides patch: JSON.Patch) -> Bool {
    search.shows(since: version, in: state, besides: patch)
  }

  /// Whether a value that the masker learned after a version is visible anywhere in a state.
  ///
  /// Returns `true` if there are too many values to search for.
  package func shows(since version: Int, in state: [UInt8]) -> Bool {
    search.shows(since: version, in: state)
  }

  /// Whether a value that the masker learned after a version may occur in the texts of a filter.
  package func mayShow(since version: Int, in texts: WrittenTextFilter) -> Bool {
    search.mayShow(since: version, in: texts)
  }

  private var search: MaskedTextSearch {
    MaskedTextSearch(masks: masks, texts: texts, names: names)
  }
}

extension JSON {
  /// The name (`success` or `failure`) and payload of a logged `Result`, or `nil` for another value.
  fileprivate var outcome: (name: String, payload: JSON)? {
    guard let object, object.count == 1, let name = object.firstKey,
      name == "success" || name == "failure",
      let payload = object[name]?.object, payload.count == 1, let value = payload["_0"]
    else { return nil }
    return (name, value)
  }

  /// Whether this value equals `value` or contains it.
  fileprivate func holds(_ value: JSON) -> Bool {
    if self == value { return true }
    switch self {
    case .array(let elements): return elements.contains { $0.holds(value) }
    case .object(let object): return object.contains { $0.value.holds(value) }
    default: return false
    }
  }
}

extension JSON.Pointer {
  /// Whether both paths lead to elements of the same container.
  fileprivate func isBeside(_ other: JSON.Pointer) -> Bool {
    tokens.count == other.tokens.count && tokens.dropLast() == other.tokens.dropLast()
  }
}
