extension LogEvent {
  /// An action of a recording.
  ///
  /// The event is written before the reducer runs, so the log has it even if the action ends the app. After a
  /// `Withheld` event, it is written together with the change.
  ///
  /// ```json
  /// {"kind":"action","seq":1,"at":1203,"origin":"view","action":{"addButtonTapped":{}}}
  /// ```
  public struct Action: Sendable, Equatable {
    /// The action's number, counted from 1.
    public var seq: Int
    /// The time in microseconds since the start of the recording.
    ///
    /// Measured with a clock that also runs while the machine sleeps.
    public var at: Int
    /// The sender of the action.
    public var origin: Origin
    /// The action as a JSON value.
    public var action: JSON {
      get { logged.json }
      set { logged = JSONText(newValue) }
    }
    /// The paths of shared values in the action, each with the path of the same value in the state before the action.
    ///
    /// `nil` if the action contains no shared value.
    public var shared: JSON?
    /// The members that this version doesn't know, kept for encoding.
    public var rest: JSON.Object {
      get { unknown.object }
      set { unknown.object = newValue }
    }
    /// The action, possibly as unparsed text.
    package var logged: JSONText
    private var unknown = UnknownMembers()

    /// Creates the event of an action.
    public init(seq: Int, at: Int, origin: Origin, action: JSON, shared: JSON? = nil) {
      self.init(seq: seq, at: at, origin: origin, logged: JSONText(action), shared: shared)
    }

    /// Creates the event of an action, possibly from unparsed text.
    package init(seq: Int, at: Int, origin: Origin, logged: JSONText, shared: JSON? = nil) {
      self.seq = seq
      self.at = at
      self.origin = origin
      self.logged = logged
      self.shared = shared
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      at = try members.number("at") ?? 0
      origin = try members.required("origin", Origin.expected) { Origin($0) }
      logged = try members.requiredText("action")
      shared = try members.shared()
      unknown = members.unknown
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("action")
      encoder.field("seq", seq)
      encoder.field("at", at)
      encoder.field("origin", origin.json)
      encoder.field("action", logged)
      encoder.field("shared", ifPresent: shared)
      encoder.endEvent(rest)
    }
  }

  /// The sender of an action.
  ///
  /// ```swift
  /// LogEvent.Origin.view.json                                // "view"
  /// LogEvent.Origin.effect(EffectID(seq: 1, index: 0)).json  // {"effect":"1.0"}
  /// LogEvent.Origin.reentrant(seq: 3).json                   // {"reentrant":3}
  /// ```
  public enum Origin: Hashable, Sendable {
    /// The app: a view, a test, or other code that called the store.
    case view
    /// An effect, or the library on behalf of an effect.
    ///
    /// - Parameter via: The operation with which the library sent the action, such as `dismiss`, or `nil` if the effect
    ///   sent the action itself.
    indirect case effect(EffectID, via: String? = nil)
    /// A call of the store while the store was handling action `seq`.
    case reentrant(seq: Int)
    /// An effect of a reducer around the recorded one.
    ///
    /// To the recorded feature, these actions come from outside, like those of a view.
    case parent

    static let expected =
      "\"view\", \"parent\", an object with 'effect', or an object with 'reentrant'"

    init?(_ text: JSONText) {
      if text.hasText(#""view""#) {
        self = .view
      } else {
        self.init(json: text.json)
      }
    }

    private init?(json: JSON) {
      if let text = json.string {
        switch text {
        case "view": self = .view
        case "parent": self = .parent
        default: return nil
        }
      } else if let text = json["effect"]?.string, let id = EffectID(text) {
        self = .effect(id, via: json["via"]?.string)
      } else if let seq = json["reentrant"]?.int {
        self = .reentrant(seq: seq)
      } else {
        return nil
      }
    }

    /// The origin in the JSON form that logs use.
    public var json: JSON {
      switch self {
      case .view: return "view"
      case .parent: return "parent"
      case .effect(let id, let via):
        var object: JSON.Object = ["effect": .string(id.description)]
        object["via"] = via.map(JSON.string)
        return .object(object)
      case .reentrant(let seq): return ["reentrant": .number(JSON.Number(seq))]
      }
    }
  }
}

extension LogEvent.Origin {
  /// Creates an origin from the value that `json` returns, or returns `nil` for other JSON.
  package static func reading(_ json: JSON) -> LogEvent.Origin? { LogEvent.Origin(JSONText(json)) }
}

extension LogEvent {
  /// A value that the reducer read from its dependencies while it handled an action.
  ///
  /// ```json
  /// {"kind":"read","seq":1,"key":"uuid","value":"00000000-0000-0000-0000-000000000001"}
  /// ```
  public struct Read: Sendable, Equatable {
    /// The number of the action that the reducer was handling.
    public var seq: Int
    /// The name of the dependency or endpoint, such as `uuid`, `date`, or `AuthClient.token`.
    public var key: String
    /// The value that the dependency returned.
    public var value: JSON {
      get { logged.json }
      set { logged = JSONText(newValue) }
    }
    /// The value, possibly as unparsed text.
    package var logged: JSONText
    /// The members that this version doesn't know, kept for encoding.
    public var rest: JSON.Object {
      get { unknown.object }
      set { unknown.object = newValue }
    }
    private var unknown = UnknownMembers()

    /// Creates the event of a read.
    public init(seq: Int, key: String, value: JSON) {
      self.seq = seq
      self.key = key
      logged = JSONText(value)
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      key = try members.required("key", "a string") { $0.string }
      logged = try members.requiredText("value")
      unknown = members.unknown
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("read")
      encoder.field("seq", seq)
      encoder.field("key", key)
      encoder.field("value", logged)
      encoder.endEvent(rest)
    }
  }
}
