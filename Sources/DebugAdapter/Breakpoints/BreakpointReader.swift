import ActionLog
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// Reads the requests with which a client sets breakpoints.
@MainActor struct BreakpointReader {
  /// The breakpoints in one request, and the group that they replace.
  struct BreakpointRequest {
    let group: BreakpointTable.Group
    let wanted: [BreakpointTable.RequestedBreakpoint]
  }

  /// A closure that returns the reasons why a breakpoint will probably never stop.
  typealias DiagnosisProvider = @MainActor (Breakpoint.Target, _ text: String) -> [String]

  private let sources: LogSources
  private let client: ClientCapabilities
  private let notation: Notation
  private let doubts: DiagnosisProvider

  init(
    _ sources: LogSources,
    _ client: ClientCapabilities,
    _ notation: Notation,
    doubts: @escaping DiagnosisProvider
  ) {
    (self.sources, self.client, self.notation, self.doubts) = (sources, client, notation, doubts)
  }

  /// Returns the reason why a breakpoint is not verified yet, or `nil` if its target occurs in the log.
  private func pending(
    _ target: Result<Breakpoint.Target, RequestError>,
    _ text: String
  ) -> String? {
    guard case .success(let target) = target else { return nil }
    return doubts(target, text).first
  }

  /// Reads a request that sets breakpoints on the lines of a source.
  func source(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let source = try arguments.requiredObject("source")
    let named = try sources.named(source)
    let wanted = try (arguments.objects("breakpoints") ?? []).map { breakpoint in
      let line = client.line(from: try breakpoint.requiredNumber("line"))
      return try self.wanted(breakpoint, at: line, of: named)
    }
    let group: String =
      switch named {
      // On another timeline, a document replaces the document with the same name, so the name identifies the group.
      case .document(let reference): "timeline \(sources.name(of: reference))"
      case .log, .recordedLog: "log"
      case .otherDocument: "other timeline"
      case .file(let name): "file \(name)"
      }
    return BreakpointRequest(group: .source(group), wanted: wanted)
  }

  private func wanted(
    _ breakpoint: RequestArguments,
    at line: Int,
    of source: LogSources.NamedSource
  ) throws -> BreakpointTable.RequestedBreakpoint {
    var place: JSON.Object = ["line": client.line(line)]
    let text: String
    let target: Result<Breakpoint.Target, RequestError>
    var pending: String?
    switch source {
    case .file(let name):
      text = "\(name):\(line)"
      target = .success(.effect(text))
      pending = Wording.pendingBreakpoint
    case .recordedLog:
      text = "line \(line)"
      target = .failure(.failed(Wording.onlyRecorded))
    case .otherDocument:
      text = "line \(line)"
      target = .failure(.failed(Wording.otherTimeline))
    case .document, .log:
      let step = try sources.step(at: line, of: source)
      // Only actions can have a breakpoint by number.
      if let step, step.kind != .start, step.id.part == 0 {
        text = "action \(step.seq)"
        target = .success(.number(step.seq))
        place["message"] = .string(step.frameTitle(notation))
      } else {
        text = "line \(line)"
        target = .failure(.failed(Wording.noActionOnLine))
      }
    }
    return BreakpointTable.RequestedBreakpoint(
      text: text,
      target: target,
      condition: try breakpoint.string("condition"),
      hitCondition: try breakpoint.string("hitCondition"),
      logMessage: try breakpoint.string("logMessage"),
      place: place,
      pending: pending
    )
  }

  /// Reads function breakpoints, which stop at actions.
  func functions(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let wanted = try (arguments.objects("breakpoints") ?? []).map { breakpoint in
      let name = try breakpoint.requiredString("name")
      let target = Self.target(name)
      return BreakpointTable.RequestedBreakpoint(
        text: name,
        target: target,
        condition: try breakpoint.string("condition"),
        hitCondition: try breakpoint.string("hitCondition"),
        pending: pending(target, name)
      )
    }
    return BreakpointRequest(group: .functions, wanted: wanted)
  }

  /// Parses a target in the syntax of the `break` command.
  private static func target(_ name: String) -> Result<Breakpoint.Target, RequestError> {
    do throws(DebugError) { return .success(try DebuggerCommands.target(name)) } catch {
      return .failure(.failed("\(error)"))
    }
  }

  /// Reads data breakpoints, which watch paths in the state.
  func data(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let wanted = try (arguments.objects("breakpoints") ?? []).map { breakpoint in
      let text = try breakpoint.requiredString("dataId")
      let target: Result<Breakpoint.Target, RequestError>
      do throws(NotationSyntaxError) {
        target = .success(.change(PathWatch(try ValuePath(parsing: text))))
      } catch {
        target = .failure(.failed("\(error)"))
      }
      return BreakpointTable.RequestedBreakpoint(
        text: text,
        target: target,
        condition: try breakpoint.string("condition"),
        hitCondition: try breakpoint.string("hitCondition"),
        pending: pending(target, text)
      )
    }
    return BreakpointRequest(group: .data, wanted: wanted)
  }

  /// Reads exception breakpoints, which stop at problems in the log.
  func exceptions(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let filters = (try arguments.strings("filters") ?? []).map {
      (name: $0, condition: String?.none)
    }
    let options = try (arguments.objects("filterOptions") ?? []).map { option in
      (name: try option.requiredString("filterId"), condition: try option.string("condition"))
    }
    let wanted = (filters + options).map { filter in
      let problem = LogStep.ProblemKind(rawValue: filter.name)
      return BreakpointTable.RequestedBreakpoint(
        text: filter.name,
        target: problem.map { .success(.problem($0)) }
          ?? .failure(
            .badArgument(
              "filters",
              expected: Wording.oneOf(LogStep.ProblemKind.allCases.map { "\"\($0.rawValue)\"" }),
              found: .string(filter.name)
            )
          ),
        condition: filter.condition
      )
    }
    return BreakpointRequest(group: .exceptions, wanted: wanted)
  }
}
