import ActionLog
import ReplayCommands
import ReplayEngine

/// The protocol between a tool and its serving host: JSON Lines on the host's standard input and output.
///
/// The tool starts with a greeting, and the host answers with `hello`. Each request has a number, which its answers
/// repeat. The last answer to a check is `end` or `failure`.
///
/// The protocol is private. If the versions differ, the tool uses the filter `replay -` instead.
package enum ServeProtocol {
  package static let command = "serve"
  /// The version of the protocol and of the comparison.
  ///
  /// A host with another version could return different results than the tool expects.
  package static let version = "3/\(Version.current)"

  /// The first line that a tool sends to a host.
  static var greeting: [UInt8] { Array("{\"hello\":\(JSON.string(version))}\n".utf8) }

  /// Returns whether a line is a tool's greeting, in any version of the protocol.
  package static func isGreeting(_ json: JSON) -> Bool { json["hello"] != nil }

  /// A request to replay a log and compare the replay with it.
  package struct CheckRequest: Equatable {
    package var number: Int
    package var log: LogSlice
    package var until: Int
    /// The number of the action before which the host waits for a debugger, or `nil` to replay without a pause.
    package var pauseBefore: Int?
    package var feature: String?
    package var isContinuing: Bool
    package var options: LogComparison.Options
  }

  /// A request to search in the host's memory.
  ///
  /// Only the analysis in the tool and its counterpart in the host interpret the content of the request.
  package struct SearchRequest: Equatable {
    package var number: Int
    package var request: JSON

    package init(number: Int, request: JSON) { (self.number, self.request) = (number, request) }
  }

  /// A request to draw a state.
  package struct DrawRequest: Equatable {
    package var number: Int
    package var request: PictureRequest
  }

  /// A message from a host.
  package enum Reply {
    case hello(version: String)
    /// Further differences that a check has found.
    case differences([LogDifference])
    /// Further notes that a check has made, which are not differences.
    case notes([LogEvent.Finding])
    /// An intermediate result of a search.
    case searching(JSON)
    /// The final result of a search.
    case searched(JSON)
    /// The result of a check, without its differences and notes.
    case end(LogComparison.Result)
    case failure(Failure)
    /// The result of a proof request: the proof, or `nil` if the stretch could not be proved.
    case proof(StretchProof?)
    /// The result of a drawing request.
    case picture(PictureOutcome)
  }

  /// The reason why a host can't check or draw a log.
  package enum Failure: Equatable {
    /// A line of the log can't be read.
    ///
    /// The tool reads the log itself to report the error.
    case unreadable
    case noCheckpoint(kind: String)
    case needsMigration(found: Int, version: Int)
    /// The host has no such feature or can't create it, for the reason in the message.
    case noFeature(String)
    /// The feature with this name has no function that draws pictures.
    case noPictures(String)
  }
}

// MARK: - Requests

extension ServeProtocol.CheckRequest {
  /// The request as a line of JSON.
  package var line: [UInt8] {
    var object: JSON.Object = [
      "check": .number(JSON.Number(number)), "path": .string(log.path), "name": .string(log.name),
      "start": .number(JSON.Number(log.start)), "line": .number(JSON.Number(log.firstLine)),
      "continue": .bool(isContinuing), "strict": .bool(options.isStrict),
      "inPlace": .bool(options.isInPlace),
      "ignored": .array(options.ignored.map { .string($0.description) }),
    ]
    object["end"] = log.end.map { .number(JSON.Number($0)) }
    object["stretch"] = log.stretch?.json
    object["feature"] = feature.map(JSON.string)
    object["pauseBefore"] = pauseBefore.map { .number(JSON.Number($0)) }
    if until < .max { object["until"] = .number(JSON.Number(until)) }
    return JSON.object(object).bytes + [0x0A]
  }

  /// Parses a check, or returns `nil` if the JSON is another kind of request.
  package init?(_ json: JSON) {
    guard let number = json["check"]?.int, let path = json["path"]?.string,
      let name = json["name"]?.string, let start = json["start"]?.int, let line = json["line"]?.int,
      let ignored = json["ignored"]?.array?.compactMap({ $0.string })
        .compactMap({ try? JSON.Pointer(parsing: $0) })
    else { return nil }
    self.number = number
    log = LogSlice(
      path: path,
      name: name,
      start: start,
      firstLine: line,
      end: json["end"]?.int,
      stretch: json["stretch"].map { LogSlice.Stretch(json: $0) }
    )
    until = json["until"]?.int ?? .max
    pauseBefore = json["pauseBefore"]?.int
    feature = json["feature"]?.string
    isContinuing = json["continue"]?.bool ?? false
    options = LogComparison.Options(ignored: ignored, isStrict: json["strict"]?.bool ?? false)
    options.isInPlace = json["inPlace"]?.bool ?? false
  }
}

extension LogSlice.Stretch {
  fileprivate var json: JSON {
    var object = JSON.Object()
    object["from"] = start.map { .number(JSON.Number($0)) }
    object["through"] = end.map { .number(JSON.Number($0)) }
    return .object(object)
  }

  fileprivate init(json: JSON) { self.init(from: json["from"]?.int, through: json["through"]?.int) }
}

extension ServeProtocol.SearchRequest {
  /// The request as a line of JSON.
  package var line: [UInt8] {
    let object: JSON.Object = ["search": .number(JSON.Number(number)), "request": request]
    return JSON.object(object).bytes + [0x0A]
  }

  /// Parses a search request, or returns `nil` if the JSON is another kind of request.
  package init?(_ json: JSON) {
    guard let number = json["search"]?.int, let request = json["request"] else { return nil }
    self.init(number: number, request: request)
  }
}

extension ServeProtocol.DrawRequest {
  /// The request as a line of JSON.
  package var line: [UInt8] {
    var object: JSON.Object = [
      "picture": .number(JSON.Number(number)), "seq": .number(JSON.Number(request.seq)),
      "state": request.state, "header": .object(request.headerMembers),
      "bytes": .number(JSON.Number(request.limits.bytes)),
    ]
    object["feature"] = request.feature.map(JSON.string)
    return JSON.object(object).bytes + [0x0A]
  }

  /// Parses a drawing request, or returns `nil` if the JSON is another kind of request.
  package init?(_ json: JSON) {
    guard let number = json["picture"]?.int, let seq = json["seq"]?.count,
      let state = json["state"], let header = json["header"], let bytes = json["bytes"]?.int,
      case .header(let header)? = try? LogEvent(json: header)
    else { return nil }
    self.number = number
    request = PictureRequest(
      seq: seq,
      state: state,
      header: header,
      feature: json["feature"]?.string,
      limits: PictureLimits(bytes: bytes)
    )
  }
}

// MARK: - Answers

extension ServeProtocol.Reply {
  /// Returns the answer to a request as a line of JSON.
  package func line(to number: Int) -> [UInt8] {
    var object: JSON.Object = ["to": .number(JSON.Number(number))]
    switch self {
    case .hello(let version): object["hello"] = .string(version)
    case .differences(let differences):
      object["differences"] = .array(differences.map(\.json))
      object["places"] = .array(differences.map(\.places.json))
    case .notes(let notes):
      object["notes"] = .array(
        notes.compactMap { try? JSON(parsing: LogEvent.finding($0).line) }
      )
    case .searching(let json): object["searching"] = json
    case .searched(let json): object["searched"] = json
    case .end(let result): object["end"] = result.summary
    case .failure(let failure): object["failure"] = failure.json
    case .proof(let proof): object["proof"] = proof?.json ?? .null
    case .picture(let outcome): object["picture"] = outcome.json
    }
    return JSON.object(object).bytes + [0x0A]
  }

  /// Parses an answer with the number of its request, or returns `nil` if the JSON is not an answer.
  package static func read(_ json: JSON) -> (number: Int, answer: Self)? {
    guard let number = json["to"]?.int else { return nil }
    if let version = json["hello"]?.string { return (number, .hello(version: version)) }
    if let differences = json["differences"]?.array {
      var read = differences.compactMap { LogDifference(json: $0) }
      for (index, place) in (json["places"]?.array ?? []).enumerated() where index < read.count {
        read[index].places = DifferencePathNotation(json: place)
      }
      return read.count == differences.count ? (number, .differences(read)) : nil
    }
    if let notes = json["notes"]?.array {
      let read = notes.compactMap { note -> LogEvent.Finding? in
        guard case .finding(let finding) = try? LogEvent(json: note) else { return nil }
        return finding
      }
      return read.count == notes.count ? (number, .notes(read)) : nil
    }
    if let picture = json["picture"] {
      return PictureOutcome(json: picture).map { (number, .picture($0)) }
    }
    if let searching = json["searching"] { return (number, .searching(searching)) }
    if let searched = json["searched"] { return (number, .searched(searched)) }
    if let end = json["end"] {
      return LogComparison.Result(summary: end).map { (number, .end($0)) }
    }
    if let proof = json["proof"] { return (number, .proof(StretchProof(json: proof))) }
    return json["failure"].flatMap { ServeProtocol.Failure($0) }.map { (number, .failure($0)) }
  }
}

extension StretchProof {
  fileprivate var json: JSON {
    [
      "seq": .number(JSON.Number(seq)),
      "ignored": .array(ignoredParts.map { .string($0.description) }),
    ]
  }

  fileprivate init?(json: JSON) {
    guard let seq = json["seq"]?.count, let ignored = json["ignored"]?.array else { return nil }
    self.init(
      seq: seq,
      ignoredParts: Set(
        ignored.compactMap { $0.string }.compactMap { try? JSON.Pointer(parsing: $0) }
      )
    )
  }
}

extension LogComparison.Result {
  /// The result as JSON, without differences and notes.
  fileprivate var summary: JSON {
    var object: JSON.Object = [
      "seq": .number(JSON.Number(seq)), "unknown": .number(JSON.Number(unknown)),
      "matchedIgnores": .array(matchedIgnores.map { .string($0.description) }),
    ]
    switch stop {
    case .ended: object["stop"] = "ended"
    case .differs: object["stop"] = "differs"
    case .recordingStops(let open, let isReplayed):
      object["stop"] = "recordingStops"
      object["open"] = open.map { .number(JSON.Number($0)) }
      object["isReplayed"] = .bool(isReplayed)
    case .replayStops(let open):
      object["stop"] = "replayStops"
      object["open"] = open.map { .number(JSON.Number($0)) }
    }
    return .object(object)
  }

  fileprivate init?(summary json: JSON) {
    self.init()
    guard let seq = json["seq"]?.count, let unknown = json["unknown"]?.count,
      let matched = json["matchedIgnores"]?.array
    else { return nil }
    self.seq = seq
    self.unknown = unknown
    matchedIgnores = Set(
      matched.compactMap { $0.string }.compactMap { try? JSON.Pointer(parsing: $0) }
    )
    let open = json["open"]?.count
    if json["open"] != nil, open == nil { return nil }
    switch json["stop"]?.string {
    case "ended": stop = .ended
    case "differs": stop = .differs
    case "recordingStops":
      stop = .recordingStops(openAction: open, isReplayed: json["isReplayed"]?.bool ?? false)
    case "replayStops": stop = .replayStops(openAction: open)
    default: return nil
    }
  }
}

extension ServeProtocol.Failure {
  fileprivate var json: JSON {
    switch self {
    case .unreadable: ["unreadable": true]
    case .noCheckpoint(let kind): ["noCheckpoint": .string(kind)]
    case .needsMigration(let found, let version):
      ["found": .number(JSON.Number(found)), "version": .number(JSON.Number(version))]
    case .noFeature(let message): ["noFeature": .string(message)]
    case .noPictures(let feature): ["noPictures": .string(feature)]
    }
  }

  fileprivate init?(_ json: JSON) {
    if json["unreadable"] != nil {
      self = .unreadable
    } else if let kind = json["noCheckpoint"]?.string {
      self = .noCheckpoint(kind: kind)
    } else if let found = json["found"]?.int, let version = json["version"]?.int {
      self = .needsMigration(found: found, version: version)
    } else if let message = json["noFeature"]?.string {
      self = .noFeature(message)
    } else if let feature = json["noPictures"]?.string {
      self = .noPictures(feature)
    } else {
      return nil
    }
  }
}
