extension LogEvent {
  /// A step in the life of an effect.
  ///
  /// ```json
  /// {"kind":"effect","id":"1.0","event":"finished","sent":1,"at":5204}
  /// ```
  public struct Effect: Sendable, Equatable {
    /// The name of the effect.
    public var id: EffectID
    /// The step in the life of the effect.
    public var event: Event
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The members that this version doesn't know.
    public var rest: JSON.Object {
      get { unknown.object }
      set { unknown.object = newValue }
    }
    private var unknown = UnknownMembers()

    /// A step in the life of an effect.
    ///
    /// ```json
    /// {"kind":"effect","id":"1.0","event":"cancelled","by":{"action":3},"at":5204}
    /// ```
    public enum Event: Hashable, Sendable {
      /// The effect started later than its action, because it had waited for another effect.
      case started
      /// The operation returned after it had sent this number of actions.
      case finished(sent: Int)
      /// The effect was cancelled.
      ///
      /// Actions that it sends from now on are dropped.
      ///
      /// `dropping` counts the concatenations around the effect, from the inside, that start no further effects. It
      /// leaves out concatenations that an action's effects drop, because these follow from the effects.
      case cancelled(by: Canceller, dropping: Int = 0)
      /// The operation threw this error and didn't catch it.
      case failed(JSON)
    }

    /// The cause of a cancellation.
    ///
    /// ```swift
    /// LogEvent.Effect.Canceller.action(seq: 3).json  // {"action":3}
    /// LogEvent.Effect.Canceller.store.json           // "store"
    /// ```
    public enum Canceller: Hashable, Sendable {
      /// The effects that the reducer returned for this action.
      case action(seq: Int)
      /// Another effect.
      case effect(EffectID)
      /// The caller of `send`, through the task that `send` returned.
      case task
      /// The end of the store.
      case store
    }

    /// Creates a step in the life of an effect.
    public init(id: EffectID, event: Event, at: Int) {
      self.id = id
      self.event = event
      self.at = at
    }
  }
}

extension LogEvent.Effect {
  init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
    id = try members.required("id", "a string such as \"1.0\"") { $0.string.flatMap(EffectID.init) }
    let name = try members.required("event", "a string") { $0.string }
    switch name {
    case "started": event = .started
    case "finished":
      event = .finished(sent: try members.count("sent") ?? 0)
    case "cancelled":
      event = .cancelled(
        by: try members.required("by", Canceller.expected) { Canceller(json: $0.json) },
        dropping: try members.count("drops") ?? 0
      )
    case "failed": event = .failed(members.json("error") ?? .null)
    default:
      throw members.error("event", "\"started\", \"finished\", \"cancelled\" or \"failed\"")
    }
    at = try members.number("at") ?? 0
    rest = members.rest
  }

  func encode(to encoder: inout LogEncoder) {
    encoder.beginEvent("effect")
    encoder.field("id", id.description)
    switch event {
    case .started: encoder.field("event", "started")
    case .finished(let sent):
      encoder.field("event", "finished")
      encoder.field("sent", sent)
    case .cancelled(let canceller, let dropping):
      encoder.field("event", "cancelled")
      encoder.field("by", canceller.json)
      if dropping > 0 { encoder.field("drops", dropping) }
    case .failed(let error):
      encoder.field("event", "failed")
      encoder.field("error", error)
    }
    encoder.field("at", at)
    encoder.endEvent(rest)
  }
}

extension LogEvent.Effect.Canceller {
  static let expected =
    "\"task\", \"store\", an object with 'action', or an object with 'effect'"

  init?(json: JSON) {
    if let text = json.string {
      switch text {
      case "task": self = .task
      case "store": self = .store
      default: return nil
      }
    } else if let seq = json["action"]?.int {
      self = .action(seq: seq)
    } else if let text = json["effect"]?.string, let id = EffectID(text) {
      self = .effect(id)
    } else {
      return nil
    }
  }

  /// The canceller in the JSON form of a log.
  public var json: JSON {
    switch self {
    case .action(let seq): ["action": .number(JSON.Number(seq))]
    case .effect(let id): ["effect": .string(id.description)]
    case .task: "task"
    case .store: "store"
    }
  }
}
