/// The masks that apply to a path in a state, an action, a read, a call, or an effect.
struct MasksAtPath {
  /// The matches of masks that the app declared.
  var match: MaskPathMatcher
  /// The matches of derived masks.
  ///
  /// These are masks for values that a binding assigns to a masked property, masks for reads that also apply to calls,
  /// and masks for paths at which a masked value was found before.
  var derived: MaskPathMatcher
  /// The matches of the paths that the app omits.
  var omissions: MaskPathMatcher

  /// Whether no mask can match this path or a path below it.
  var isEmpty: Bool { match.isEmpty && derived.isEmpty && omissions.isEmpty }

  /// Whether the complete value at the path is masked.
  var isMasked: Bool { !match.complete.isEmpty || !derived.complete.isEmpty }

  /// Returns the masks that apply after one more token of the path.
  func descend(_ token: String) -> MasksAtPath {
    MasksAtPath(
      match: match.descend(token),
      derived: derived.descend(token),
      omissions: omissions.descend(token)
    )
  }

  /// Returns the masks that apply to the element at `index`.
  func descend(_ index: Int) -> MasksAtPath { isEmpty ? self : descend("\(index)") }

  /// Returns the masks that apply to a member.
  ///
  /// - Parameters:
  ///   - name: The member's name, possibly with a mark.
  ///   - assigned: The names of the property that a binding sets, if the member is part of a binding. Each property has
  ///     its own path.
  /// - Returns: The masks for the member.
  func descend(member name: String, _ assigned: String?) -> MasksAtPath {
    let token = MaskerMark.removed(from: name)
    var place = descend(token)
    if let assigned, name == JSON.Object.assignedValue {
      place.derived = derived.descend(JSON.Object.token(ofValueAssignedTo: assigned))
    }
    return place
  }

  /// Returns the masks with additional patterns for the value at this path.
  func adding(_ patterns: [MaskPath]) -> MasksAtPath {
    if patterns.isEmpty { return self }
    var place = self
    place.derived = MaskPathMatcher(derived.rests + patterns)
    return place
  }
}

extension JSON.Object {
  /// The name of the member that contains the new value in a binding's payload.
  static let assignedValue = "_1"

  /// Returns a token for the value that a binding assigns to a property.
  ///
  /// Recorded paths to masked values contain this token, so that each property has its own path.
  static func token(ofValueAssignedTo names: String) -> String { "\(assignedValue) \(names)" }

  /// The property and value in the payload of a `binding` action, in a log without marks.
  ///
  /// The names come from the app's code and are never masked.
  ///
  /// ```json
  /// {"binding":{"_0":{"set":{"_0":"user.name","_1":"Ann"}}}}
  /// ```
  var boundProperty: (names: String, value: JSON)? {
    guard count == 1, keys[0] == "binding", let payload = values[0].object, payload.count == 1,
      let set = payload["_0"]?.object, set.count == 1, let assignment = set["set"]?.object,
      let names = assignment.assignedNames(.guessed), let value = assignment[Self.assignedValue]
    else { return nil }
    return (names, value)
  }

  /// Returns the names of the property that a binding sets.
  ///
  /// Returns `nil` unless this is a binding's payload, such as `{"_0":"user.name","_1":"Ann"}`.
  func assignedNames(_ names: MaskedTexts.NameDetection) -> String? {
    guard count == 2, keys[0] == "_0", keys[1] == Self.assignedValue, let text = values[0].string
    else { return nil }
    switch names {
    case .marked: return MaskerMark.names.text(of: text)
    case .guessed:
      let isName = text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
          || (0x41...0x5A).contains(byte & 0xDF)
      }
      return isName && !text.isEmpty ? text : nil
    }
  }
}

// Decides which values can be written before a reducer has moved them to a masked path.
extension LogMasker {
  /// Whether no part of a value can reach a masked path unmasked.
  ///
  /// Each string and number must be at a masked path, at a path in `LogMasks.cleared`, or already known as a masked
  /// value. Empty strings, raw values of enums, and short numbers are always clear.
  package func isClear(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) -> Bool {
    var place = rootPath(in: subject)
    var cleared = MaskPathMatcher(masks.cleared)
    if let key {
      place = place.descend(key)
      cleared = cleared.descend(key)
    }
    return isClear(json, place, cleared)
  }

  /// Whether no part of a call can reach a masked path unmasked.
  package func isClear(_ call: LogEvent.Call) -> Bool {
    let cleared = MaskPathMatcher(masks.cleared).descend(call.key)
    let places = places(of: call)
    return isClear(call.key)
      && zip(places, call.values).allSatisfy { place, part in
        isClear(
          part.value,
          place,
          part.tokens.reduce(cleared) { $0.complete.isEmpty ? $0.descend($1) : $0 }
        )
      }
  }

  /// Returns the masks that apply to each value of a call.
  ///
  /// Masks for reads of an endpoint also apply to the values that effects get from the endpoint.
  func places(of call: LogEvent.Call) -> [MasksAtPath] {
    let place = rootPath(in: .call).descend(call.key)
    let answers = answers(in: call).flatMap { $0.match.rests + $0.derived.rests }
    return call.values.map { tokens, _ in
      // A value inside a masked value is masked, too.
      let place = tokens.reduce(place) { $0.isMasked ? $0 : $0.descend($1) }
      return tokens[0] == "arguments" ? place : place.adding(answers)
    }
  }

  /// Returns the masks that would apply to a call's outcome if it were a read.
  ///
  /// The read of a throwing endpoint contains a `Result`.
  func answers(in call: LogEvent.Call) -> [MasksAtPath] {
    let read = rootPath(in: .read).descend(call.key)
    switch call.outcome {
    case .returned: return [read, read.descend("success").descend("_0")]
    case .threw: return [read, read.descend("failure").descend("_0")]
    case nil: return []
    }
  }

  /// Whether no part of a value can reach a masked path unmasked, if no mask applies to the value itself.
  package func isClear(_ json: JSON) -> Bool {
    let nothing = MaskPathMatcher([])
    return isClear(json, MasksAtPath(match: nothing, derived: nothing, omissions: nothing), nothing)
  }

  /// Whether a string can't reach a masked path unmasked, because it is empty or already known as a masked value.
  package func isClear(_ text: String) -> Bool {
    text.isEmpty || isKnown(text)
  }

  /// Whether a number is too short to be stored as a masked value, or is already masked.
  private func isClear(_ number: JSON.Number) -> Bool {
    MaskedTexts.isShort(number: number.literal.utf8) || isKnown(number.literal)
  }

  private func isClear(_ json: JSON, _ place: MasksAtPath, _ cleared: MaskPathMatcher) -> Bool {
    if place.isMasked || !cleared.complete.isEmpty { return true }
    switch json {
    case .null, .bool: return true
    case .number(let number): return isClear(number)
    case .string(let text): return MaskerMark.code(of: text) != nil || isClear(text)
    case .array(let elements):
      return elements.enumerated().allSatisfy { index, element in
        isClear(
          element,
          place.descend(index),
          cleared.isEmpty ? cleared : cleared.descend("\(index)")
        )
      }
    case .object(let object):
      if let marked = object.markedValue {
        return isClear(marked.value, place.adding(marked.paths), cleared)
      }
      let assigned = object.assignedNames(.marked)
      return object.allSatisfy { name, value in
        // The value is the name of a type, a number, or a substitute.
        if name == "$opaque" || name == "$ordinal" || name == "$masked" { return true }
        if MaskerMark.secret.text(of: name) != nil { return true }
        if name == "$error" {
          return ["description", "localizedDescription", "value"].allSatisfy {
            isClear(value[$0] ?? .null, place, cleared)
          }
        }
        if name == "$some" { return isClear(value, place, cleared) }
        if let data = MaskerMark.data.text(of: name), !isClear(data) { return false }
        return isClear(
          value,
          place.descend(member: name, assigned),
          cleared.descend(MaskerMark.removed(from: name))
        )
      }
    }
  }

  /// Records the paths in an action or read at which a string or number equals a value that has been masked before.
  package mutating func recordCarriers(
    in json: JSON,
    _ subject: LogMasks.Subject,
    key: String? = nil
  ) {
    var place = rootPath(in: subject)
    var tokens: [MaskPath.Token] = []
    if let key {
      place = place.descend(key)
      tokens = [.name(key)]
    }
    var found: [MaskPath] = []
    collectCarriers(in: json, place, tokens, into: &found)
    // An action that consists of a single string has no path.
    for path in found where !path.tokens.isEmpty { addCarrier(path, in: subject) }
  }

  /// Records the paths in a call at which a string or number equals a value that has been masked before.
  package mutating func recordCarriers(in call: LogEvent.Call) {
    var found: [MaskPath] = []
    for (place, part) in zip(places(of: call), call.values) {
      let tokens = ([call.key] + part.tokens).map { MaskPath.Token.name($0) }
      collectCarriers(in: part.value, place, tokens, into: &found)
    }
    for path in found { addCarrier(path, in: .call) }
  }

  private func collectCarriers(
    in json: JSON,
    _ place: MasksAtPath,
    _ tokens: [MaskPath.Token],
    into found: inout [MaskPath]
  ) {
    guard !place.isMasked else { return }
    switch json {
    case .null, .bool: break
    case .number(let number): if isKnown(number.literal) { found.append(MaskPath(tokens)) }
    case .string(let text): if isKnown(text) { found.append(MaskPath(tokens)) }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        collectCarriers(in: element, place.descend(index), tokens + [.any], into: &found)
      }
    case .object(let object):
      if let marked = object.markedValue {
        return collectCarriers(in: marked.value, place.adding(marked.paths), tokens, into: &found)
      }
      if names == .guessed, let bound = object.boundProperty {
        let steps = ["binding", "_0", "set"]
        return collectCarriers(
          in: bound.value,
          steps.reduce(place) { $0.descend($1) }.descend(
            member: JSON.Object.assignedValue,
            bound.names
          ),
          tokens + (steps + [JSON.Object.token(ofValueAssignedTo: bound.names)]).map { .name($0) },
          into: &found
        )
      }
      let assigned = object.assignedNames(names)
      for (name, value) in object where !name.hasPrefix("$") || name == "$some" {
        if name == "$some" {
          collectCarriers(in: value, place, tokens, into: &found)
          continue
        }
        let isValue = assigned != nil && name == JSON.Object.assignedValue
        let token: MaskPath.Token =
          MaskerMark.data.text(of: name) != nil
          ? .any
          : .name(isValue ? JSON.Object.token(ofValueAssignedTo: assigned ?? "") : name)
        collectCarriers(
          in: value,
          place.descend(member: name, assigned),
          tokens + [token],
          into: &found
        )
      }
    }
  }
}
