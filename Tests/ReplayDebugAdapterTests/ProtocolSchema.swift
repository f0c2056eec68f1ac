import ActionLog
import Foundation

/// The JSON schema of the protocol's messages.
///
/// It supports the used part of the schema language.
///
/// It is stricter than the schema: a member that is not named in the schema counts as an error.
struct ProtocolSchema: Sendable {
  /// The folder of the public conformance data; `nil` if it is not available.
  static let folder = ProcessInfo.processInfo.environment["CONFORMANCE_DIR"]

  private let definitions: JSON

  /// The schema of the protocol.
  static func load() throws -> ProtocolSchema? {
    guard let folder else { return nil }
    let path = "\(folder)/dap/debugAdapterProtocol.json"
    let schema = try JSON(parsing: String(contentsOfFile: path, encoding: .utf8))
    return ProtocolSchema(definitions: schema["definitions"] ?? .null)
  }

  /// The names of all requests.
  var requests: [String] {
    (definitions.object?.keys ?? []).filter { $0.hasSuffix("Request") && $0 != "Request" }
      .map { name in
        let command = name.dropLast("Request".count)
        return command.prefix(1).lowercased() + command.dropFirst()
      }
  }

  /// Returns the problems of a message from the adapter; empty if it is valid.
  func problems(of message: JSON) -> [String] {
    let name: String
    switch message["type"]?.string {
    case "response" where message["success"]?.bool == false: name = "ErrorResponse"
    case "response": name = capitalized(message["command"]) + "Response"
    case "event": name = capitalized(message["event"]) + "Event"
    default: return ["the type is \(message["type"] ?? .null)"]
    }
    guard let definition = definitions[name] else { return ["there is no \(name)"] }
    return problems(of: message, against: definition, at: name)
  }

  private func capitalized(_ name: JSON?) -> String {
    let text = name?.string ?? ""
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  // MARK: - Schemas

  private func problems(of value: JSON, against schema: JSON, at place: String) -> [String] {
    var problems = checked(value, against: schema, at: place)
    if let members = value.object, let names = names(schema) {
      for name in members.keys where !names.contains(name) {
        problems.append("\(place): the schema has no member '\(name)'")
      }
    }
    return problems
  }

  /// Checks everything except members that the schema does not name.
  private func checked(_ value: JSON, against schema: JSON, at place: String) -> [String] {
    if let reference = schema["$ref"]?.string {
      guard let definition = definitions[String(reference.dropFirst("#/definitions/".count))] else {
        return ["\(place): the schema refers to \(reference), which it does not have"]
      }
      return checked(value, against: definition, at: place)
    }
    var problems: [String] = []
    if let parts = schema["allOf"]?.array {
      problems += parts.flatMap { checked(value, against: $0, at: place) }
    }
    if let choices = schema["oneOf"]?.array {
      let fits = choices.count { self.problems(of: value, against: $0, at: place).isEmpty }
      if fits != 1 { problems.append("\(place): fits \(fits) choices of oneOf") }
    }
    if let type = schema["type"] {
      let types = type.array ?? [type]
      if !types.contains(where: { isOf(value, type: $0.string ?? "") }) {
        return problems + ["\(place): \(value.kind) where \(type) is expected"]
      }
    }
    // The open enumerations allow other words. Except for texts, ours must be known to clients.
    let isOpen = ["message", "attributes[]"].contains { place.hasSuffix("." + $0) }
    if let words = (schema["enum"] ?? (isOpen ? nil : schema["_enum"]))?.array,
      !words.contains(value)
    {
      problems.append("\(place): \(value) is none of \(words)")
    }
    if let number = value.number?.double {
      problems += limits(of: schema).filter { !$0.contains(number) }
        .map { "\(place): \(value) is not within \($0)" }
    }
    for element in value.array ?? [] {
      guard let items = schema["items"] else { break }
      problems += self.problems(of: element, against: items, at: place + "[]")
    }
    guard let members = value.object else { return problems }
    for name in schema["required"]?.array ?? [] where members[name.string ?? ""] == nil {
      problems.append("\(place): \(name) is missing")
    }
    for (name, member) in members {
      let own = schema["properties"]?[name]
      let other = schema["additionalProperties"].flatMap { $0.object == nil ? nil : $0 }
      guard let schema = own ?? other else { continue }
      problems += self.problems(of: member, against: schema, at: "\(place).\(name)")
    }
    return problems
  }

  /// Returns the names of all members that a schema knows; `nil` if it allows any.
  private func names(_ schema: JSON) -> Set<String>? {
    if let reference = schema["$ref"]?.string {
      return definitions[String(reference.dropFirst("#/definitions/".count))].flatMap(names)
    }
    if schema["additionalProperties"] != nil || schema["oneOf"] != nil { return nil }
    let parts = schema["allOf"]?.array ?? []
    guard schema["properties"] != nil || !parts.isEmpty else { return nil }
    return parts.reduce(into: Set(schema["properties"]?.object?.keys ?? [])) {
      $0.formUnion(names($1) ?? [])
    }
  }

  private func isOf(_ value: JSON, type: String) -> Bool {
    switch (type, value) {
    case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool),
      ("null", .null), ("number", .number):
      true
    case ("integer", .number(let number)): number.int != nil
    default: false
    }
  }

  private func limits(of schema: JSON) -> [ClosedRange<Double>] {
    let least = schema["minimum"]?.number?.double ?? -.infinity
    let most = schema["maximum"]?.number?.double ?? .infinity
    let formats: [String: ClosedRange<Double>] = [
      "int32": Double(Int32.min)...Double(Int32.max), "uint32": 0...Double(UInt32.max),
      "uint64": 0...Double(UInt64.max), "int64": Double(Int64.min)...Double(Int64.max),
    ]
    return [least...most] + (formats[schema["format"]?.string ?? ""].map { [$0] } ?? [])
  }
}
