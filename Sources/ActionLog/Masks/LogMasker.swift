/// Takes what must not leave the process out of events before they are written.
///
/// What a path names becomes a substitute. Beyond that every text in which a masked value shows again is cleaned of it:
/// descriptions of errors, cancellation ids, the inputs of effects, notes, keys of dictionaries, copies elsewhere.
package struct LogMasker: Sendable {
  private let masks: LogMasks
  private let key: MaskKey
  private var texts: MaskedTexts
  private var matched: [LogMasks.Subject: Set<Int>] = [:]

  /// A masker for one log, with a secret of its own.
  ///
  /// - Parameters:
  ///   - masks: What is replaced.
  ///   - most: How many masked values are remembered.
  package init(_ masks: LogMasks, remembering most: Int = MaskedTexts.most) {
    self.masks = masks
    key = MaskKey()
    texts = MaskedTexts(most: most)
  }

  /// How much the masker knows: with the same number, equal values are masked alike.
  package var version: Int { texts.version }

  /// The masks that have matched nothing so far.
  package var unmatched: [(subject: LogMasks.Subject, path: MaskPath)] {
    LogMasks.Subject.allCases.flatMap { subject in
      masks.paths(in: subject).enumerated()
        .filter { matched[subject]?.contains($0.offset) != true }
        .map { (subject, $0.element) }
    }
  }

  /// The event as it may be written.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - patch: Its patch, when that is masked already.
  ///   - state: The state that the patch leads to.
  /// - Returns: The event without what is masked.
  package mutating func masked(
    _ event: LogEvent,
    patch: JSON.Patch? = nil,
    state: JSON? = nil
  ) -> LogEvent {
    var event = event
    mask(&event, patch, state)
    return event
  }

  private mutating func mask(_ event: inout LogEvent, _ patch: JSON.Patch?, _ state: JSON?) {
    switch event {
    case .end: break
    case .header(var header):
      header.scope = header.scope.map { clean($0) }
      event = .header(header)
    case .finding(var finding):
      finding.subject = clean(finding.subject)
      finding.expected = finding.expected.map { clean(mask($0, readBy: finding)) }
      finding.actual = finding.actual.map { clean(mask($0, readBy: finding)) }
      finding.message = finding.message.map { clean($0) }
      event = .finding(finding)
    case .unknown(let kind, let object):
      // The kind is a word of the format.
      let members = object.map { name, value in
        name == "kind" ? (key: name, value: value) : (key: cleanName(name), value: clean(value))
      }
      event = .unknown(kind: kind, JSON.Object(members: members))
    case .checkpoint(var checkpoint):
      checkpoint.state = masked(state: checkpoint.state)
      checkpoint.effects = checkpoint.effects.map { mask($0) }
      checkpoint.shared = checkpoint.shared.map { masked(shared: $0, of: checkpoint.state) }
      event = .checkpoint(checkpoint)
    case .action(var action):
      action.action = mask(action.action, in: .action)
      event = .action(action)
    case .read(var read):
      let value = mask(read.value, readBy: read.key)
      read.value = clean(value)
      event = .read(read)
    case .change(var change):
      change.patch = patch ?? masked(change.patch)
      change.effects = change.effects.map { mask($0) }
      event = .change(change)
    case .external(var external):
      external.patch = patch ?? masked(external.patch)
      external.shared = masked(shared: external.shared, of: state)
      event = .external(external)
    case .excluded(var excluded):
      excluded.patch = patch ?? masked(excluded.patch)
      excluded.effects = excluded.effects.map { mask($0) }
      excluded.shared = masked(shared: excluded.shared, of: state)
      event = .excluded(excluded)
    case .effect(var effect):
      if case .failed(let error) = effect.event { effect.event = .failed(clean(error)) }
      event = .effect(effect)
    case .gap(var gap):
      gap.reason = clean(gap.reason)
      event = .gap(gap)
    case .note(var note):
      note.text = clean(note.text)
      event = .note(note)
    }
  }

  private mutating func mask(_ value: JSON, readBy key: String) -> JSON {
    mask(value, MaskMatch(masks.read).step(key), MaskMatch([]), in: .read)
  }

  /// What a finding says of a read.
  private mutating func mask(_ value: JSON, readBy finding: LogEvent.Finding) -> JSON {
    switch finding.code {
    case .unusedRead, .unrecordedRead, .undecodable: mask(value, readBy: finding.subject)
    default: value
    }
  }

  private mutating func mask(_ effect: EffectDescription) -> EffectDescription {
    var effect = effect
    effect.action = effect.action.map { mask($0, in: .action) }
    effect.input = effect.input.map { clean($0) }
    effect.name = effect.name.map { clean($0) }
    if let id = effect.cancelID {
      effect.cancelID = EffectDescription.CancelID(
        type: id.type,
        value: clean(id.value),
        path: id.path.map { clean($0) }
      )
    }
    effect.effects = effect.effects.map { mask($0) }
    effect.rest = cleaned(effect.rest)
    return effect
  }

  /// Members without what has been masked anywhere.
  package func cleaned(_ object: JSON.Object) -> JSON.Object {
    guard !object.isEmpty else { return object }
    return clean(.object(object)).object ?? JSON.Object()
  }
}

extension LogMasker {
  /// The value with substitutes where masks lead, and without what has been masked anywhere.
  private mutating func mask(_ json: JSON, in subject: LogMasks.Subject) -> JSON {
    let omissions = MaskMatch(subject == .state ? masks.omitted : [])
    let result = mask(json, MaskMatch(masks.paths(in: subject)), omissions, in: subject)
    // Not in one expression, in which cleaning would know only what was known before.
    return clean(result)
  }

  /// A state as it may be written.
  package mutating func masked(state: JSON) -> JSON { mask(state, in: .state) }

  private mutating func mask(
    _ json: JSON,
    _ match: MaskMatch,
    _ omissions: MaskMatch,
    in subject: LogMasks.Subject
  ) -> JSON {
    guard !match.isEmpty || !omissions.isEmpty else { return json }
    let found = match.complete
    if !found.isEmpty {
      matched[subject, default: []].formUnion(found)
      texts.insert(json)
      return key.substitute(for: json)
    }
    if !omissions.complete.isEmpty { return Self.omission }
    switch json {
    case .object(let object):
      if object.count == 1, let inner = object["$some"] {
        return ["$some": mask(inner, match, omissions, in: subject)]
      }
      return .object(
        JSON.Object(
          members: object.map {
            (
              key: $0.key,
              value: mask($0.value, match.step($0.key), omissions.step($0.key), in: subject)
            )
          }
        )
      )
    case .array(let elements):
      return .array(
        elements.enumerated().map { index, element in
          mask(element, match.step("\(index)"), omissions.step("\(index)"), in: subject)
        }
      )
    default: return json
    }
  }

  private static let omission: JSON = [
    "$opaque": "Value", "reason": "the configuration of the recording leaves it out",
  ]

  /// The patch as it applies to the masked state: nothing changes within what is masked as a whole.
  package mutating func masked(_ patch: JSON.Patch) -> JSON.Patch {
    var result: [JSON.Patch.Operation] = []
    for operation in patch.operations {
      guard let place = place(of: operation.path) else {
        if case .add(_, let value) = operation { texts.insert(value) }
        if case .replace(_, let value) = operation { texts.insert(value) }
        continue
      }
      func masked(_ value: JSON, _ masker: inout LogMasker) -> JSON {
        let result = masker.mask(value, place.match, place.omissions, in: .state)
        return masker.clean(result)
      }
      let path = place.path
      switch operation {
      case .add(_, let value): result.append(.add(path, masked(value, &self)))
      case .replace(_, let value): result.append(.replace(path, masked(value, &self)))
      case .remove: result.append(.remove(path))
      case .test(_, let value): result.append(.test(path, masked(value, &self)))
      // Recorders write neither: what they move would have to be masked at one place and not at the other.
      case .move, .copy: break
      }
    }
    return JSON.Patch(result)
  }

  private mutating func place(
    of path: JSON.Pointer
  ) -> (path: JSON.Pointer, match: MaskMatch, omissions: MaskMatch)? {
    var match = MaskMatch(masks.state)
    var omissions = MaskMatch(masks.omitted)
    var tokens: [String] = []
    for (index, token) in path.tokens.enumerated() {
      let found = match.complete
      guard found.isEmpty, omissions.complete.isEmpty else {
        matched[.state, default: []].formUnion(found)
        // They may be keys of a dictionary, which are masked with it.
        if !found.isEmpty { for name in path.tokens[index...] { texts.insert(name: name) } }
        return nil
      }
      if token != "$some" {
        match = match.step(token)
        omissions = omissions.step(token)
      }
      tokens.append(cleanName(token))
    }
    return (JSON.Pointer(tokens), match, omissions)
  }
}

extension LogMasker {
  private mutating func masked(shared: JSON?, of state: JSON?) -> JSON? {
    guard let shared, let state else { return nil }
    return masked(shared: shared, of: masked(state: state))
  }

  /// The places of shared values as they are in a masked state: the ids of rows that are masked there have their
  /// substitutes.
  private func masked(shared: JSON, of state: JSON) -> JSON {
    switch shared {
    case .array(let elements): return .array(elements.map { masked(shared: $0, of: state) })
    case .object(let object):
      return .object(
        JSON.Object(
          members: object.map { name, value in
            switch name {
            case "at":
              let pointer = value.string.flatMap { try? JSON.Pointer(parsing: $0) }
              let tokens = pointer?.tokens.map { cleanName($0) } ?? []
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

  /// The value without what has been masked anywhere.
  private func clean(_ json: JSON) -> JSON {
    guard !texts.isEmpty else { return json }
    switch json {
    case .null, .bool: return json
    case .number(let number): return texts.contains(number) ? key.substitute(for: json) : json
    case .string(let text): return .string(clean(text))
    case .array(let elements): return .array(elements.map { clean($0) })
    case .object(let object):
      return .object(
        JSON.Object(members: object.map { (key: cleanName($0.key), value: clean($0.value)) })
      )
    }
  }

  private func clean(_ text: String) -> String {
    texts.replaced(in: text, atLeast: MaskedTexts.shortest, by: key) ?? text
  }

  private func cleanName(_ name: String) -> String {
    texts.replaced(in: name, atLeast: MaskedTexts.shortestInName, by: key) ?? name
  }
}

extension JSON {
  /// Whether a value is this one or stands somewhere in it.
  fileprivate func holds(_ value: JSON) -> Bool {
    if self == value { return true }
    switch self {
    case .array(let elements): return elements.contains { $0.holds(value) }
    case .object(let object): return object.contains { $0.value.holds(value) }
    default: return false
    }
  }
}
