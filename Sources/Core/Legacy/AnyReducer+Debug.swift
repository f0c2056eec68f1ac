public import Dispatch

@available(*, deprecated)
extension AnyReducer {
  /// Prints each action and what it changed.
  ///
  /// Printing happens after the action, on the environment's queue. Builds without `DEBUG` print nothing.
  ///
  /// - Parameters:
  ///   - prefix: The text before each message.
  ///   - actionFormat: How actions are shown.
  ///   - toDebugEnvironment: Where the messages go.
  /// - Returns: The reducer that does it.
  public func debug(
    _ prefix: String = "",
    actionFormat: ActionFormat = .prettyPrint,
    environment toDebugEnvironment: @escaping (Environment) -> DebugEnvironment = { _ in
      DebugEnvironment()
    }
  ) -> AnyReducer {
    debug(prefix, actionFormat: actionFormat, toDebugEnvironment) { action, old, new in
      switch actionFormat {
      case .prettyPrint: ChangeText.dump(of: action, from: old, to: new)
      case .labelsOnly:
        "\(ChangeText.label(of: action))\n\(diff(old, new) ?? "  (No state changes)")\n"
      }
    }
  }

  /// Prints each action.
  ///
  /// - Parameters:
  ///   - prefix: The text before each message.
  ///   - actionFormat: How actions are shown.
  ///   - toDebugEnvironment: Where the messages go.
  /// - Returns: The reducer that does it.
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
      case .labelsOnly: ChangeText.label(of: action)
      }
    }
  }

  /// Marks the intervals of actions and effects, on systems that have signposts.
  ///
  /// - Parameter prefix: The text before the names.
  /// - Returns: The reducer that does it.
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

/// The form in which `AnyReducer.debug` shows actions.
///
/// ```swift
/// appReducer.debug(actionFormat: .labelsOnly)
/// ```
@available(*, deprecated, message: "Use the printers of \"_printChanges\".")
public enum ActionFormat: Sendable {
  /// The cases alone.
  case labelsOnly
  /// All that they hold.
  case prettyPrint
}

/// The destination of the messages of `AnyReducer.debug`.
///
/// ```swift
/// appReducer.debug { _ in DebugEnvironment { message in logger.debug("\(message)") } }
/// ```
@available(*, deprecated, message: "Use the printers of \"_printChanges\".")
public struct DebugEnvironment: Sendable {
  /// Takes a message.
  public var printer: @Sendable (String) -> Void
  /// Where messages are made and taken; all that have no queue of their own share one.
  public var queue: DispatchQueue?

  /// Sends messages to a closure.
  ///
  /// - Parameters:
  ///   - printer: Takes a message.
  ///   - queue: Where it is called: a serial queue.
  public init(
    printer: @escaping @Sendable (String) -> Void = { print($0) },
    queue: DispatchQueue? = nil
  ) {
    self.printer = printer
    self.queue = queue
  }
}
