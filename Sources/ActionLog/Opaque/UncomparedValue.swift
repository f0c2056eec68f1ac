/// A value of which a log holds less than a replay needs to compare it, or to have it again.
///
/// ```swift
/// let value = UncomparedValue(.opaque, in: .state, at: JSON.Pointer(["path", "*", "notes"]), type: "Note")
/// value.json  // {"in":"state","place":"/path/*/notes","type":"Note"}
/// ```
public struct UncomparedValue: Sendable, Hashable {
  /// The part of the value that the log lacks.
  public var kind: Kind
  /// The part of the log in which the value stands.
  public var part: Part
  /// The effect, the read or the type of the cancellation id to which the value belongs; `nil` in the state and in actions.
  public var owner: String?
  /// The place within that part; a token `*` stands for every row, and for every key of a large dictionary.
  public var place: JSON.Pointer
  /// The name of the value's type.
  public var type: String
  /// Why the value could not be written, where its type is not the reason.
  public var reason: String?

  /// A value.
  public init(
    _ kind: Kind,
    in part: Part,
    of owner: String? = nil,
    at place: JSON.Pointer,
    type: String,
    reason: String? = nil
  ) {
    self.kind = kind
    self.part = part
    self.owner = owner
    self.place = place
    self.type = type
    self.reason = reason
  }

  /// The part of a value that a log can lack.
  ///
  /// ```swift
  /// let opaque = log.notCompared.filter { $0.kind == .opaque }.map(\.type)  // ["Note"]
  /// ```
  public enum Kind: Sendable, Hashable {
    /// The log holds the type alone, `{"$opaque":"Note"}`, so nothing is compared there.
    case opaque
    /// The log holds the type and the description of an error, which a replay has as a `LoggedError`.
    case error
  }

  /// The parts of a log that hold values.
  ///
  /// ```swift
  /// let inState = log.notCompared.filter { $0.part == .state }
  /// ```
  public enum Part: String, Sendable, Hashable, CaseIterable {
    /// The state.
    case state
    /// An action, from outside or sent by the reducer.
    case action
    /// What an effect was told that it depends on.
    case input
    /// A cancellation id.
    case cancelID
    /// An answer of a dependency.
    case read
    /// The error that an effect has thrown.
    case error
    /// What an implementation of the model does not show of the effects; `type` says it in words.
    case effects
  }
}

extension UncomparedValue {
  /// The value as a JSON object.
  public var json: JSON {
    var object: JSON.Object = ["in": .string(part.rawValue)]
    object["of"] = owner.map(JSON.string)
    object["place"] = .string(place.description)
    object["type"] = .string(type)
    object["reason"] = reason.map(JSON.string)
    return .object(object)
  }

  /// Reads the JSON form of a value in a finding; `nil` if it is not one.
  init?(json: JSON) {
    guard let part = json["in"]?.string.flatMap(Part.init(rawValue:)),
      let place = json["place"]?.string.flatMap({ try? JSON.Pointer(parsing: $0) }),
      let type = json["type"]?.string
    else { return nil }
    self.init(
      json["kind"]?.string == Self.errorKind ? .error : .opaque,
      in: part,
      of: json["of"]?.string,
      at: place,
      type: type,
      reason: json["reason"]?.string
    )
  }

  /// The finding of a comparison or a replay that has met the value.
  package func finding(at seq: Int) -> LogEvent.Finding {
    var json = json
    if kind == .error, case .object(var object) = json {
      object["kind"] = .string(Self.errorKind)
      json = .object(object)
    }
    return LogEvent.Finding(seq: seq, code: .opaque, subject: place.description, expected: json)
  }

  /// How a finding tells errors from opaque values.
  private static let errorKind = "error"

  /// The value that a finding names; `nil` for a finding of another kind.
  package init?(_ finding: LogEvent.Finding) {
    guard finding.code == .opaque, let json = finding.expected else { return nil }
    self.init(json: json)
  }
}

extension UncomparedValue: Comparable {
  /// The order in which values are listed: by part and place.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    func rank(_ value: Self) -> Int { Part.allCases.firstIndex(of: value.part) ?? 0 }
    if lhs.part != rhs.part { return rank(lhs) < rank(rhs) }
    for (left, right) in [
      (lhs.owner ?? "", rhs.owner ?? ""), (lhs.place.description, rhs.place.description),
      (lhs.type, rhs.type), (lhs.reason ?? "", rhs.reason ?? ""),
    ] where !left.hasSameBytes(as: right) {
      return left.precedesInBytes(right)
    }
    return false
  }
}

// MARK: - Words

extension UncomparedValue {
  /// Why an error that a log holds in full does not read back.
  static let isUnknownHere = "this build has no such type"

  /// The type and its place as people read them: `Note at path[*].notes`.
  package func text(_ notation: Notation = Notation()) -> String {
    let name = Notation.visible(type)
    let place = notation.pathText(ofAnyElement: readable)
    let why = reason.map { " (\(Notation.visible($0)))" } ?? ""
    let effect = owner.map { "effect \(Notation.visible($0))" } ?? "an effect"
    let within = place.isEmpty ? "" : "\(place) of "
    return switch part {
    case .state: place.isEmpty ? "\(name) as the whole state\(why)" : "\(name) at \(place)\(why)"
    case .action: "\(name) in action \(place.isEmpty ? "as a whole" : ".\(place)")\(why)"
    case .input: "\(name) in \(within)the input of \(effect)\(why)"
    case .cancelID:
      "\(name) in \(within)\(self.owner.map { "the cancellation id \(Notation.visible($0))" } ?? "a cancellation id")\(why)"
    case .read: "\(name) in \(within)the read \(Notation.visible(self.owner ?? ""))\(why)"
    case .error: "\(name) in \(within)the error of \(effect)\(why)"
    case .effects: "\(type)\(why)"
    }
  }

  /// Whether the model shows this of no effect in any log, so that one mention is enough for all logs of a run.
  package var isOfModel: Bool { part == .effects && place.tokens.isEmpty }

  /// The place without the payload of the case that it ends in.
  private var readable: JSON.Pointer {
    guard part == .action, place.tokens.count > 1, place.tokens.last == "_0" else { return place }
    return JSON.Pointer(Array(place.tokens.dropLast()))
  }

  /// The line of code that makes the log hold the value; `remedies` are those that the log names itself.
  package func remedy(_ remedies: LogRemedies = LogRemedies()) -> String {
    let name = Notation.visible(type)
    if part == .effects { return "no code changes what the library does not show" }
    if kind == .opaque, let line = remedies.line(for: type) { return line }
    switch kind {
    case .error where reason == Self.isUnknownHere:
      return "build with a \(name) that is Codable or @LogValue, in a module of the feature's"
    case .error:
      return Wording.remedy(withoutMarking: name) ?? "make \(name) Codable, or add @LogValue to it"
    case .opaque:
      return Wording.remedy(withoutMarking: name) ?? "add @LogValue to \(name), or make it Codable"
    }
  }

  /// What a recorder says of the value, with the lines of code that its log names itself.
  package func notice(_ remedies: LogRemedies = LogRemedies()) -> String {
    let text = text()
    if let reason { return "\(text.dropLast(reason.count + 3)) is not recorded: \(reason)" }
    switch kind {
    case .opaque where type.contains("->"): return "\(text) is not recorded: \(remedy())"
    case .opaque:
      return "\(text) is not recorded, because it is neither LogValue nor Codable; "
        + remedy(remedies)
    case .error: return "\(text) reads back as LoggedError; \(remedy())"
    }
  }

  /// A list in a line: `Note at path[*].notes, Pen at pen and 3 more`.
  package static func list(
    _ values: [UncomparedValue],
    _ notation: Notation = Notation()
  ) -> String {
    let shown = values.prefix(mostListed).map { $0.text(notation) }.joined(separator: ", ")
    let rest = values.count - mostListed
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }

  /// More make a line too long to be read.
  private static let mostListed = 6
}
