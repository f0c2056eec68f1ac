import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import Synchronization

/// A running call of a tool.
struct ToolCall {
  let arguments: JSON.Object
  let desk: WorkerContext
  /// Requested if the client has canceled the call or disconnected.
  let interruption: Interruption
  let report: ProgressReport

  /// Returns an empty answer.
  func makeAnswer() -> ToolResultBuilder { ToolResultBuilder(budget: desk.setup.budget) }

  /// Returns the log of the call.
  func log(_ name: String = "log") throws -> OpenLog {
    try desk.logs.log(arguments[name]?.string ?? "")
  }

  func text(_ name: String) -> String? { arguments[name]?.string }
  func number(_ name: String) -> Int? { arguments[name]?.int }
  func flag(_ name: String) -> Bool { arguments[name]?.bool ?? false }

  /// Returns the paths of the state that are not compared.
  ///
  /// - Throws: `ToolError` for an invalid path.
  func ignoredPlaces() throws(ToolError) -> [JSON.Pointer] {
    var places: [JSON.Pointer] = []
    for text in arguments["ignore"]?.array?.compactMap(\.string) ?? [] {
      do throws(NotationSyntaxError) { places += try ValuePath(parsing: text).patterns ?? [] } catch
      {
        throw .badArguments("'ignore': \(error)")
      }
    }
    return places
  }

  func valuePath(_ name: String) throws(ToolError) -> ValuePath? {
    guard let text = text(name) else { return nil }
    do throws(NotationSyntaxError) { return try ValuePath(parsing: text) } catch {
      throw .badArguments("'\(name)': \(error)")
    }
  }

  func condition(_ name: String) throws(ToolError) -> Condition? {
    guard let text = text(name) else { return nil }
    do throws(JSONPath.SyntaxError) {
      return Condition(try JSONPath.Expression(parsing: text))
    } catch {
      throw .badArguments("'\(name)': \(error)")
    }
  }

  /// The options of replays for this call.
  var options: ReplayOptions {
    var options = desk.setup.options
    options.cancellation = interruption
    return options
  }

  /// The environment of a command that works for this call.
  var context: CommandContext { desk.setup.context(interruption) }

  /// Returns the end time of a search.
  func deadline(_ name: String = "seconds") -> ContinuousClock.Instant {
    let seconds = arguments[name]?.number?.double ?? Self.usualSearch
    return .now + .seconds(min(max(seconds, 0.1), Self.longestSearch))
  }

  /// The default duration of a search in seconds, about as long as users wait for an answer.
  private static let usualSearch = 20.0
  /// The maximum duration of a search in seconds.
  ///
  /// Clients cancel a call after some minutes.
  static let longestSearch = 600.0
}

extension ToolCall {
  /// The notation of values, which is short enough for one line.
  static var notation: Notation { Notation(limits: Notation.Limits(value: 240, text: 160)) }

  static var style: Style { Style(hasColor: false, notation: notation) }
}
