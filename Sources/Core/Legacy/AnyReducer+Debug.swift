public import Dispatch

@available(*, deprecated)
extension AnyReducer {
  /// Returns a reducer that prints each action and the state changes that the action causes.
  ///
  /// The output follows the action, on the queue of the debug environment. Builds without `DEBUG` print no output.
  ///
  /// - Parameters:
  ///   - prefix: The text before each message.
  ///   - actionFormat: The format of actions in messages.
  ///   - toDebugEnvironment: A closure that returns the destination of the messages for an environment.
  /// - Returns: A reducer that runs this one and prints its changes.
  public func debug(
    _ prefix: String = "",
    actionFormat: ActionFormat = .prettyPrint,
    environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in
      DebugEnvironment()
    }
  ) -> AnyReducer {
    debug(prefix, actionFormat: actionFormat, toDebugEnvironment) { action, old, new in
      switch actionFormat {
      case .prettyPrint: PrintChangesFormat.dump(of: action, from: old, to: new)
      case .labelsOnly:
        "\(PrintChangesFormat.label(of: action))\n\(diff(old, new) ?? "  (No state changes)")\n"
      }
    }
  }

  /// Returns a reducer that prints each action.
  ///
  /// - Parameters:
  ///   - prefix: The text before each message.
  ///   - actionFormat: The format of actions in messages.
  ///   - toDebugEnvironment: A closure that returns the destination of the messages for an environment.
  /// - Returns: A reducer that runs this one and prints its actions.
  public func debugActions(
    _ prefix: String = "",
    actionFormat: ActionFormat = .prettyPrint,
    environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in
      DebugEnvironment()
    }
  ) -> AnyReducer {
    debug(prefix, actionFormat: actionFormat, toDebugEnvironment) { action, _, _ in
      switch actionFormat {
      case .prettyPrint: "received action:\n" + String(customDumping: action)
      case .labelsOnly: PrintChangesFormat.label(of: action)
      }
    }
  }

  /// Returns a reducer that marks its actions and effects as signpost intervals, on systems that support signposts.
  ///
  /// - Parameter prefix: The text before the name of each interval.
  /// - Returns: A reducer that runs this one and emits signposts.
  public func signpost(_ prefix: String = "") -> AnyReducer {
    AnyReducer { state, action, environment in
      Reduce(self, environment: environment).signpost(prefix)._reduce(into: &state, action: action)
    }
  }

  private func debug(
    _ prefix: String,
    actionFormat: ActionFormat,
    _ toDebugEnvironment: @escaping (Environment) -> DebugEnvironment,
    _ text: @escaping @Sendable (Action, State, State) -> String
  ) -> AnyReducer {
    AnyReducer { state, action, environment in
      let debug = toDebugEnvironment(environment)
      let printer = _ReducerPrinter<State, Action>(
        printChange: { action, old, new in
          debug.printer((prefix.isEmpty ? "" : "\(prefix): ") + text(action, old, new))
        },
        queue: debug.queue
      )
      return Reduce(self, environment: environment)._printChanges(printer)
        ._reduce(into: &state, action: action)
    }
  }
}

/// The format in which `AnyReducer.debug` prints actions.
///
/// ```swift
/// appReducer.debug(actionFormat: .labelsOnly)
/// ```
@available(*, deprecated, message: "Use the printers of \"_printChanges\".")
public enum ActionFormat: Sendable {
  /// The names of the cases in an action, without payloads.
  case labelsOnly
  /// The complete action with its payloads, on several lines.
  case prettyPrint
}

/// The destination of the messages that `AnyReducer.debug` prints.
///
/// ```swift
/// appReducer.debug { _ in DebugEnvironment { message in logger.debug("\(message)") } }
/// ```
@available(*, deprecated, message: "Use the printers of \"_printChanges\".")
public struct DebugEnvironment: Sendable {
  /// The closure that receives each message.
  public var printer: @Sendable (String) -> Void
  /// The serial queue that formats and prints messages; `nil` for the queue that printers share by default.
  public var queue: DispatchQueue?

  /// Creates a destination that passes messages to a closure.
  ///
  /// - Parameters:
  ///   - printer: A closure that receives each message.
  ///   - queue: The serial queue on which `printer` is called; `nil` for the queue that printers share by default.
  public init(
    printer: @escaping @Sendable (String) -> Void = { print($0) },
    queue: DispatchQueue? = nil
  ) {
    self.printer = printer
    self.queue = queue
  }
}
