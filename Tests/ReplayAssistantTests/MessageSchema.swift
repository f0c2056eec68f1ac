import ActionLog
import Foundation

@testable import ReplayAssistant

/// The JSON schema of the protocol's messages.
///
/// It supports the used part of the schema language.
struct MessageSchema: Sendable {
  private let definitions: JSON

  /// Returns the schema of a version; `nil` if the public conformance data is not available.
  static func load(_ version: ProtocolVersion) throws -> MessageSchema? {
    guard let folder = ProcessInfo.processInfo.environment["CONFORMANCE_DIR"] else { return nil }
    let path = "\(folder)/mcp/schema-\(version.rawValue).json"
    let schema = try JSON(parsing: String(contentsOfFile: path, encoding: .utf8))
    return MessageSchema(definitions: schema["$defs"] ?? .null)
  }

  /// The definitions of results by the methods of their requests.
  static let results = [
    "initialize": "InitializeResult", "server/discover": "DiscoverResult", "ping": "EmptyResult",
    "tools/list": "ListToolsResult", "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult", "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult", "completion/complete": "CompleteResult",
  ]

  /// Returns the problems of a value; empty if it is valid.
  func problems(of value: JSON, as name: String) -> [String] {
    guard let definition = definitions[name] else { return ["there is no \(name)"] }
    return Self.problems(of: value, against: definition, at: name, in: definitions)
  }

  /// Returns the problems of a value according to a schema with references to definitions.
  static func problems(
    of value: JSON,
    against schema: JSON,
    at place: String,
    in definitions: JSON = .null
  ) -> [String] {
    if schema["$ref"] != nil {
      let name = String(schema["$ref"]?.string?.dropFirst("#/$defs/".count) ?? "")
      guard let definition = definitions[name] else { return ["\(place): there is no \(name)"] }
      return problems(of: value, against: definition, at: place, in: definitions)
    }
    var found: [String] = []
    func check(_ value: JSON, _ schema: JSON, _ place: String) -> [String] {
      problems(of: value, against: schema, at: place, in: definitions)
    }
    for part in schema["allOf"]?.array ?? [] { found += check(value, part, place) }
    if let choices = schema["anyOf"]?.array,
      !choices.contains(where: { check(value, $0, place).isEmpty })
    {
      found.append("\(place): fits none of the choices")
    }
    if let type = schema["type"] {
      let types = (type.array ?? [type]).compactMap(\.string)
      if !types.contains(where: { isOf(value, type: $0) }) {
        return found + ["\(place): \(value.kind) where \(types) is expected"]
      }
    }
    if let constant = schema["const"], constant != value {
      found.append("\(place): \(value) is not \(constant)")
    }
    if let choices = schema["enum"]?.array, !choices.contains(value) {
      found.append("\(place): \(value) is none of \(choices)")
    }
    if let least = schema["minimum"]?.number?.double, let number = value.number?.double,
      number < least
    {
      found.append("\(place): \(value) is less than \(least)")
    }
    for element in value.array ?? [] {
      if let items = schema["items"] { found += check(element, items, "\(place)[]") }
    }
    guard let members = value.object else { return found }
    for name in schema["required"]?.array ?? [] where members[name.string ?? ""] == nil {
      found.append("\(place): \(name) is missing")
    }
    for (name, member) in members {
      if let own = schema["properties"]?[name] {
        found += check(member, own, "\(place).\(name)")
      } else if schema["additionalProperties"] == false {
        found.append("\(place): there is no member '\(name)'")
      } else if let other = schema["additionalProperties"], other.object != nil {
        found += check(member, other, "\(place).\(name)")
      }
    }
    return found
  }

  private static func isOf(_ value: JSON, type: String) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("null", .null), ("number", .number):
      true
    case ("integer", .number(let number)): number.int != nil
    default: false
    }
  }
}
