import ActionLog
import Foundation
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// A log that a client debugs: its current step, and the values that the client has been shown.
///
/// Frames and references to values are valid while the log is stopped.
@MainActor final class LaunchedLog {
  let configuration: LaunchConfiguration
  /// The path of the log file.
  let path: String
  /// Whether the file contains further logs.
  let isOneOfSeveral: Bool
  private let shell: DebugShell
  private let completer: DebugCompleter
  /// The session whose sources the client knows.
  ///
  /// An edit of the history creates another session.
  private var known: DebugSession
  private(set) var sources: LogSources
  private var breakpoints: BreakpointTable
  private var frames = FrameTable()
  private var variables: VariableTable
  private var targets: [Int: StepID] = [:]
  private var lastTarget = 0
  /// The problem at the last stop, or `nil` if there was none.
  private var problem: LogStep.ProblemReport?
  private let notation: Notation
  private let client: ClientCapabilities

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - configuration: The client's launch configuration.
  ///   - previous: The log to replace, whose breakpoints are kept, or `nil`.
  ///   - client: The properties of the client.
  ///   - context: The context of the command.
  /// - Throws: `LogReadError`, `CommandError`, `AttachError`.
  init(
    _ configuration: LaunchConfiguration,
    after previous: LaunchedLog?,
    client: ClientCapabilities,
    context: CommandContext
  ) throws {
    self.configuration = configuration
    self.client = client
    let slice: LogSlice
    let attached: AttachedLog?
    switch configuration.target {
    case .log(let path):
      let slices = try LogSlice.slices(of: path, name: path)
      guard let first = slices.first else { throw LogReadError.empty }
      (slice, attached) = (first, nil)
      isOneOfSeveral = slices.count > 1
    case .app(let socket):
      // Reuses the connection, because an app accepts one debugger at a time.
      let app = previous?.app(of: configuration.target)
      let log = try AttachedLog(of: app ?? AttachedApp(at: socket))
      (slice, attached) = (log.slice, log)
      isOneOfSeveral = false
    }
    path = slice.path
    let log = try DebuggedLog(slice, cache: context.cacheFolder)
    known = try DebugSession(log)
    sources = try LogSources(
      log,
      recorded: path,
      folder: configuration.folder,
      folders: configuration.sourceFolders,
      base: Self.base(of: configuration.target, after: previous),
      client: client
    )
    notation = Notation(limits: Notation.Limits(value: 160, text: 100))
    variables = VariableTable(notation)
    breakpoints = previous?.breakpoints ?? BreakpointTable()
    shell = DebugShell(known, context: context, style: .plain, isJSON: false, hasTerminal: false)
    shell.timelines = Timelines(
      slice,
      TimelineForker(context, try configuration.replayOptions(in: context))
    )
    completer = DebugCompleter(shell)
    shell.attached = attached
    breakpoints.move(to: session)
    switch configuration.start {
    case nil: if attached != nil { try session.goToEnd() }
    case .action(let seq): try session.go(to: StepID(seq: seq))
    case .end: try session.goToEnd()
    }
    forget()
  }

  /// Returns the attached app if it has the given target, or `nil` otherwise.
  private func app(of target: LaunchConfiguration.Target) -> AttachedApp? {
    configuration.target == target ? shell.attached?.app : nil
  }

  /// The current debug session.
  var session: DebugSession { shell.session }

  /// Returns the number before the reference of the first document.
  ///
  /// If the target is the same as before, its documents keep their references. Otherwise, they get new ones.
  private static func base(
    of target: LaunchConfiguration.Target,
    after previous: LaunchedLog?
  ) -> Int {
    guard let previous else { return 0 }
    let references = previous.sources.references
    return previous.configuration.target == target
      ? references.lowerBound - 1 : references.upperBound
  }

  /// The name of the feature and the file name of the log or socket.
  var title: String {
    let name =
      switch configuration.target {
      case .log(let path), .app(let path): URL(fileURLWithPath: path).lastPathComponent
      }
    return "\(Notation.visible(session.log.header.feature)) · \(name)"
  }

  /// Invalidates frames and references after the log has moved.
  private func forget() {
    variables.forget()
    frames.reset(session.current)
    targets = [:]
    problem = nil
  }

  /// Invalidates frames and references, and moves the attached app to the current step.
  ///
  /// - Returns: An event with the error if the app can't be moved, or an empty array.
  private func arrive() -> [Event] {
    forget()
    do throws(AttachError) { try shell.attached?.move(with: session) } catch {
      return [.output("\(error)", "important")]
    }
    return []
  }
}

// MARK: - Frames and scopes

extension LaunchedLog {
  /// Returns the frames of the only thread.
  func stackTrace(_ arguments: RequestArguments) throws -> JSON.Object {
    let levels = try arguments.number("levels")
    let (wanted, total) = try frames.frames(
      from: try arguments.number("startFrame") ?? 0,
      limit: levels == 0 ? nil : levels,
      in: session.log
    )
    let list = try wanted.map { frame -> JSON in
      var object: JSON.Object = [
        "id": .number(JSON.Number(frame.id)),
        "name": .string(title(frame)),
      ]
      try sources.locate(frame, in: &object)
      return .object(object)
    }
    return ["stackFrames": .array(list), "totalFrames": .number(JSON.Number(total))]
  }

  /// Returns a frame's title: `4  .saved(.success(1))`.
  ///
  /// The title of a cause also names the effect that sent the next action: `2  .addButtonTapped  save 2.0`.
  private func title(_ frame: FrameTable.CauseFrame) -> String {
    let title = frame.step.frameTitle(notation)
    guard case .effect(let id, _) = frame.sent?.origin else { return title }
    return "\(title)  \(VariableText.name(of: id, frame.step.end.known))"
  }

  /// Returns the step of the requested frame, or the current step if the arguments contain no frame.
  private func requestedStep(_ arguments: RequestArguments) throws(RequestError) -> LogStep {
    guard let id = try arguments.number("frameId"), id > 0 else { return session.current }
    return try frames.frame(id).step
  }

  func scopes(_ arguments: RequestArguments) throws(RequestError) -> JSON.Object {
    let frame = try frames.frame(try arguments.requiredNumber("frameId"))
    let scopes = StepScopes(frame.step, notation).scopes.map { scope -> JSON in
      let (named, indexed) = scope.children.count
      var object: JSON.Object = [
        "name": .string(scope.name),
        "variablesReference": .number(JSON.Number(variables.reference(scope.children))),
        "namedVariables": .number(JSON.Number(named)),
        "indexedVariables": .number(JSON.Number(indexed)),
        "expensive": false,
      ]
      object["presentationHint"] = scope.hint.map(JSON.string)
      return .object(object)
    }
    return ["scopes": .array(scopes)]
  }

  func variables(_ arguments: RequestArguments) throws(RequestError) -> JSON.Object {
    let filter = try arguments.string("filter")
    let kind = filter.flatMap(VariableTable.Filter.init(rawValue:))
    guard filter == nil || kind != nil else {
      throw arguments.error("filter", "\"named\" or \"indexed\"")
    }
    let count = try arguments.number("count")
    let found = try variables.variables(
      try arguments.requiredNumber("variablesReference"),
      kind,
      from: try arguments.number("start") ?? 0,
      // In the protocol, 0 means all frames.
      limit: count == 0 ? nil : count
    )
    return ["variables": .array(found.map { variables.json($0) })]
  }

  func source(
    _ arguments: RequestArguments,
    check: () throws -> Void
  ) throws -> JSON.Object {
    let named = try arguments.object("source")?.number("sourceReference")
    let reference = try named ?? arguments.requiredNumber("sourceReference")
    return [
      "content": .string(try sources.text(of: reference, check: check)),
      "mimeType": .string(TimelineDocuments.mimeType),
    ]
  }

  /// The current step as the debugger prints it.
  private var line: String { shell.here().joined(separator: "\n") }
}

// MARK: - Values

extension LaunchedLog {
  /// Evaluates an expression.
  ///
  /// In the console, the text can also be a debugger command.
  ///
  /// - Returns: The value, and the events if the command has moved to another step.
  func evaluate(_ arguments: RequestArguments) async throws -> (JSON.Object, [Event]) {
    let text = try arguments.requiredString("expression")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard try arguments.string("context") == "repl" else {
      return (try value(of: text, arguments), [])
    }
    // A complete command name takes precedence over a path with that name. `print` shows the value at the path.
    let name = text.prefix { !$0.isWhitespace }
    let isWord = shell.words.words.contains {
      $0.name == name || $0.abbreviations.contains("\(name)")
    }
    guard !isWord else { return try await run(text) }
    do { return (try value(of: text, arguments), []) } catch {
      // A unique prefix of a command is enough. For other text, the error of the expression is more helpful.
      do { return try await run(text) } catch DebugError.unknownWord { throw error }
    }
  }

  /// Runs a debugger command and the commands that it schedules.
  private func run(_ line: String) async throws -> (JSON.Object, [Event]) {
    let (step, session) = (session.current.id, session)
    var (text, endsSession) = try await shell.run(line)
    while !endsSession, let line = shell.nextLine() {
      do {
        let answer = try await shell.run(line.text)
        text += answer.text
        endsSession = answer.endsSession
      } catch {
        // Earlier commands stay in effect, and their output is returned.
        text += (line.place.map { "\($0): " } ?? "") + "\(error)\n"
      }
    }
    let body: JSON.Object = [
      "result": .string(text.hasSuffix("\n") ? String(text.dropLast()) : text),
      "variablesReference": 0,
    ]
    if endsSession { return (body, [Event("terminated")]) }
    guard self.session !== session || self.session.current.id != step else { return (body, []) }
    return (body, try moved())
  }

  /// Returns the events that report that a command has moved to another step or another timeline.
  private func moved() throws -> [Event] {
    var events: [Event] = []
    if known !== session {
      known = session
      let old = sources
      sources = try LogSources(
        session.log,
        recorded: path,
        folder: configuration.folder,
        folders: configuration.sourceFolders,
        base: old.references.upperBound,
        client: client
      )
      events =
        old.documents.map { Event("loadedSource", ["reason": "removed", "source": $0]) }
        + sources.json.map { Event("loadedSource", ["reason": "new", "source": $0]) }
    }
    return events + arrive() + [stopped("goto", Wording.describe(session.current.id))]
  }

  func setVariable(_ arguments: RequestArguments) async throws -> (JSON.Object, [Event]) {
    let name = try arguments.requiredString("name")
    let reference = try arguments.requiredNumber("variablesReference")
    let variable = try variables.variable(name, below: reference)
    return try await change(variable.edit, name, to: arguments, variable.evaluateName)
  }

  func setExpression(_ arguments: RequestArguments) async throws -> (JSON.Object, [Event]) {
    let text = try arguments.requiredString("expression")
    let step = try requestedStep(arguments)
    let isPlace = Self.isOfState(text) && (try? ValuePath(parsing: text)) != nil
    // An expression without a value can't be changed.
    _ = try StepExpression(parsing: text).value(in: step)
    return try await change(isPlace ? "set \(step.seq) \(text)" : nil, text, to: arguments, text)
  }

  /// Edits the history, and replays the actions after the edit.
  private func change(
    _ edit: String?,
    _ name: String,
    to arguments: RequestArguments,
    _ expression: String?
  ) async throws -> (JSON.Object, [Event]) {
    guard let edit else { throw RequestError.failed(Wording.cannotChange(name)) }
    let value = try arguments.requiredString("value")
    let (answer, events) = try await run("\(edit) = \(value)")
    var body: JSON.Object = ["value": .string(value)]
    if let expression, let found = try? self.value(of: expression, RequestArguments()),
      let text = found["result"]
    {
      body["value"] = text
    }
    let report = answer["result"]?.string.map { [Event.output($0)] } ?? []
    return (body, report + events)
  }

  func completions(_ arguments: RequestArguments) throws(RequestError) -> JSON.Object {
    let text = try arguments.requiredString("text")
    let column = client.column(from: try arguments.requiredNumber("column"))
    let units = Array(text.utf16.prefix(column))
    let head = String(decoding: units, as: UTF16.self)
    var found = completer.completions(of: head)
    if !head.contains(" ") {
      // Completes the prefix of a path.
      let places = completer.completions(of: "print \(head)")
      if found.candidates.isEmpty { found.replaced = places.replaced }
      if found.replaced == places.replaced { found.candidates += places.candidates }
    }
    let length = head.suffix(found.replaced).utf16.count
    let start = client.column(units.count - length)
    return [
      "targets": .array(
        found.candidates.prefix(200).map { candidate in
          [
            "label": .string(candidate), "start": start, "length": .number(JSON.Number(length)),
          ]
        }
      )
    ]
  }

  private func value(of text: String, _ arguments: RequestArguments) throws -> JSON.Object {
    let step = try requestedStep(arguments)
    let isFull = try arguments.string("context") == "clipboard"
    let notation = isFull ? Notation(limits: .none) : notation
    let expression = try StepExpression(parsing: text)
    var object = JSON.Object()
    let found: StepExpression.Value
    do throws(DebugError) { found = try expression.value(in: step) } catch {
      throw shell.proposing(error)
    }
    let result = variable(text, found, notation)
    variables.describe(result, valueAs: "result", in: &object)
    return object
  }

  private func variable(
    _ text: String,
    _ value: StepExpression.Value,
    _ notation: Notation
  ) -> Variable {
    let isPlace = (try? ValuePath(parsing: text)) != nil
    func whole(_ json: JSON, _ text: String) -> ValuePart {
      ValuePart(
        ValuePart.FullValue(json, prefix: isPlace ? text : nil, watchedPrefix: isPlace ? text : nil)
      )
    }
    switch value {
    case .truth(let holds): return Variable(name: text, value: holds ? "true" : "false")
    case .one(let json):
      return Variable(name: text, value: notation.value(json), children: whole(json, text).children)
    case .action(let json):
      return Variable(
        name: text,
        value: notation.action(json),
        children: whole(json, text).children
      )
    case .many(let items):
      let children = items.map { item in
        Variable(
          name: item.place,
          value: notation.value(item.value),
          evaluateName: isPlace ? item.place : nil,
          place: isPlace ? item.place : nil,
          children: whole(item.value, item.place).children
        )
      }
      return Variable(
        name: text,
        value: Wording.values(items.count),
        children: children.isEmpty ? nil : .list(children)
      )
    }
  }

  func dataBreakpointInfo(_ arguments: RequestArguments) throws -> JSON.Object {
    let name = try arguments.requiredString("name")
    var place: String? = name
    if let reference = try arguments.number("variablesReference"), reference > 0 {
      place = try variables.variable(name, below: reference).place
    } else {
      // A frame provides only the values of its step, while a path is watched in all states.
      _ = try requestedStep(arguments)
    }
    guard let place, !place.isEmpty, Self.isOfState(place),
      let watched = try? ValuePath(parsing: place)
    else {
      return ["dataId": .null, "description": .string(Wording.cannotWatch(name))]
    }
    if let doubt = shell.doubts(of: .change(PathWatch(watched)), place).first {
      return ["dataId": .null, "description": .string(doubt)]
    }
    return [
      "dataId": .string(place), "description": .string(place), "accessTypes": ["write"],
      "canPersist": true,
    ]
  }

  /// Returns whether an expression is a path in the state and not a query.
  private static func isOfState(_ text: String) -> Bool {
    !text.hasPrefix("$") && !text.hasPrefix("!") && !text.hasPrefix("(")
      && !StepExpression.Root.allCases.contains { text == $0.rawValue }
  }
}

// MARK: - Breakpoints

extension LaunchedLog {
  /// Replaces a group of breakpoints.
  func setBreakpoints(
    _ read: (BreakpointReader, RequestArguments) throws -> BreakpointReader.BreakpointRequest,
    _ arguments: RequestArguments
  ) throws -> JSON.Object {
    let reader = BreakpointReader(sources, client, notation) { [shell] target, text in
      shell.doubts(of: target, text)
    }
    let group = try read(reader, arguments)
    return [
      "breakpoints": .array(breakpoints.replaceGroup(group.wanted, in: group.group, of: session))
    ]
  }

  /// Runs the commands that the user has attached to the breakpoints of a stop.
  ///
  /// - Returns: The events with the output of the commands.
  func commands(at stop: Stop) async throws -> [Event] {
    var events: [Event] = []
    for line in stop.commands {
      let (body, others) = try await run(line)
      if let text = body["result"]?.string, !text.isEmpty { events.append(.output(text)) }
      events += others
      // The log has moved, so the remaining commands no longer apply.
      if !others.isEmpty { break }
    }
    return events
  }

  /// Returns the lines of a source that can have a breakpoint.
  func breakpointLocations(_ arguments: RequestArguments) throws -> JSON.Object {
    let named = try sources.named(try arguments.requiredObject("source"))
    let first = client.line(from: try arguments.requiredNumber("line"))
    let last = try arguments.number("endLine").map { client.line(from: $0) } ?? first
    guard first <= last else {
      throw arguments.error("endLine", "a line that is not before 'line'")
    }
    let lines = try sources.linesOfActions(in: first...last, of: named, atMost: 10_000)
    return ["breakpoints": .array(lines.map { ["line": client.line($0)] })]
  }

  /// Returns the events that report a stop.
  func stopped(_ stop: Stop) -> [Event] {
    var events = arrive()
    let met = breakpoints.meet(stop.hits, in: session)
    events += met.compactMap(\.change).map { breakpoint in
      Event("breakpoint", ["reason": "changed", "breakpoint": .object(breakpoint)])
    }
    events.append(.output(line))
    problem =
      stop.hits.lazy.compactMap { hit in
        if case .problem(let problem) = hit.target { stop.step.report(of: problem) } else { nil }
      }.first
    let changes = stop.hits.flatMap(\.changes)
    var body: JSON.Object = [
      "reason": .string(reason(stop, met)), "description": .string(Wording.describe(stop)),
      "threadId": .number(JSON.Number(DebugAdapter.thread)), "allThreadsStopped": true,
    ]
    if let problem {
      body["text"] = .string(problem.text)
    } else if stop.reason == .damaged, let damage = session.log.damage {
      body["text"] = .string("\(damage)")
    } else if !changes.isEmpty {
      body["text"] = .string(
        changes.map { Wording.change($0, stop.hits, notation) }.joined(separator: ", ")
      )
    }
    if !met.isEmpty {
      body["hitBreakpointIds"] = .array(met.map { .number(JSON.Number($0.id)) })
    }
    return events + [Event("stopped", body)]
  }

  /// Returns the events that report the stop at the initial position.
  func entered() -> [Event] {
    arrive() + [.output(line), stopped("entry", Wording.describe(session.current.id))]
  }

  /// Returns the events that report a pause.
  func paused() -> [Event] {
    arrive() + [.output(line), stopped("pause", Wording.interrupted)]
  }

  private func stopped(_ reason: String, _ description: String) -> Event {
    Event(
      "stopped",
      [
        "reason": .string(reason), "description": .string(description),
        "threadId": .number(JSON.Number(DebugAdapter.thread)), "allThreadsStopped": true,
      ]
    )
  }

  /// Returns the protocol's name for the reason of a stop.
  private func reason(_ stop: Stop, _ met: [BreakpointTable.HitBreakpoint]) -> String {
    switch stop.reason {
    case .step, .finished: "step"
    case .arrived: "goto"
    case .start: "entry"
    case .end, .damaged, .interrupted: "pause"
    case .breakpoint:
      switch met.first?.group {
      case .functions: "function breakpoint"
      case .data: "data breakpoint"
      case .exceptions: "exception"
      case .source, nil: "breakpoint"
      }
    }
  }

  func exceptionInfo() throws(RequestError) -> JSON.Object {
    guard let problem else { throw .noException }
    return [
      "exceptionId": .string(problem.problem.rawValue), "description": .string(problem.text),
      "breakMode": "always",
      "details": [
        "message": .string(problem.text), "typeName": .string(Wording.label(problem.problem)),
      ],
    ]
  }
}

// MARK: - Targets

extension LaunchedLog {
  func gotoTargets(_ arguments: RequestArguments) throws -> JSON.Object {
    let named = try sources.named(try arguments.requiredObject("source"))
    let line = client.line(from: try arguments.requiredNumber("line"))
    guard let step = try sources.step(at: line, of: named) else { return ["targets": []] }
    lastTarget += 1
    targets[lastTarget] = step.id
    return [
      "targets": [
        [
          "id": .number(JSON.Number(lastTarget)), "label": .string(step.frameTitle(notation)),
          "line": client.line(line),
        ]
      ]
    ]
  }

  /// Moves to a target that a `gotoTargets` response contains.
  func goto(_ arguments: RequestArguments) throws -> Stop {
    let id = try arguments.requiredNumber("targetId")
    guard let step = targets[id] else { throw RequestError.noSuchTarget(id) }
    return try session.go(to: step)
  }

  /// Moves to the step of a frame.
  func restartFrame(_ arguments: RequestArguments) throws -> Stop {
    try session.go(to: try frames.frame(try arguments.requiredNumber("frameId")).step.id)
  }
}
