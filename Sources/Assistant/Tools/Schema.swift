import ActionLog
import ReplayCommands
import ReplayEngine

/// The JSON schema of a value.
///
/// It describes the value to clients and validates it.
indirect enum Schema: Sendable {
  case text(String, choices: [String] = [])
  case integer(String, least: Int = 0)
  case number(String)
  case flag(String)
  case list(String, of: Schema)
  case object(String, [SchemaProperty])
  /// Any JSON value.
  case any(String)

  /// A member of an object.
  struct SchemaProperty: Sendable {
    let name: String
    let schema: Schema
    let isRequired: Bool

    static func required(_ name: String, _ schema: Schema) -> SchemaProperty {
      SchemaProperty(name: name, schema: schema, isRequired: true)
    }

    static func optional(_ name: String, _ schema: Schema) -> SchemaProperty {
      SchemaProperty(name: name, schema: schema, isRequired: false)
    }
  }
}

extension Schema {
  /// The schema as JSON Schema 2020-12.
  var json: JSON {
    var object = JSON.Object()
    let about: String
    switch self {
    case .text(let description, let choices):
      object["type"] = "string"
      if !choices.isEmpty { object["enum"] = .array(choices.map(JSON.string)) }
      about = description
    case .integer(let description, let least):
      object["type"] = "integer"
      object["minimum"] = .number(JSON.Number(least))
      about = description
    case .number(let description):
      object["type"] = "number"
      about = description
    case .flag(let description):
      object["type"] = "boolean"
      about = description
    case .list(let description, let element):
      object["type"] = "array"
      object["items"] = element.json
      about = description
    case .object(let description, let members):
      object["type"] = "object"
      var properties = JSON.Object()
      for member in members { properties[member.name] = member.schema.json }
      object["properties"] = .object(properties)
      let required = members.filter(\.isRequired).map { JSON.string($0.name) }
      if !required.isEmpty { object["required"] = .array(required) }
      object["additionalProperties"] = false
      about = description
    case .any(let description): about = description
    }
    if !about.isEmpty { object["description"] = .string(about) }
    return .object(object)
  }

  /// Validates a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - name: The value's name for messages.
  /// - Returns: The reason why the value is invalid; `nil` if it is valid.
  func problem(of value: JSON, named name: String) -> String? {
    func expected(_ what: String) -> String {
      "'\(name)' is \(Wording.excerpt(value)); expected \(what)"
    }
    switch self {
    case .any: return nil
    case .text(_, let choices):
      guard let text = value.string else { return expected("a text") }
      return choices.isEmpty || choices.contains(text) ? nil : expected(Wording.oneOf(choices))
    case .integer(_, let least):
      return value.int.map { $0 >= least && $0 <= Self.greatest } ?? false
        ? nil : expected("a whole number from \(least)")
    case .number: return value.number == nil ? expected("a number") : nil
    case .flag: return value.bool == nil ? expected("true or false") : nil
    case .list(_, let element):
      guard let elements = value.array else { return expected("a list") }
      for (index, one) in elements.enumerated() {
        if let problem = element.problem(of: one, named: "\(name)[\(index)]") { return problem }
      }
      return nil
    case .object(_, let members):
      guard let object = value.object else { return expected("an object") }
      for member in members where member.isRequired && object[member.name] == nil {
        return "'\(member.name)' is missing; expected \(member.schema.words)"
      }
      for (key, value) in object {
        guard let member = members.first(where: { $0.name == key }) else {
          let names = members.map(\.name)
          return "there is no argument '\(Notation.visible(key.prefix(60)))'; "
            + (names.isEmpty ? "expected none" : "expected \(Wording.oneOf(names))")
        }
        if let problem = member.schema.problem(of: value, named: key) { return problem }
      }
      return nil
    }
  }

  /// The largest integer that all JSON parsers represent exactly (RFC 8259, section 6).
  private static let greatest = 9_007_199_254_740_991

  private var words: String {
    switch self {
    case .text(let about, _), .integer(let about, _), .number(let about), .flag(let about),
      .list(let about, _), .object(let about, _), .any(let about):
      about
    }
  }
}
