extension LogEvent {
  /// A step in the life of an effect.
  ///
  /// ```json
  /// {"kind":"effect","id":"1.0","event":"finished","sent":1,"at":5204}
  /// ```
  public struct Effect: Sendable, Equatable {
    /// The effect's id in the log.
    public var id: EffectID
    /// The step: the effect's start, end, cancellation, or failure.
    public var event: Event
    /// The time in microseconds since the start of the recording.
    public var at: Int
    /// The members that this version doesn't know, kept for encoding.
    public var rest: JSON.Object {
      get { unknown.object }
      set { unknown.object = newValue }
    }
    private var unknown = UnknownMembers()

    /// The steps in the life of an effect.
    ///
    /// ```json
    /// {"kind":"effect","id":"1.0","event":"cancelled","by":{"action":3},"at":5204}
    /// ```
    public enum Event: Hashable, Sendable {
      /// The effect started, after it had waited for another effect to end.
      ///
      /// An effect that starts with its action has no such event.
      case started
      /// The operation returned.
      ///
      /// - Parameter sent: The number of actions that the effect sent.
      case finished(sent: Int)
      /// The effect was canceled.
      ///
      /// Actions that the effect sends after this event are dropped.
      ///
      /// - Parameters:
      ///   - by: The cause of the cancellation.
      ///   - dropping: The number of concatenations around the effect, counted from the innermost, that start no
      ///     further effects. Concatenations that an action's effects drop don't count, because a reader of the log
      ///     derives these drops from the effects.
      case cancelled(by: Canceller, dropping: Int = 0)
      /// The operation threw an error.
      case failed(JSON)
    }

    /// The cause of a cancellation.
    ///
    /// ```swift
    /// LogEvent.Effect.Canceller.action(seq: 3).json  // {"action":3}
    /// LogEvent.Effect.Canceller.store.json           // "store"
    /// ```
    public enum Canceller: Hashable, Sendable {
      /// The effects that the reducer returned for action `seq`.
      case action(seq: Int)
      /// Another effect, given by its id.
      case effect(EffectID)
      /// The caller of `send`, through the task that `send` returned.
      case task
      /// The end of the store.
      case store
    }

    /// Creates the event of a step in the life of an effect.
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

  /// The cause of the cancellation in the JSON form that logs use.
  public var json: JSON {
    switch self {
    case .action(let seq): ["action": .number(JSON.Number(seq))]
    case .effect(let id): ["effect": .string(id.description)]
    case .task: "task"
    case .store: "store"
    }
  }
}
