/// An event, which is one line of a log.
///
/// Events are in chronological order.
///
/// `Documentation/LogFormat.md` specifies the format. An event takes one machine word, because its payload is stored by
/// reference.
///
/// ```swift
/// let event = try LogEvent(json: ["kind": "note", "seq": 1, "at": 20, "text": "lost"])
/// event.kind                                   // note
/// String(decoding: event.line, as: UTF8.self)  // {"kind":"note","seq":1,"at":20,"text":"lost"}
/// ```
public indirect enum LogEvent: Sendable, Equatable {
  /// The first line of a log, which describes the recording.
  case header(Header)
  /// The complete state at some point in the log.
  case checkpoint(Checkpoint)
  /// An action whose own event is written later, together with its change.
  case withheld(Withheld)
  /// An action, usually written before the reducer runs.
  case action(Action)
  /// A value that the reducer read from its dependencies.
  case read(Read)
  /// The result of an action: the state's change and the effects.
  case change(Change)
  /// A step in the life of an effect.
  case effect(Effect)
  /// A call that an effect made to a dependency, and its outcome.
  case call(Call)
  /// A state change that no recorded action made.
  case external(External)
  /// An action that the recording's filter left out.
  case excluded(Excluded)
  /// A gap where events are missing from the log.
  case gap(Gap)
  /// A note that the app added to its recording.
  case note(Note)
  /// A replay's finding about an action, in addition to the action's result.
  case finding(Finding)
  /// The last line of a log that was closed.
  case end(End)
  /// An event whose kind this version doesn't know.
  ///
  /// The event keeps all of its members unchanged.
  case unknown(kind: String, JSON.Object)

  /// The name of the format, which each header contains.
  public static let format = "tca-replay"
  /// The version of the format that this code reads and writes.
  public static let version = 1
  /// The capabilities that this version supports, by their names in a header's `requires`.
  ///
  /// ```swift
  /// let isReadable = LogEvent.capabilities.isSuperset(of: header.requires)
  /// ```
  public static let capabilities: Set<String> = [splices, withholding]
  /// The name of the capability that a log requires if its patches can splice strings.
  package static let splices = "splice"
  /// The name of the capability that a log requires if actions can be written together with their changes.
  package static let withholding = "withheld"
}

extension LogEvent {
  /// The kind of event, as its `kind` member names it.
  public var kind: String {
    switch self {
    case .header: "header"
    case .checkpoint: "checkpoint"
    case .withheld: "withheld"
    case .action: "action"
    case .read: "read"
    case .change: "change"
    case .effect: "effect"
    case .call: "call"
    case .external: "external"
    case .excluded: "excluded"
    case .gap: "gap"
    case .note: "note"
    case .finding: "finding"
    case .end: "end"
    case .unknown(let kind, _): kind
    }
  }

  /// The number of the action to which the event belongs.
  ///
  /// `nil` for headers and unknown events, and for the events of effects and calls, whose ids contain the number.
  public var seq: Int? {
    switch self {
    case .header, .effect, .call, .unknown: nil
    case .checkpoint(let event): event.seq
    case .withheld(let event): event.seq
    case .action(let event): event.seq
    case .read(let event): event.seq
    case .change(let event): event.seq
    case .external(let event): event.seq
    case .excluded(let event): event.seq
    case .gap(let event): event.seq
    case .note(let event): event.seq
    case .finding(let event): event.seq
    case .end(let event): event.seq
    }
  }
}

extension LogEvent {
  /// Creates an event from the JSON value of its line.
  ///
  /// - Throws: A `LogEvent.SyntaxError` if a required member is missing or has another form.
  public init(json: JSON) throws(SyntaxError) {
    var members = EventMembers()
    let (bytes, range) = JSONText(json).place
    guard let event = try members.event(bytes, range) else {
      throw SyntaxError(kind: nil, member: "kind", expected: "a string", found: nil)
    }
    self = event
  }

  /// Creates an event from its line without the line feed, or returns `nil` if the line is not an event.
  package init?(line: some Collection<UInt8>) {
    let bytes = LogBytes(Array(line))
    var members = EventMembers()
    guard let event = try? members.event(bytes, 0..<bytes.count) else { return nil }
    self = event
  }

  /// Creates an event by reading the members of its line.
  init(_ members: inout EventMembers) throws(SyntaxError) {
    try members.readKind()
    if members.isKind("action") {
      self = .action(try Action(&members))
    } else if members.isKind("change") {
      self = .change(try Change(&members))
    } else if members.isKind("effect") {
      self = .effect(try Effect(&members))
    } else if members.isKind("call") {
      self = .call(try Call(&members))
    } else if members.isKind("read") {
      self = .read(try Read(&members))
    } else if members.isKind("header") {
      self = .header(try Header(&members))
    } else if members.isKind("checkpoint") {
      self = .checkpoint(try Checkpoint(&members))
    } else if members.isKind("withheld") {
      self = .withheld(try Withheld(&members))
    } else if members.isKind("external") {
      self = .external(try External(&members))
    } else if members.isKind("excluded") {
      self = .excluded(try Excluded(&members))
    } else if members.isKind("gap") {
      self = .gap(try Gap(&members))
    } else if members.isKind("note") {
      self = .note(try Note(&members))
    } else if members.isKind("finding") {
      self = .finding(try Finding(&members))
    } else if members.isKind("end") {
      self = .end(try End(&members))
    } else {
      self = .unknown(kind: members.kind, members.all())
    }
  }

  /// The event as one line of a log in UTF-8, without a line feed.
  public var line: [UInt8] {
    var encoder = LogEncoder()
    encode(to: &encoder)
    return encoder.bytes
  }

  /// Encodes the event as one JSON object.
  public func encode(to encoder: inout LogEncoder) {
    switch self {
    case .header(let event): event.encode(to: &encoder)
    case .checkpoint(let event): event.encode(to: &encoder)
    case .withheld(let event): event.encode(to: &encoder)
    case .action(let event): event.encode(to: &encoder)
    case .read(let event): event.encode(to: &encoder)
    case .change(let event): event.encode(to: &encoder)
    case .effect(let event): event.encode(to: &encoder)
    case .call(let event): event.encode(to: &encoder)
    case .external(let event): event.encode(to: &encoder)
    case .excluded(let event): event.encode(to: &encoder)
    case .gap(let event): event.encode(to: &encoder)
    case .note(let event): event.encode(to: &encoder)
    case .finding(let event): event.encode(to: &encoder)
    case .end(let event): event.encode(to: &encoder)
    case .unknown(_, let object): JSON.object(object).encode(to: &encoder)
    }
  }
}

extension LogEvent {
  /// An error for a line of JSON that is not an event.
  ///
  /// ```swift
  /// do { _ = try LogEvent(json: ["kind": "note", "seq": 1]) } catch { print(error) }
  /// // event 'note' has no member 'text'; expected a string
  /// ```
  public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind that the line names, or `nil` if it names none.
    public let kind: String?
    /// The name of the member that is missing or invalid.
    public let member: String
    /// The expected form of the member, as text for people.
    public let expected: String
    /// The member's value, or `nil` if the member is missing.
    public let found: JSON?

    /// The error as text: kind and member, the value that was found, and the expected form.
    public var description: String { Wording.describe(self) }
  }
}

extension LogEvent {
  /// The members that this version doesn't know.
  ///
  /// Empty for an unknown event, which stores all members itself.
  package var rest: JSON.Object {
    switch self {
    case .header(let event): event.rest
    case .checkpoint(let event): event.rest
    case .withheld(let event): event.rest
    case .action(let event): event.rest
    case .read(let event): event.rest
    case .change(let event): event.rest
    case .effect(let event): event.rest
    case .call(let event): event.rest
    case .external(let event): event.rest
    case .excluded(let event): event.rest
    case .gap(let event): event.rest
    case .note(let event): event.rest
    case .finding(let event): event.rest
    case .end(let event): event.rest
    case .unknown: JSON.Object()
    }
  }

  /// Returns the event with `new` in place of its unknown members, or the same event if it has none.
  package func replacing(rest new: JSON.Object) -> LogEvent {
    guard !rest.isEmpty, var object = (try? JSON(parsing: line))?.object else { return self }
    for (name, _) in rest { object[name] = nil }
    for (name, value) in new { object[name] = value }
    return (try? LogEvent(json: .object(object))) ?? .unknown(kind: kind, object)
  }
}

extension LogEvent {
  /// The range of valid action numbers and counts in a log.
  package static let seqs = 0...EventMembers.largestSeq
}

extension JSON {
  /// The value as an action number or count, or `nil` if it isn't an integer or is out of range.
  package var count: Int? { int.flatMap { LogEvent.seqs.contains($0) ? $0 : nil } }
}
