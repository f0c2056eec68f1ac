import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// A debug adapter that answers an editor's requests about one log.
///
/// ```swift
/// let adapter = DebugAdapter(context)
/// let status = try await adapter.run()
/// ```
///
/// Requests are handled one after another. While an execution request such as `continue` is in progress, the adapter
/// handles other requests in between. A `cancel` or `pause` request stops the execution at the current step.
@MainActor final class DebugAdapter {
  /// The ID of the only thread of a log.
  nonisolated static let thread = 1

  /// The stage of the client's session.
  private enum Phase {
    case connected, initialized, launched, configured, ended
  }

  private let context: CommandContext
  private let queue = MessageQueue()
  private let writer: MessageWriter
  private var client = ClientCapabilities()
  private var phase = Phase.connected
  private var launched: LaunchedLog?
  private var execution: ExecutionRequest?
  private var status = ExitStatus.same
  private var lastProgress = 0
  /// An output error that occurred during an execution request.
  private var failure: StreamError?
  /// The number of the request that is being handled, or `nil` between requests.
  private var handled: Int?

  /// The time in seconds before the first progress report, and between two reports.
  private static let reportInterval = 0.5

  init(_ context: CommandContext) {
    self.context = context
    writer = MessageWriter(context.console.output)
  }

  /// Serves the client until it disconnects or its stream ends.
  ///
  /// - Throws: `StreamError` if a message can't be written.
  func run() async throws -> ExitStatus {
    queue.fill(from: context.console.input)
    while phase != .ended {
      if execution == nil {
        try await process(await queue.dequeue())
      } else {
        try await continueExecution()
        if let item = queue.poll() { try await process(item) }
      }
    }
    return status
  }

  private func sendEvent(_ events: [Event]) throws(StreamError) {
    for event in events { try writer.sendEvent(event.name, event.body) }
  }
}

// MARK: - Messages

extension DebugAdapter {
  private func process(_ item: MessageQueue.QueueItem) async throws(StreamError) {
    switch item {
    case .end(nil): phase = .ended
    case .end(let error?):
      context.complain("\(error)")
      try sendEvent([.output("\(error)", "stderr")])
      status = .inputOutput
      phase = .ended
    case .message(.ignored): break
    case .message(.unanswerable(let error)): try sendEvent([.output(error.text.filled, "stderr")])
    case .message(.refused(let seq, let command, let error)):
      try writer.refuse(seq, command, error)
    case .message(.request(let request)): try await handle(request)
    }
  }

  private func handle(_ request: Request) async throws(StreamError) {
    handled = request.seq
    defer {
      handled = nil
      queue.finish(request.seq)
    }
    let answer: RequestResult
    do {
      if queue.wasCancelled(request.seq), !Self.ending.contains(request.command) {
        throw RequestError.cancelled
      }
      answer = try await self.answer(request)
    } catch let error as StreamError {
      throw error
    } catch let error as RequestError {
      return try writer.refuse(request.seq, request.command, error)
    } catch {
      return try writer.refuse(request.seq, request.command, .failed("\(error)"))
    }
    try writer.respond(to: request.seq, request.command, answer.body)
    try sendEvent(answer.events)
    if let kind = answer.execution { startExecution(kind, for: request.seq) }
  }

  /// The commands of requests that make all other requests obsolete.
  private static let ending: Set = ["disconnect", "terminate"]

  /// The response to a request, with its events.
  private struct RequestResult {
    var body: JSON.Object?
    /// Events that are sent after the response.
    var events: [Event] = []
    var execution: ExecutionRequest.Kind?

    init(_ body: JSON.Object? = nil, events: [Event] = [], execution: ExecutionRequest.Kind? = nil)
    {
      (self.body, self.events, self.execution) = (body, events, execution)
    }
  }
}

// MARK: - Requests

extension DebugAdapter {
  /// The stage of the session in which a request is allowed.
  private enum RequiredPhase {
    case anytime
    /// The request is allowed after `initialize`.
    case initialized
    /// The request is allowed after a log has been launched.
    case log
    /// The request is allowed while the log is stopped.
    case stop
  }

  @MainActor private struct Handler {
    typealias Run = @MainActor (DebugAdapter, Request) async throws -> RequestResult

    let need: RequiredPhase
    let answer: Run

    init(_ need: RequiredPhase, _ answer: @escaping Run) {
      (self.need, self.answer) = (need, answer)
    }

    /// Returns a handler for a request about the launched log.
    static func log(
      _ need: RequiredPhase = .log,
      _ answer: @escaping @MainActor (LaunchedLog, RequestArguments) throws -> JSON.Object
    ) -> Handler {
      Handler(need) { RequestResult(try answer(try $0.log($1), $1.arguments)) }
    }

    /// Returns a handler for an execution request.
    static func execution(_ kind: ExecutionRequest.Kind) -> Handler {
      Handler(.stop) { adapter, request in
        try Self.checkThread(request)
        return RequestResult(
          kind == .resume ? ["allThreadsContinued": true] : nil,
          execution: kind
        )
      }
    }

    /// Returns a handler for a request that can move to another step.
    static func change(
      _ change:
        @escaping @MainActor (LaunchedLog, RequestArguments) async throws -> (
          JSON.Object, [Event]
        )
    ) -> Handler {
      Handler(.stop) { adapter, request in
        let (body, events) = try await change(try adapter.log(request), request.arguments)
        return RequestResult(body, events: events)
      }
    }

    /// Returns a handler for a request that moves to another step immediately.
    static func jump(
      _ jump: @escaping @MainActor (LaunchedLog, RequestArguments) throws -> Stop
    ) -> Handler {
      Handler(.stop) { adapter, request in
        let log = try adapter.log(request)
        return RequestResult(events: log.stopped(try jump(log, request.arguments)))
      }
    }

    static func checkThread(_ request: Request) throws(RequestError) {
      guard let thread = try request.arguments.number("threadId"), thread != DebugAdapter.thread
      else { return }
      throw .noSuchThread(thread)
    }
  }

  private func log(_ request: Request) throws(RequestError) -> LaunchedLog {
    guard let launched else {
      throw .outOfOrder(request.command, expected: Wording.launchFirst)
    }
    return launched
  }

  private func answer(_ request: Request) async throws -> RequestResult {
    guard let handler = Self.handlers()[request.command] else {
      throw RequestError.unknownCommand(request.command, known: Self.handlers().keys.sorted())
    }
    switch handler.need {
    case .anytime: break
    case .initialized where phase == .connected:
      throw RequestError.outOfOrder(request.command, expected: Wording.initializeFirst)
    case .initialized: break
    case .log: _ = try log(request)
    case .stop:
      _ = try log(request)
      if execution != nil || phase != .configured { throw RequestError.notStopped(request.command) }
    }
    return try await handler.answer(self, request)
  }

  private static func handlers() -> [String: Handler] {
    [
      "initialize": Handler(.anytime) { try $0.initialize($1) },
      "launch": Handler(.initialized) { try $0.launch($1, isAttached: false) },
      "attach": Handler(.initialized) { try $0.launch($1, isAttached: true) },
      "configurationDone": Handler(.log) { try $0.configurationDone($1) },
      "restart": Handler(.log) { try $0.restart($1) },
      "disconnect": Handler(.anytime) { adapter, _ in adapter.disconnect() },
      "terminate": Handler(.anytime) { adapter, _ in adapter.terminate() },
      // The reading thread has already canceled the request.
      "cancel": Handler(.anytime) { _, _ in RequestResult() },
      "pause": Handler(.log) { adapter, request in
        try Handler.checkThread(request)
        return RequestResult(events: adapter.pause())
      },
      "threads": Handler.log { log, _ in
        [
          "threads": [
            ["id": .number(JSON.Number(DebugAdapter.thread)), "name": .string(log.title)]
          ]
        ]
      },
      "loadedSources": Handler.log { log, _ in ["sources": .array(log.sources.json)] },
      "source": Handler(.log) { adapter, request in
        let body = try adapter.log(request).source(request.arguments) {
          if adapter.queue.isCancelled(request.seq) { throw RequestError.cancelled }
        }
        return RequestResult(body)
      },
      "breakpointLocations": Handler.log { try $0.breakpointLocations($1) },
      "setBreakpoints": Handler.log { try $0.setBreakpoints({ try $0.source($1) }, $1) },
      "setFunctionBreakpoints": Handler.log { try $0.setBreakpoints({ try $0.functions($1) }, $1) },
      "setDataBreakpoints": Handler.log { try $0.setBreakpoints({ try $0.data($1) }, $1) },
      "setExceptionBreakpoints": Handler.log {
        try $0.setBreakpoints({ try $0.exceptions($1) }, $1)
      },
      "dataBreakpointInfo": Handler.log(.stop) { try $0.dataBreakpointInfo($1) },
      "exceptionInfo": Handler.log(.stop) { log, _ in try log.exceptionInfo() },
      "stackTrace": Handler(.stop) { adapter, request in
        try Handler.checkThread(request)
        return RequestResult(try adapter.log(request).stackTrace(request.arguments))
      },
      "scopes": Handler.log(.stop) { try $0.scopes($1) },
      "variables": Handler.log(.stop) { try $0.variables($1) },
      "evaluate": .change { try await $0.evaluate($1) },
      "setVariable": .change { try await $0.setVariable($1) },
      "setExpression": .change { try await $0.setExpression($1) },
      "completions": Handler.log(.stop) { try $0.completions($1) },
      "gotoTargets": Handler.log(.stop) { try $0.gotoTargets($1) },
      "goto": .jump { try $0.goto($1) },
      "restartFrame": .jump { try $0.restartFrame($1) },
      "continue": .execution(.resume),
      "reverseContinue": .execution(.reverseResume),
      "next": .execution(.next),
      "stepIn": .execution(.stepIn),
      "stepOut": .execution(.stepOut),
      "stepBack": .execution(.stepBack),
    ]
  }
}

// MARK: - Session lifecycle

extension DebugAdapter {
  private func initialize(_ request: Request) throws(RequestError) -> RequestResult {
    guard phase == .connected else {
      throw .outOfOrder(request.command, expected: Wording.onlyOnce)
    }
    client = try ClientCapabilities(request.arguments)
    phase = .initialized
    return RequestResult(AdapterCapabilities.json)
  }

  private func launch(_ request: Request, isAttached: Bool) throws -> RequestResult {
    guard launched == nil else {
      throw RequestError.outOfOrder(request.command, expected: Wording.onlyOnce)
    }
    let configuration = try LaunchConfiguration(
      request.arguments,
      isAttached: isAttached,
      folder: context.folder
    )
    let log = try open(configuration, after: nil)
    launched = log
    phase = .launched
    return RequestResult(
      events: [
        Event(
          "process",
          [
            "name": .string(log.title), "isLocalProcess": true,
            "startMethod": isAttached ? "attach" : "launch",
          ]
        ),
        // From this event on, clients set breakpoints, which can now be checked against the log.
        Event("initialized"),
      ]
    )
  }

  private func open(
    _ configuration: LaunchConfiguration,
    after previous: LaunchedLog?
  ) throws -> LaunchedLog {
    let log = try LaunchedLog(
      configuration,
      after: previous,
      client: client,
      context: context
    )
    log.session.isInterrupted = { [unowned self] in isInterrupted() }
    log.session.didLog = { [unowned self] hit in report(hit) }
    if log.isOneOfSeveral {
      let name = Notation.visible(log.path)
      try sendEvent([.output(Wording.firstOfLogs(of: name, DapCommand.syntax.name), "important")])
    }
    return log
  }

  private func configurationDone(_ request: Request) throws(RequestError) -> RequestResult {
    guard phase == .launched else {
      throw .outOfOrder(request.command, expected: Wording.onlyOnce)
    }
    phase = .configured
    return try enter(request)
  }

  /// Stops at the initial position or, if the client requested no stop there, runs to a breakpoint.
  private func enter(_ request: Request) throws(RequestError) -> RequestResult {
    let log = try log(request)
    guard log.configuration.stopsOnEntry else { return RequestResult(execution: .resume) }
    return RequestResult(events: log.entered())
  }

  private func restart(_ request: Request) throws -> RequestResult {
    let old = try log(request)
    let arguments = try request.arguments.object("arguments")
    var configuration = old.configuration
    if let arguments {
      let isAttached = arguments["socket"] != nil
      if isAttached || arguments["log"] != nil || arguments["program"] != nil {
        configuration = try LaunchConfiguration(
          arguments,
          isAttached: isAttached,
          folder: context.folder
        )
      }
    }
    launched = try open(configuration, after: old)
    endWay()
    guard phase == .configured else { return RequestResult() }
    return try enter(request)
  }

  private func terminate() -> RequestResult {
    launched = nil
    endWay()
    if phase != .connected { phase = .initialized }
    return RequestResult(events: [Event("terminated")])
  }

  private func disconnect() -> RequestResult {
    phase = .ended
    return RequestResult()
  }
}

// MARK: - Execution

extension DebugAdapter {
  private func startExecution(_ kind: ExecutionRequest.Kind, for request: Int) {
    execution = ExecutionRequest(
      kind: kind,
      request: request,
      start: (context.now(), launched?.session.current.seq ?? 0)
    )
  }

  /// Runs until the log stops, or until a message must be handled.
  private func continueExecution() async throws(StreamError) {
    guard let execution, let launched else { return }
    do {
      let stop = try execution.go(launched.session)
      if let failure { throw failure }
      // Another message arrived. The execution continues after the message is handled.
      if stop.reason == .interrupted, execution.canBeContinued, !isCancelled(execution) { return }
      try endExecution(launched.stopped(stop))
      try sendEvent(try await launched.commands(at: stop))
    } catch let error as StreamError {
      throw error
    } catch {
      try sendEvent([.output("\(error)", "important")])
      try endExecution(launched.paused())
    }
  }

  private func endExecution(_ events: [Event]) throws(StreamError) {
    endWay()
    try sendEvent(events)
  }

  private func endWay() {
    if let report = execution?.report {
      do throws(StreamError) {
        try writer.sendEvent("progressEnd", ["progressId": .string(report.id)])
      } catch { failure = error }
    }
    execution = nil
  }

  private func pause() -> [Event] {
    guard execution != nil, let launched else { return [] }
    endWay()
    return launched.paused()
  }

  /// Sends the message of a logpoint during the execution.
  private func report(_ hit: Stop.Hit) {
    guard let message = hit.message else { return }
    do throws(StreamError) { try sendEvent([.output("\(hit.step)  \(message)", "console")]) } catch
    {
      failure = error
    }
  }

  private func isCancelled(_ execution: ExecutionRequest) -> Bool {
    queue.isCancelled(execution.request, progress: execution.report?.id)
  }

  /// Reports the progress, and returns whether the execution must stop or pause.
  private func isInterrupted() -> Bool {
    if let handled { return queue.isCancelled(handled) }
    guard let execution else { return false }
    report(execution)
    if failure != nil || isCancelled(execution) { return true }
    return execution.canBeContinued ? queue.hasItems : queue.hasPause
  }

  private func report(_ execution: ExecutionRequest) {
    guard client.hasProgress, let session = launched?.session else { return }
    let now = context.now()
    guard now - (execution.report?.time ?? execution.start.time) >= Self.reportInterval else {
      return
    }
    let last = (try? session.log.last()?.seq) ?? 0
    let percentage = execution.percentage(at: session.current.seq, last: last).rounded()
    let message = JSON.string(Wording.at(session.current.id))
    do throws(StreamError) {
      var id = execution.report?.id
      if let id {
        try writer.sendEvent(
          "progressUpdate",
          ["progressId": .string(id), "message": message, "percentage": .number(percentage)]
        )
      } else {
        lastProgress += 1
        let new = "execution-\(lastProgress)"
        id = new
        try writer.sendEvent(
          "progressStart",
          [
            "progressId": .string(new), "title": .string(Wording.title(execution.kind)),
            "cancellable": true, "message": message, "percentage": .number(percentage),
          ]
        )
      }
      self.execution?.report = id.map { ($0, now) }
    } catch {
      failure = error
    }
  }
}

extension JSON {
  fileprivate static func number(_ value: Double) -> JSON { .number(JSON.Number(Int(value))) }
}
