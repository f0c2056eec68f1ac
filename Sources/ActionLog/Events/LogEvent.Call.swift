extension LogEvent {
  /// A call that an effect made to an endpoint of a dependency client, and the call's outcome.
  ///
  /// Calls are informational. Replays neither need nor compare them.
  ///
  /// ```json
  /// {"kind":"call","id":"1.0","key":"APIClient.fetch","arguments":[42],"result":{"name":"Milk"},"at":5203,"us":1840}
  /// ```
  public struct Call: Sendable, Equatable {
    /// The id of the effect that made the call.
    public var id: EffectID
    /// The names of the client and the endpoint, such as `APIClient.fetch`.
    public var key: String
    /// The arguments, in the order of the parameters.
    public var arguments: [JSON]
    /// The outcome of the call, or `nil` if the log ended before the call did.
    public var outcome: Outcome?
    /// Whether the call's task had been canceled when the call ended.
    ///
    /// ```swift
    /// if call.isCancelled { print("\(call.key) ended \(call.us) µs after it began, canceled") }
    /// ```
    public var isCancelled: Bool
    /// The time at which the call began, in microseconds since the start of the recording.
    public var at: Int
    /// The duration of the call in microseconds.
    public var us: Int
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// The value that a call returned, or the error that it threw.
    ///
    /// ```swift
    /// if case .threw(let error) = call.outcome { print("\(call.key) threw \(error)") }
    /// ```
    public enum Outcome: Hashable, Sendable {
      /// The call returned a value.
      ///
      /// `Void` is written as an empty object.
      case returned(JSON)
      /// The call threw an error.
      case threw(JSON)
    }

    /// Creates the event of a call.
    public init(
      id: EffectID,
      key: String,
      arguments: [JSON] = [],
      outcome: Outcome? = nil,
      isCancelled: Bool = false,
      at: Int,
      us: Int = 0
    ) {
      self.id = id
      self.key = key
      self.arguments = arguments
      self.outcome = outcome
      self.isCancelled = isCancelled
      self.at = at
      self.us = us
    }
  }
}

extension LogEvent.Call {
  init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
    id = try members.required("id", "a string such as \"1.0\"") { $0.string.flatMap(EffectID.init) }
    key = try members.required("key", "a string") { $0.string }
    arguments = try members.optional("arguments", "an array") { $0.json.array } ?? []
    let (result, error) = (members.json("result"), members.json("error"))
    switch (result, error) {
    case (nil, nil): outcome = nil
    case (let result?, nil): outcome = .returned(result)
    case (nil, let error?): outcome = .threw(error)
    case (_?, _?): throw members.error("error", "either 'result' or 'error'")
    }
    isCancelled = try members.optional("cancelled", "true or false") { $0.bool } ?? false
    at = try members.number("at") ?? 0
    us =
      try members.optional("us", "a whole number from 0") {
        $0.int.flatMap { $0 < 0 ? nil : $0 }
      } ?? 0
    rest = members.rest
  }

  func encode(to encoder: inout LogEncoder) {
    encoder.beginEvent("call")
    encoder.field("id", id.description)
    encoder.field("key", key)
    encoder.field("arguments", JSON.array(arguments))
    switch outcome {
    case .returned(let value): encoder.field("result", value)
    case .threw(let error): encoder.field("error", error)
    case nil: break
    }
    if isCancelled { encoder.field("cancelled", true) }
    encoder.field("at", at)
    encoder.field("us", us)
    encoder.endEvent(rest)
  }
}

extension LogEvent.Call {
  /// The arguments and the outcome of the call, each with its path relative to the endpoint's key.
  package var values: [(tokens: [String], value: JSON)] {
    var values = arguments.enumerated().map { (tokens: ["arguments", "\($0)"], value: $1) }
    switch outcome {
    case .returned(let value): values.append((["result"], value))
    case .threw(let error): values.append((["error"], error))
    case nil: break
    }
    return values
  }
}
