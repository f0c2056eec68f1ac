import ActionLog

/// The arguments of a request, or an object in them.
///
/// Methods read the members by name. If a member has the wrong type, the error states the expected one.
struct RequestArguments: Equatable {
  private let members: JSON.Object
  /// The path of the object within the arguments, for error messages, such as `breakpoints[0].`.
  private let place: String

  init(_ members: JSON.Object = JSON.Object(), place: String = "") {
    self.members = members
    self.place = place
  }

  /// The value of a member, or `nil` if it is missing or `null`.
  subscript(name: String) -> JSON? {
    members[name].flatMap { $0.isNull ? nil : $0 }
  }

  func error(_ name: String, _ expected: String) -> RequestError {
    .badArgument(place + name, expected: expected, found: members[name])
  }

  private func read<Value>(
    _ name: String,
    _ expected: String,
    _ body: (JSON) -> Value?
  ) throws(RequestError) -> Value? {
    guard let json = self[name] else { return nil }
    guard let value = body(json) else { throw error(name, expected) }
    return value
  }

  func string(_ name: String) throws(RequestError) -> String? {
    try read(name, "a string") { $0.string }
  }

  func requiredString(_ name: String) throws(RequestError) -> String {
    guard let text = try string(name) else { throw error(name, "a string") }
    return text
  }

  func flag(_ name: String) throws(RequestError) -> Bool? {
    try read(name, "true or false") { $0.bool }
  }

  /// Returns a nonnegative integer, or `nil` if the member is missing.
  func number(_ name: String) throws(RequestError) -> Int? {
    try read(name, Self.number) { json in
      json.int.flatMap { (0...Self.largestNumber).contains($0) ? $0 : nil }
    }
  }

  func requiredNumber(_ name: String) throws(RequestError) -> Int {
    guard let number = try number(name) else { throw error(name, Self.number) }
    return number
  }

  private static let number = "a whole number from 0 on"
  /// The largest integer that all JSON readers represent exactly (RFC 8259, section 6).
  ///
  /// Adding to an integer in this range can't overflow `Int`.
  private static let largestNumber = 9_007_199_254_740_991

  func object(_ name: String) throws(RequestError) -> RequestArguments? {
    try read(name, "an object") { json in
      json.object.map { RequestArguments($0, place: "\(place)\(name).") }
    }
  }

  func requiredObject(_ name: String) throws(RequestError) -> RequestArguments {
    guard let object = try object(name) else { throw error(name, "an object") }
    return object
  }

  /// Returns an array of objects, or `nil` if the member is missing.
  func objects(_ name: String) throws(RequestError) -> [RequestArguments]? {
    try read(name, "an array of objects") { json in
      guard let elements = json.array else { return nil }
      var objects: [RequestArguments] = []
      for (index, element) in elements.enumerated() {
        guard let members = element.object else { return nil }
        objects.append(RequestArguments(members, place: "\(place)\(name)[\(index)]."))
      }
      return objects
    }
  }

  /// Returns an array of strings, or `nil` if the member is missing.
  func strings(_ name: String) throws(RequestError) -> [String]? {
    try read(name, "an array of strings") { json in
      guard let elements = json.array else { return nil }
      let texts = elements.compactMap(\.string)
      return texts.count == elements.count ? texts : nil
    }
  }
}
