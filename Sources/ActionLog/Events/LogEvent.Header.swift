extension LogEvent {
  /// The first line of a log, which describes the recording and its environment.
  ///
  /// ```json
  /// {"kind":"header","format":"tca-replay","version":1,"requires":[],"id":"1E8571D9-6CC2-437E-8A5C-07C344379EC5",
  ///  "feature":"Counter","stateType":"Counter.State","startedAt":"2026-11-21T09:31:26Z","recorder":"0.2.0",
  ///  "environment":{"os":"iOS","locale":"en_US"},"segment":1}
  /// ```
  ///
  /// The example is wrapped. In a log, the header is a single line.
  public struct Header: Sendable, Equatable {
    /// The version of the log's format.
    public var version = LogEvent.version
    /// The capabilities that a reader must support.
    public var requires: [String] = []
    /// A unique id for the log.
    ///
    /// A log that is derived from this log keeps the id.
    public var id: String
    /// The name of the recorded feature.
    public var feature: String
    /// The name of the feature's state type, without its module.
    public var stateType: String
    /// The time at which the recording started, in ISO 8601 format.
    public var startedAt: String
    /// The version of the recorder that wrote the log.
    public var recorder: String
    /// The app's name, version, build, and revision, if known.
    public var app: JSON?
    /// The version of the app's own schema, or `nil` if the state type declares none.
    public var schemaVersion: Int?
    /// Digests of the structure of the feature's state and action, as `{"state":"...","action":"..."}`.
    public var schema: JSON?
    /// The path from the root feature to the recorded feature.
    ///
    /// Empty if the root itself was recorded.
    public var scope: [JSON] = []
    /// The masks of the recording, or `nil` if it had none.
    ///
    /// ```swift
    /// header.masked?.state.map(\.description)  // ["/user/email"]
    /// ```
    public var masked: LogMasks?
    /// Whether the log describes opaque values with text, in addition to their type.
    ///
    /// ```swift
    /// if !header.rendersOpaqueValues { print("functions and objects are shown by their type alone") }
    /// ```
    public var rendersOpaqueValues = false
    /// The log and action from which the store continued, or `nil` if it started with its initial state.
    ///
    /// ```swift
    /// if let origin = header.continues { print("goes on after action \(origin.seq) of the log \(origin.log)") }
    /// ```
    public var continues: Continuation?
    /// The environment of the recording: system, Swift version, locale, time zone, calendar, and dependency context.
    public var environment: JSON
    /// The number of this segment of the recording, counted from 1.
    public var segment = 1
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// The position in another log from which a store continued.
    ///
    /// ```json
    /// {"log":"1E8571D9-6CC2-437E-8A5C-07C344379EC5","seq":12}
    /// ```
    public struct Continuation: Sendable, Hashable {
      /// The id in the other log's header.
      public var log: String
      /// The number of the other log's action after which this log starts.
      ///
      /// This log numbers its actions from the next number.
      public var seq: Int

      /// Creates a position in another log.
      public init(log: String, seq: Int) {
        self.log = log
        self.seq = seq
      }
    }

    /// Creates a header with the current version of the format.
    public init(
      id: String,
      feature: String,
      stateType: String,
      startedAt: String,
      recorder: String,
      app: JSON? = nil,
      schemaVersion: Int? = nil,
      environment: JSON = [:]
    ) {
      self.id = id
      self.feature = feature
      self.stateType = stateType
      self.startedAt = startedAt
      self.recorder = recorder
      self.app = app
      self.schemaVersion = schemaVersion
      self.environment = environment
    }
  }
}

extension LogEvent.Header {
  init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
    _ = try members.required("format", "the string \"\(LogEvent.format)\"") {
      $0.string == LogEvent.format ? true : nil
    }
    version = try members.required("version", "a whole number") { $0.int }
    requires =
      try members.optional("requires", "an array of strings") { text in
        let json = text.json
        guard let names = json.array?.compactMap(\.string), names.count == json.array?.count
        else { return nil }
        return names
      } ?? []
    id = try members.required("id", "a string") { $0.string }
    feature = try members.required("feature", "a string") { $0.string }
    stateType = try members.optional("stateType", "a string") { $0.string } ?? ""
    startedAt = try members.optional("startedAt", "a string") { $0.string } ?? ""
    recorder = try members.optional("recorder", "a string") { $0.string } ?? ""
    app = members.json("app")
    schemaVersion = try members.number("schemaVersion")
    schema = members.json("schema")
    scope = try members.optional("scope", "an array") { $0.json.array } ?? []
    masked = try members.optional("masked", LogMasks.expected) { LogMasks(json: $0.json) }
    rendersOpaqueValues = try members.optional("shown", "true or false") { $0.bool } ?? false
    continues = try members.optional("continues", Continuation.expected) {
      Continuation(json: $0.json)
    }
    environment = members.json("environment") ?? [:]
    segment = try members.number("segment") ?? 1
    rest = members.rest
  }

  func encode(to encoder: inout LogEncoder) {
    encoder.beginEvent("header")
    encoder.field("format", LogEvent.format)
    encoder.field("version", version)
    encoder.field("requires", requires)
    encoder.field("id", id)
    encoder.field("feature", feature)
    encoder.field("stateType", stateType)
    encoder.field("startedAt", startedAt)
    encoder.field("recorder", recorder)
    encoder.field("app", ifPresent: app)
    encoder.field("schemaVersion", ifPresent: schemaVersion)
    encoder.field("schema", ifPresent: schema)
    if !scope.isEmpty { encoder.field("scope", scope) }
    encoder.field("environment", environment)
    encoder.field("masked", ifPresent: masked?.json)
    if rendersOpaqueValues { encoder.field("shown", true) }
    encoder.field("continues", ifPresent: continues?.json)
    encoder.field("segment", segment)
    encoder.endEvent(rest)
  }

  /// The reason why this version must not read the log, as text for people.
  ///
  /// `nil` if this version can read the log.
  ///
  /// ```swift
  /// header.refusal  // the log requires deltas, which this program does not know: use a newer tca-replay
  /// ```
  public var refusal: String? {
    if version > LogEvent.version {
      return "the log has format version \(version), this program reads up to version"
        + " \(LogEvent.version): use a newer tca-replay"
    }
    let unknown = requires.filter { !LogEvent.capabilities.contains($0) }
    guard !unknown.isEmpty else { return nil }
    return "the log requires \(unknown.joined(separator: ", ")), which this program does not know:"
      + " use a newer tca-replay"
  }
}

extension LogEvent.Header.Continuation {
  fileprivate static let expected = "an object with the string 'log' and the whole number 'seq'"

  fileprivate init?(json: JSON) {
    guard let log = json["log"]?.string, let seq = json["seq"]?.int, seq >= 0 else { return nil }
    self.init(log: log, seq: seq)
  }

  package var json: JSON { ["log": .string(log), "seq": .number(JSON.Number(seq))] }
}

extension LogEvent.Header {
  /// Whether the recorder used rules under which effects could outlive their child feature.
  ///
  /// Recorders before 0.2 noticed the removal of a presented feature or a stack element only if the value that
  /// contained it still existed.
  package var endsChildrenByEarlierRules: Bool {
    let numbers = recorder.split(separator: ".").prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && numbers[0] == 0 && numbers[1] < 2
  }
}

extension LogEvent {
  /// The last line of a log that was closed.
  ///
  /// ```json
  /// {"kind":"end","seq":2,"reason":"closed"}
  /// ```
  public struct End: Sendable, Equatable {
    /// The number of the last action in the log.
    public var seq: Int
    /// The reason why the log ends: `closed` if the store ended, or `segment` if another segment follows.
    public var reason: String
    /// The members that this version doesn't know, kept for encoding.
    public var rest = JSON.Object()

    /// The value of `reason` if another segment follows.
    public static let segment = "segment"

    /// Creates the event that closes a log.
    public init(seq: Int, reason: String) {
      self.seq = seq
      self.reason = reason
    }

    init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
      seq = try members.seq()
      reason = try members.required("reason", "a string") { $0.string }
      rest = members.rest
    }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginEvent("end")
      encoder.field("seq", seq)
      encoder.field("reason", reason)
      encoder.endEvent(rest)
    }
  }
}
