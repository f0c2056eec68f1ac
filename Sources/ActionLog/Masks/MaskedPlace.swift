/// What masks say of a place in a state, an action, a read or a call.
struct MaskedPlace {
  /// The masks that the app has set.
  var match: MaskMatch
  /// Places that follow from them: what a binding puts into a masked place, and what has carried a masked value before.
  var derived: MaskMatch
  /// The places that are left out.
  var omissions: MaskMatch

  /// Whether no mask can match here or below.
  var isEmpty: Bool { match.isEmpty && derived.isEmpty && omissions.isEmpty }

  /// Whether what stands here is masked as a whole.
  var isMasked: Bool { !match.complete.isEmpty || !derived.complete.isEmpty }

  /// The place one step further.
  func descend(_ token: String) -> MaskedPlace {
    MaskedPlace(
      match: match.descend(token),
      derived: derived.descend(token),
      omissions: omissions.descend(token)
    )
  }

  /// The place of an element.
  func descend(_ index: Int) -> MaskedPlace { isEmpty ? self : descend("\(index)") }

  /// The place of a member.
  ///
  /// - Parameters:
  ///   - name: The member's name, which may have a mark.
  ///   - assigned: The names of the property that the members beside it assign to, when they do: each property is a place of its
  ///     own.
  /// - Returns: The place.
  func descend(member name: String, _ assigned: String?) -> MaskedPlace {
    let token = LogMark.removed(from: name)
    var place = descend(token)
    if let assigned, name == JSON.Object.assignedValue {
      place.derived = derived.descend(JSON.Object.token(ofValueAssignedTo: assigned))
    }
    return place
  }

  /// The place with further patterns for what stands here.
  func adding(_ patterns: [MaskPath]) -> MaskedPlace {
    if patterns.isEmpty { return self }
    var place = self
    place.derived = MaskMatch(derived.rests + patterns)
    return place
  }
}

extension JSON.Object {
  /// The member of a binding that holds the value.
  static let assignedValue = "_1"

  /// Stands for that member in places that have carried a masked value, so that each property is one.
  static func token(ofValueAssignedTo names: String) -> String { "\(assignedValue) \(names)" }

  /// The payload of the `binding` action that this is in a log without marks, whose names are code.
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

  /// The names of the property that a binding sets, when this is the payload of one: `{"_0":"user.name","_1":"Ann"}`.
  func assignedNames(_ names: MaskedTexts.Names) -> String? {
    guard count == 2, keys[0] == "_0", keys[1] == Self.assignedValue, let text = values[0].string
    else { return nil }
    switch names {
    case .marked: return LogMark.names.text(of: text)
    case .guessed:
      let isName = text.utf8.allSatisfy { byte in
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
          || (0x41...0x5A).contains(byte & 0xDF)
      }
      return isName && !text.isEmpty ? text : nil
    }
  }
}

// What can be written before a reducer has shown where it goes.
extension LogMasker {
  /// Whether a value shows no text that the reducer could put into a masked place: each is empty, masked already, or in a place that
  /// the app has cleared.
  package func isClear(_ json: JSON, in subject: LogMasks.Subject, key: String? = nil) -> Bool {
    var place = rootPlace(in: subject)
    var cleared = MaskMatch(masks.cleared)
    if let key {
      place = place.descend(key)
      cleared = cleared.descend(key)
    }
    return isClear(json, place, cleared)
  }

  /// Whether a call shows no text that the reducer could put into a masked place.
  package func isClear(_ call: LogEvent.Call) -> Bool {
    let cleared = MaskMatch(masks.cleared).descend(call.key)
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

  /// The places of a call's values.
  ///
  /// What a mask of reads covers of an endpoint's answers, it covers of what effects get from the endpoint.
  func places(of call: LogEvent.Call) -> [MaskedPlace] {
    let place = rootPlace(in: .call).descend(call.key)
    let answers = answers(in: call).flatMap { $0.match.rests + $0.derived.rests }
    return call.values.map { tokens, _ in
      // What stands in a masked place is masked.
      let place = tokens.reduce(place) { $0.isMasked ? $0 : $0.descend($1) }
      return tokens[0] == "arguments" ? place : place.adding(answers)
    }
  }

  /// The places that a read would have of what came of a call: of an endpoint that throws, it has a result.
  func answers(in call: LogEvent.Call) -> [MaskedPlace] {
    let read = rootPlace(in: .read).descend(call.key)
    switch call.outcome {
    case .returned: return [read, read.descend("success").descend("_0")]
    case .threw: return [read, read.descend("failure").descend("_0")]
    case nil: return []
    }
  }

  /// Whether a value that no mask leads to shows nothing of that kind.
  package func isClear(_ json: JSON) -> Bool {
    let nothing = MaskMatch([])
    return isClear(json, MaskedPlace(match: nothing, derived: nothing, omissions: nothing), nothing)
  }

  /// Whether a text shows nothing of that kind.
  package func isClear(_ text: String) -> Bool {
    text.isEmpty || isKnown(text)
  }

  /// Whether a number is too short to be held, or is masked already.
  private func isClear(_ number: JSON.Number) -> Bool {
    number.literal.utf8.count < MaskedTexts.minimumLength || isKnown(number.literal)
  }

  private func isClear(_ json: JSON, _ place: MaskedPlace, _ cleared: MaskMatch) -> Bool {
    if place.isMasked || !cleared.complete.isEmpty { return true }
    switch json {
    case .null, .bool: return true
    case .number(let number): return isClear(number)
    case .string(let text): return LogMark.code(of: text) != nil || isClear(text)
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
        // The name of a type, or a substitute.
        if name == "$opaque" || name == "$ordinal" || name == "$masked" { return true }
        if LogMark.secret.text(of: name) != nil { return true }
        if name == "$error" {
          return ["description", "localizedDescription", "value"].allSatisfy {
            isClear(value[$0] ?? .null, place, cleared)
          }
        }
        if name == "$some" { return isClear(value, place, cleared) }
        if let data = LogMark.data.text(of: name), !isClear(data) { return false }
        return isClear(
          value,
          place.descend(member: name, assigned),
          cleared.descend(LogMark.removed(from: name))
        )
      }
    }
  }

  /// Takes note of the places of an action or a read that have carried a value that is masked in the state.
  package mutating func noteCarriers(
    in json: JSON,
    _ subject: LogMasks.Subject,
    key: String? = nil
  ) {
    var place = rootPlace(in: subject)
    var tokens: [MaskPath.Token] = []
    if let key {
      place = place.descend(key)
      tokens = [.name(key)]
    }
    var found: [MaskPath] = []
    collectCarriers(in: json, place, tokens, into: &found)
    // An action that is nothing but a text has no place to tell.
    for path in found where !path.tokens.isEmpty { addCarrier(path, in: subject) }
  }

  /// The same of a call, whose arguments and results go to and from the state, too.
  package mutating func noteCarriers(in call: LogEvent.Call) {
    var found: [MaskPath] = []
    for (place, part) in zip(places(of: call), call.values) {
      let tokens = ([call.key] + part.tokens).map { MaskPath.Token.name($0) }
      collectCarriers(in: part.value, place, tokens, into: &found)
    }
    for path in found { addCarrier(path, in: .call) }
  }

  private func collectCarriers(
    in json: JSON,
    _ place: MaskedPlace,
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
          LogMark.data.text(of: name) != nil
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
