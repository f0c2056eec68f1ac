import ActionLog
import Dispatch
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A server of the Model Context Protocol that answers an assistant's questions about logs.
///
/// ```swift
/// let status = try await AssistantServer(setup, context.console).run()
/// ```
///
/// One thread reads messages, one performs lookups, and one performs work with hosts. The main actor owns all other
/// state: the running requests and the output.
@MainActor final class AssistantServer {
  /// An event that the server must handle.
  private enum ServerEvent: Sendable {
    case line(MessageLines.ReceivedLine)
    case inputEnded
    case began(RequestID)
    case finished(RequestID, Outcome)
    case tick
    case laneEnded
  }

  /// The result of a request; `nil` for a canceled one.
  private typealias Outcome = Result<JSON.Object, ProtocolError>?

  /// A request in a lane.
  private struct RunningCall {
    let version: ProtocolVersion
    let lane: WorkerThread
    let interruption: Interruption
    let token: RequestID?
    let report: ProgressReport
    /// The start of the work in seconds; `nil` while the request waits.
    var start: Double?
    var lastProgress = -1.0
  }

  private let setup: AssistantSetup
  private let input: FileHandle
  private let output: any ByteSink
  private let events = EventQueue<ServerEvent>()
  private let room = DispatchSemaphore(value: 0)
  private let lookups: WorkerThread
  private let hosts: WorkerThread
  private var calls: [RequestID: RunningCall] = [:]
  private var hasSession = false
  private var timer: (any DispatchSourceTimer)?

  /// The maximum number of pending messages.
  ///
  /// If a client sends more without reading the answers, the server stops reading.
  private static let mostWaiting = 256
  /// The maximum number of running and waiting requests.
  private static let mostCalls = 64
  /// The interval between progress reports in seconds.
  private nonisolated static let reportInterval = 1.0

  init(_ setup: AssistantSetup, _ console: Console) {
    (self.setup, input, output) = (setup, console.input, console.output)
    let events = events
    lookups = WorkerThread(setup) { events.enqueue(.laneEnded) }
    hosts = WorkerThread(setup) { events.enqueue(.laneEnded) }
  }

  /// Serves the client until its stream ends.
  ///
  /// - Returns: The status of the command.
  /// - Throws: `StreamError` if writing to the client fails.
  func run() async throws -> ReplayCommands.ExitStatus {
    read()
    defer { timer?.cancel() }
    var failure: StreamError?
    do throws(StreamError) { try await serve() } catch { failure = error }
    let next = await shutDown(answersLookups: failure == nil)
    if let error = failure ?? next { throw error }
    return .same
  }

  /// Handles events until the input ends.
  private func serve() async throws(StreamError) {
    while true {
      switch await events.dequeue() {
      case .inputEnded: return
      case .line(let line):
        room.signal()
        try receive(line)
      case .began(let id): try startCall(id)
      case .finished(let id, let outcome): try finish(id, outcome)
      case .tick: for id in calls.keys { try reportProgress(id) }
      case .laneEnded: break
      }
    }
  }

  /// Ends all work and waits for it, so that no host is left running.
  ///
  /// - Parameter answersLookups: Whether waiting lookups are still answered, because they take little time.
  /// - Returns: The error if writing to the client fails.
  private func shutDown(answersLookups: Bool) async -> StreamError? {
    for call in calls.values where call.lane === hosts || !answersLookups {
      _ = call.interruption.request(by: SIGTERM)
    }
    hosts.close(dropsWork: true)
    lookups.close(dropsWork: !answersLookups)
    var left = 2
    var failure: StreamError?
    while left > 0 {
      switch await events.dequeue() {
      case .laneEnded: left -= 1
      case .finished(let id, let outcome) where failure == nil:
        do throws(StreamError) { try finish(id, outcome) } catch { failure = error }
      default: break
      }
    }
    return failure
  }

  /// Reads messages on a separate thread.
  private func read() {
    for _ in 0..<Self.mostWaiting { room.signal() }
    let (events, room, input) = (events, room, input)
    Thread.detachNewThread {
      var lines = MessageLines(input)
      while let line = lines.next() {
        room.wait()
        events.enqueue(.line(line))
      }
      events.enqueue(.inputEnded)
    }
  }
}

// MARK: - Messages

extension AssistantServer {
  private func receive(_ line: MessageLines.ReceivedLine) throws(StreamError) {
    switch line {
    case .tooLong: try refuse(nil, .messageTooLong(limit: MessageLines.longest))
    case .message(.ignored): break
    case .message(.refused(let id, let error)): try refuse(id, error)
    case .message(.notification("notifications/cancelled", let params)):
      guard let id = RequestID(params["requestId"]), let call = calls[id] else { return }
      _ = call.interruption.request(by: SIGINT)
    case .message(.notification): break
    case .message(.request(let request)):
      let (result, version): (JSON.Object?, ProtocolVersion)
      do throws(ProtocolError) {
        guard calls[request.id] == nil else { throw .repeatedID }
        version = try self.version(of: request)
        result = try answer(request, version)
      } catch {
        return try refuse(request.id, error)
      }
      if let result { try respond(request.id, result, version) }
    }
  }

  /// Returns the version of a request.
  private func version(of request: ClientRequest) throws(ProtocolError) -> ProtocolVersion {
    if let stated = request.meta["io.modelcontextprotocol/protocolVersion"] {
      guard let text = stated.string else {
        throw .badParameter("_meta.io.modelcontextprotocol/protocolVersion", expected: "a text")
      }
      guard let version = ProtocolVersion(rawValue: text) else { throw .unsupportedVersion(text) }
      guard version == .stateless || hasSession else { throw .noVersion(request.method) }
      guard version == .stateless else { return version }
      guard request.meta["io.modelcontextprotocol/clientCapabilities"]?.object != nil else {
        throw .badParameter(
          "_meta.io.modelcontextprotocol/clientCapabilities",
          expected: "an object"
        )
      }
      return version
    }
    guard hasSession || ["initialize", "ping"].contains(request.method) else {
      throw .noVersion(request.method)
    }
    return .handshake
  }

  private func respond(
    _ id: RequestID,
    _ result: JSON.Object,
    _ version: ProtocolVersion
  ) throws(StreamError) {
    var result = result
    if version == .stateless {
      result["resultType"] = "complete"
      var meta = result["_meta"]?.object ?? JSON.Object()
      meta["io.modelcontextprotocol/serverInfo"] = serverInfo
      result["_meta"] = .object(meta)
    } else {
      result["ttlMs"] = nil
      result["cacheScope"] = nil
    }
    try write(["jsonrpc": "2.0", "id": id.json, "result": .object(result)])
  }

  private func refuse(_ id: RequestID?, _ error: ProtocolError) throws(StreamError) {
    var message: JSON.Object = ["jsonrpc": "2.0"]
    message["id"] = id?.json
    message["error"] = error.json
    try write(message)
  }

  private func write(_ message: JSON.Object) throws(StreamError) {
    try output.write(JSON.object(message).bytes + [0x0A])
  }

  private var serverInfo: JSON {
    [
      "name": "tca-replay", "title": "tca-replay",
      "version": .string(setup.program.version),
    ]
  }

  private static let capabilities: JSON = [
    "tools": [:], "resources": [:], "prompts": [:], "completions": [:],
  ]
}

// MARK: - Requests

extension AssistantServer {
  /// Answers a request, or passes it to a lane.
  ///
  /// - Returns: The result; `nil` if it follows later.
  private func answer(
    _ request: ClientRequest,
    _ version: ProtocolVersion
  ) throws(ProtocolError) -> JSON.Object? {
    switch (request.method, version) {
    case ("initialize", .handshake): return try initialize(request)
    case ("ping", .handshake): return [:]
    case ("server/discover", .stateless):
      return Self.kept([
        "supportedVersions": .array(ProtocolVersion.supported),
        "capabilities": Self.capabilities, "instructions": .string(Wording.instructions),
      ])
    case ("tools/list", _):
      try checkNoCursor(request)
      return Self.kept(["tools": .array(Tool.all.map(\.json))])
    case ("prompts/list", _):
      try checkNoCursor(request)
      return Self.kept(["prompts": .array(Prompt.all.map(\.json))])
    case ("resources/templates/list", _):
      try checkNoCursor(request)
      return Self.kept(["resourceTemplates": ResourceCatalog.templates])
    case ("prompts/get", _):
      let name = try request.text("name")
      guard let prompt = Prompt.all.first(where: { $0.name == name }) else {
        throw .unknownPrompt(name, known: Prompt.all.map(\.name))
      }
      return try prompt.messages(try request.optionalObject("arguments"))
    case ("resources/list", _):
      let cursor = try request.optionalText("cursor")
      try work(on: request, version, in: lookups) { desk, _ throws(ProtocolError) in
        Self.fresh(try ResourceCatalog(desk.setup).list(from: cursor))
      }
    case ("resources/read", _):
      let uri = try request.text("uri")
      try work(on: request, version, in: lookups) { desk, _ throws(ProtocolError) in
        Self.fresh(try ResourceCatalog(desk.setup).read(uri, version))
      }
    case ("completion/complete", _): try complete(request, version)
    case ("tools/call", _): try call(request, version)
    default: throw .unknownMethod(request.method, version: version)
    }
    return nil
  }

  /// Returns a result that clients may cache for an hour.
  nonisolated private static func kept(_ result: JSON.Object) -> JSON.Object {
    var result = result
    (result["ttlMs"], result["cacheScope"]) = (3_600_000, "private")
    return result
  }

  /// Returns a result that clients must not cache.
  nonisolated private static func fresh(_ result: JSON.Object) -> JSON.Object {
    var result = result
    (result["ttlMs"], result["cacheScope"]) = (0, "private")
    return result
  }

  private func initialize(_ request: ClientRequest) throws(ProtocolError) -> JSON.Object {
    guard !hasSession else { throw .initializedTwice }
    _ = try request.text("protocolVersion")
    _ = try request.object("capabilities")
    let client = try request.object("clientInfo")
    guard client["name"]?.string != nil, client["version"]?.string != nil else {
      throw .badParameter("clientInfo", expected: "an object with 'name' and 'version'")
    }
    hasSession = true
    // This is the only version with a handshake. The client accepts or rejects it.
    return [
      "protocolVersion": .string(ProtocolVersion.handshake.rawValue),
      "capabilities": Self.capabilities, "serverInfo": serverInfo,
      "instructions": .string(Wording.instructions),
    ]
  }

  /// Rejects a cursor.
  ///
  /// The lists fit into one answer and have no cursors.
  private func checkNoCursor(_ request: ClientRequest) throws(ProtocolError) {
    guard try request.optionalText("cursor") == nil else {
      throw .badParameter("cursor", expected: "none: the list has one part")
    }
  }

  private func complete(
    _ request: ClientRequest,
    _ version: ProtocolVersion
  ) throws(ProtocolError) {
    let reference = try request.object("ref")
    let argument = try request.object("argument")
    guard let name = argument["name"]?.string, let value = argument["value"]?.string else {
      throw .badParameter("argument", expected: "an object with the texts 'name' and 'value'")
    }
    switch reference["type"]?.string {
    case "ref/prompt":
      let prompt = reference["name"]?.string ?? ""
      guard Prompt.all.contains(where: { $0.name == prompt }) else {
        throw .unknownPrompt(prompt, known: Prompt.all.map(\.name))
      }
    case "ref/resource": break
    default: throw .badParameter("ref.type", expected: "\"ref/prompt\" or \"ref/resource\"")
    }
    try work(on: request, version, in: lookups) { desk, _ throws(ProtocolError) in
      let names =
        name == "log"
        ? desk.setup.folders.listing().map(\.name).filter { $0.hasPrefix(value) } : []
      return [
        "completion": [
          "values": .array(names.prefix(100).map(JSON.string)), "total": .int(names.count),
          "hasMore": .bool(names.count > 100),
        ]
      ]
    }
  }

  private func call(
    _ request: ClientRequest,
    _ version: ProtocolVersion
  ) throws(ProtocolError) {
    let name = try request.text("name")
    guard let tool = Tool.all.first(where: { $0.name == name }) else {
      throw .unknownTool(name, known: Tool.all.map(\.name))
    }
    let arguments = try request.optionalObject("arguments")
    let lane = tool.worker == .host ? hosts : lookups
    let report = ProgressReport()
    try work(on: request, version, in: lane, report) { desk, interruption throws(ProtocolError) in
      do {
        try interruption.check()
        let schema = Schema.object("", tool.input)
        if let problem = schema.problem(of: .object(arguments), named: "arguments") {
          throw ToolError.badArguments(problem)
        }
        let call = ToolCall(
          arguments: arguments,
          desk: desk,
          interruption: interruption,
          report: report
        )
        return try tool.run(call).members
      } catch {
        return ToolResult(error).members
      }
    }
  }
}

// MARK: - Work

extension AssistantServer {
  /// Passes a request to a lane.
  private func work(
    on request: ClientRequest,
    _ version: ProtocolVersion,
    in lane: WorkerThread,
    _ report: ProgressReport = ProgressReport(),
    _ body: @escaping @Sendable (WorkerContext, Interruption) throws(ProtocolError) -> JSON.Object
  ) throws(ProtocolError) {
    guard calls.count < Self.mostCalls else { throw .tooManyRequests(limit: Self.mostCalls) }
    let interruption = Interruption()
    // The work has time to end its hosts. Its partial result is dropped.
    interruption.allowPartialResult()
    calls[request.id] = RunningCall(
      version: version,
      lane: lane,
      interruption: interruption,
      token: request.progressToken,
      report: report
    )
    let (id, events) = (request.id, events)
    lane.enqueue { desk in
      events.enqueue(.began(id))
      var outcome: Outcome
      do throws(ProtocolError) { outcome = .success(try body(desk, interruption)) } catch {
        outcome = .failure(error)
      }
      // An error after a cancellation is a consequence of it.
      if interruption.isRequested { outcome = nil }
      events.enqueue(.finished(id, outcome))
    }
  }

  private func startCall(_ id: RequestID) throws(StreamError) {
    calls[id]?.start = setup.now()
    guard calls[id]?.token != nil else { return }
    if timer == nil { timer = Self.makeTimer(events) }
    try reportProgress(id)
  }

  /// Creates a timer for progress reports on a system thread.
  nonisolated private static func makeTimer(
    _ events: EventQueue<ServerEvent>
  ) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { events.enqueue(.tick) }
    timer.schedule(deadline: .now() + reportInterval, repeating: reportInterval)
    timer.activate()
    return timer
  }

  /// Reports the elapsed time and the progress of a call.
  private func reportProgress(_ id: RequestID) throws(StreamError) {
    guard var call = calls[id], let token = call.token, let start = call.start else { return }
    let seconds = ((setup.now() - start) * 10).rounded() / 10
    guard seconds > call.lastProgress else { return }
    call.lastProgress = seconds
    calls[id] = call
    var params: JSON.Object = [
      "progressToken": token.json, "progress": JSON.Number(seconds).map(JSON.number) ?? 0,
    ]
    let words = call.report.text
    if !words.isEmpty { params["message"] = .string(words) }
    try write([
      "jsonrpc": "2.0", "method": "notifications/progress", "params": .object(params),
    ])
  }

  private func finish(_ id: RequestID, _ outcome: Outcome) throws(StreamError) {
    guard let call = calls.removeValue(forKey: id) else { return }
    if !calls.values.contains(where: { $0.token != nil }) {
      timer?.cancel()
      timer = nil
    }
    switch outcome {
    // The client has canceled the request.
    case nil: break
    case .success(let result)?: try respond(id, result, call.version)
    case .failure(let error)?: try refuse(id, error)
    }
  }
}
