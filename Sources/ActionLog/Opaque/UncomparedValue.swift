/// A value that a log holds incompletely, so that a replay can't compare or restore it.
///
/// ```swift
/// let value = UncomparedValue(.opaque, in: .state, at: JSON.Pointer(["path", "*", "notes"]), type: "Note")
/// value.json  // {"in":"state","place":"/path/*/notes","type":"Note"}
/// ```
public struct UncomparedValue: Sendable, Hashable {
  /// The part of the value that the log lacks.
  public var kind: Kind
  /// The part of the log that contains the value.
  public var part: LogSection
  /// The name of the effect, the key of the read, or the type of the cancellation id to which the value belongs.
  ///
  /// `nil` for values in the state and in actions.
  public var owner: String?
  /// The value's path within `part`.
  ///
  /// The token `*` stands for all rows, and for all keys of a large dictionary.
  public var place: JSON.Pointer
  /// The name of the value's type.
  public var type: String
  /// The reason why the value could not be written, or `nil` if the value's type is the reason.
  public var reason: String?

  /// Creates a description of an uncompared value.
  public init(
    _ kind: Kind,
    in part: LogSection,
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

  /// A part of a value that a log can lack.
  ///
  /// ```swift
  /// let opaque = log.notCompared.filter { $0.kind == .opaque }.map(\.type)  // ["Note"]
  /// ```
  public enum Kind: Sendable, Hashable {
    /// The log holds only the value's type, as in `{"$opaque":"Note"}`, so the value is not compared.
    case opaque
    /// The log lacks an error's value, or this build lacks the error's type.
    ///
    /// A replay decodes such an error as a `LoggedError`.
    case error
  }

  /// The parts of a log that contain values.
  ///
  /// ```swift
  /// let inState = log.notCompared.filter { $0.part == .state }
  /// ```
  public enum LogSection: String, Sendable, Hashable, CaseIterable {
    /// The feature's state.
    case state
    /// An action, sent from outside or by the reducer.
    case action
    /// The input that the app declared for an effect.
    case input
    /// An id under which effects are canceled.
    case cancelID
    /// A value that the reducer read from a dependency.
    case read
    /// The error that an effect threw.
    case error
    /// Information about effects that isn't exposed by the library that runs the app's reducers.
    ///
    /// In such a value, `type` describes the missing information for people.
    case effects
  }
}

extension UncomparedValue {
  /// The value as a JSON object, as reports contain it.
  public var json: JSON {
    var object: JSON.Object = ["in": .string(part.rawValue)]
    object["of"] = owner.map(JSON.string)
    object["place"] = .string(place.description)
    object["type"] = .string(type)
    object["reason"] = reason.map(JSON.string)
    return .object(object)
  }

  /// Creates an uncompared value from the object that `json` returns, or returns `nil` for other JSON.
  init?(json: JSON) {
    guard let part = json["in"]?.string.flatMap(LogSection.init(rawValue:)),
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

  /// Returns a finding that reports the value.
  package func finding(at seq: Int) -> LogEvent.Finding {
    var json = json
    if kind == .error, case .object(var object) = json {
      object["kind"] = .string(Self.errorKind)
      json = .object(object)
    }
    return LogEvent.Finding(seq: seq, code: .opaque, subject: place.description, expected: json)
  }

  /// The value of the JSON member that distinguishes errors from opaque values.
  private static let errorKind = "error"

  /// Creates the uncompared value that a finding reports, or returns `nil` for findings of other kinds.
  package init?(_ finding: LogEvent.Finding) {
    guard finding.code == .opaque, let json = finding.expected else { return nil }
    self.init(json: json)
  }
}

extension UncomparedValue: Comparable {
  /// Orders uncompared values by part, owner, path, type, and reason.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    func rank(_ value: Self) -> Int { LogSection.allCases.firstIndex(of: value.part) ?? 0 }
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

// MARK: - Text for people

extension UncomparedValue {
  /// The value of `reason` for an error that the log holds completely, but whose type this build lacks.
  static let isUnknownHere = "this build has no such type"

  /// Returns the type and path as text for people, such as `Note at path[*].notes`.
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

  /// Whether the library that runs the app's reducers doesn't expose this information for any effect.
  ///
  /// A run mentions such a value only once for all its logs.
  package var isOfModel: Bool { part == .effects && place.tokens.isEmpty }

  /// The path without the token of a case's payload at its end.
  private var readable: JSON.Pointer {
    guard part == .action, place.tokens.count > 1, place.tokens.last == "_0" else { return place }
    return JSON.Pointer(Array(place.tokens.dropLast()))
  }

  /// Returns an instruction that makes the value loggable, such as a macro to add to its type.
  ///
  /// - Parameter remedies: The instructions in the log itself.
  /// - Returns: The instruction, as text for people.
  package func remedy(_ remedies: OpaqueTypeRemedies = OpaqueTypeRemedies()) -> String {
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

  /// Returns a recorder's message about the value, with an instruction that makes the value loggable.
  package func notice(_ remedies: OpaqueTypeRemedies = OpaqueTypeRemedies()) -> String {
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

  /// Returns a list of values on one line, such as `Note at path[*].notes, Pen at pen and 3 more`.
  package static func list(
    _ values: [UncomparedValue],
    _ notation: Notation = Notation()
  ) -> String {
    let shown = values.prefix(mostListed).map { $0.text(notation) }.joined(separator: ", ")
    let rest = values.count - mostListed
    return rest > 0 ? "\(shown) and \(rest) more" : shown
  }

  /// The maximum number of values in a list, which keeps the line readable.
  private static let mostListed = 6
}

extension UncomparedValue {
  /// The former name of `LogSection`.
  @available(*, deprecated, renamed: "LogSection")
  public typealias Part = LogSection
}
