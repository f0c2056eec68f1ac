import ActionLog
import LogTools
import ReplayCommands
import ReplayDebugger
import ReplayEngine

/// Reads the requests that set breakpoints.
@MainActor struct BreakpointReader {
  /// Breakpoints that are set together.
  struct BreakpointRequest {
    let group: BreakpointTable.Group
    let wanted: [BreakpointTable.Wanted]
  }

  /// Says why a breakpoint will most likely stop at nothing.
  typealias Doubts = @MainActor (Breakpoint.Target, _ text: String) -> [String]

  private let sources: LogSources
  private let client: Client
  private let notation: Notation
  private let doubts: Doubts

  init(
    _ sources: LogSources,
    _ client: Client,
    _ notation: Notation,
    doubts: @escaping Doubts
  ) {
    (self.sources, self.client, self.notation, self.doubts) = (sources, client, notation, doubts)
  }

  /// Why it is not known yet whether the log has what a breakpoint stops at; `nil` when it has.
  private func pending(
    _ target: Result<Breakpoint.Target, RequestError>,
    _ text: String
  ) -> String? {
    guard case .success(let target) = target else { return nil }
    return doubts(target, text).first
  }

  /// Breakpoints on the lines of a source.
  func source(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let source = try arguments.requiredObject("source")
    let named = try sources.named(source)
    let wanted = try (arguments.objects("breakpoints") ?? []).map { breakpoint in
      let line = client.line(from: try breakpoint.requiredNumber("line"))
      return try self.wanted(breakpoint, at: line, of: named)
    }
    let group: String =
      switch named {
      // The documents of another timeline of the log take their places.
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
    of source: LogSources.Named
  ) throws -> BreakpointTable.Wanted {
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
      // Nothing but an action can be stopped at by its number.
      if let step, step.kind != .start, step.id.part == 0 {
        text = "action \(step.seq)"
        target = .success(.number(step.seq))
        place["message"] = .string(step.frameTitle(notation))
      } else {
        text = "line \(line)"
        target = .failure(.failed(Wording.noActionOnLine))
      }
    }
    return BreakpointTable.Wanted(
      text: text,
      target: target,
      condition: try breakpoint.string("condition"),
      hitCondition: try breakpoint.string("hitCondition"),
      logMessage: try breakpoint.string("logMessage"),
      place: place,
      pending: pending
    )
  }

  /// Breakpoints of functions, which are actions.
  func functions(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let wanted = try (arguments.objects("breakpoints") ?? []).map { breakpoint in
      let name = try breakpoint.requiredString("name")
      let target = Self.target(name)
      return BreakpointTable.Wanted(
        text: name,
        target: target,
        condition: try breakpoint.string("condition"),
        hitCondition: try breakpoint.string("hitCondition"),
        pending: pending(target, name)
      )
    }
    return BreakpointRequest(group: .functions, wanted: wanted)
  }

  /// The target that a name denotes, as after the word 'break'.
  private static func target(_ name: String) -> Result<Breakpoint.Target, RequestError> {
    do throws(DebugError) { return .success(try DebugWords.target(name)) } catch {
      return .failure(.failed("\(error)"))
    }
  }

  /// Breakpoints of data, which are places in the state.
  func data(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let wanted = try (arguments.objects("breakpoints") ?? []).map { breakpoint in
      let text = try breakpoint.requiredString("dataId")
      let target: Result<Breakpoint.Target, RequestError>
      do throws(NotationSyntaxError) {
        target = .success(.change(PlaceWatch(try ValuePath(parsing: text))))
      } catch {
        target = .failure(.failed("\(error)"))
      }
      return BreakpointTable.Wanted(
        text: text,
        target: target,
        condition: try breakpoint.string("condition"),
        hitCondition: try breakpoint.string("hitCondition"),
        pending: pending(target, text)
      )
    }
    return BreakpointRequest(group: .data, wanted: wanted)
  }

  /// Breakpoints of exceptions, which are problems of the log.
  func exceptions(_ arguments: RequestArguments) throws -> BreakpointRequest {
    let filters = (try arguments.strings("filters") ?? []).map {
      (name: $0, condition: String?.none)
    }
    let options = try (arguments.objects("filterOptions") ?? []).map { option in
      (name: try option.requiredString("filterId"), condition: try option.string("condition"))
    }
    let wanted = (filters + options).map { filter in
      let problem = LogStep.ProblemKind(rawValue: filter.name)
      return BreakpointTable.Wanted(
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
