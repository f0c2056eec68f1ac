import ActionLog
import ReplayEngine

extension TimelineEdit {
  /// The edit as a JSON object.
  ///
  /// A value in Swift notation stays a string, which is in the member `notation`.
  package var json: JSON {
    switch self {
    case .skip(let seq): return ["skip": .seq(seq)]
    case .replace(let seq, let action):
      return Self.object(["edit": .seq(seq)], "action", action)
    case .change(let seq, let place, let value):
      return Self.object(["edit": .seq(seq), "place": .string("\(place)")], "value", value)
    case .insert(let action, let seq):
      return Self.object(["after": .seq(seq)], "insert", action)
    case .reorder(let seq, .before(let other)):
      return ["reorder": .seq(seq), "before": .seq(other)]
    case .reorder(let seq, .after(let other)): return ["reorder": .seq(seq), "after": .seq(other)]
    case .answerRead(let seq, let key, let index, let value):
      return Self.object(
        ["answer": .seq(seq), "read": .string(key), "index": .seq(index)],
        "value",
        value
      )
    case .answerEffect(let id, let answer):
      var object: JSON.Object = ["answer": .string(id.description)]
      switch answer {
      case .sends(let action): return Self.object(object, "action", action)
      case .fails(let error): return Self.object(object, "failed", error)
      case .isCancelled: object["cancelled"] = true
      case .sendsNothing: object["nothing"] = true
      }
      return .object(object)
    case .set(let place, let value, let seq):
      return Self.object(["set": .string("\(place)"), "after": .seq(seq)], "value", value)
    }
  }

  private static func object(_ members: JSON.Object, _ name: String, _ value: ValueLiteral) -> JSON
  {
    var object = members
    switch value {
    case .json(let json): object[name] = json
    case .text(let text): object[name] = ["$notation": .string(text)]
    }
    return .object(object)
  }

  /// Creates an edit from its JSON form.
  ///
  /// - Throws: `EditSyntaxError`.
  package init(json: JSON) throws(EditSyntaxError) {
    guard let edit = Self.edit(json) else {
      throw EditSyntaxError(text: "\(json)", problem: .expected(Wording.editObject))
    }
    self = edit
  }

  private static func edit(_ json: JSON) -> TimelineEdit? {
    func seq(_ name: String) -> Int? { json[name]?.int.flatMap { $0 < 0 ? nil : $0 } }
    func value(_ name: String) -> ValueLiteral? {
      json[name].map { value in
        if value.object?.count == 1, let text = value["$notation"]?.string { return .text(text) }
        return .json(value)
      }
    }
    func valuePath(_ name: String) -> ValuePath? {
      json[name]?.string.flatMap { try? ValuePath(parsing: $0) }
    }
    if let seq = seq("skip") { return .skip(seq: seq) }
    if let seq = seq("edit") {
      if let action = value("action") { return .replace(seq: seq, by: action) }
      guard let place = valuePath("place"), let value = value("value") else { return nil }
      return .change(seq: seq, place, to: value)
    }
    if let action = value("insert") { return seq("after").map { .insert(action, after: $0) } }
    if let moved = seq("reorder") {
      if let other = seq("before") { return .reorder(seq: moved, .before(other)) }
      return seq("after").map { .reorder(seq: moved, .after($0)) }
    }
    if let id = json["answer"]?.string.flatMap(EffectID.init) {
      if let action = value("action") { return .answerEffect(id, .sends(action)) }
      if let error = value("failed") { return .answerEffect(id, .fails(error)) }
      if json["cancelled"] == true { return .answerEffect(id, .isCancelled) }
      return json["nothing"] == true ? .answerEffect(id, .sendsNothing) : nil
    }
    if let own = seq("answer"), let key = json["read"]?.string, let value = value("value") {
      return .answerRead(seq: own, key: key, index: seq("index") ?? 0, value)
    }
    guard let place = valuePath("set"), let value = value("value"), let own = seq("after") else {
      return nil
    }
    return .set(place, to: value, after: own)
  }
}

extension JSON {
  fileprivate static func seq(_ number: Int) -> JSON { .number(JSON.Number(number)) }
}
