public import Dispatch

/// What `_printChanges` does with each action and the change that it made.
public struct _ReducerPrinter<State, Action>: Sendable {
  private let printChange: @Sendable (Action, State, State) -> Void
  private let queue: DispatchQueue

  /// Makes a printer of a closure.
  ///
  /// ```swift
  /// Feature()._printChanges(_ReducerPrinter { action, _, _ in logger.debug("\(action)") })
  /// ```
  ///
  /// - Parameters:
  ///   - printChange: Takes the action, and the state before and after it.
  ///   - queue: Where the closure is called, one action after the other: a serial queue. All printers that have none of
  ///     their own share one.
  public init(
    printChange:
      @escaping @Sendable (
        _ receivedAction: Action, _ oldState: State, _ newState: State
      ) -> Void,
    queue: DispatchQueue? = nil
  ) {
    self.printChange = printChange
    self.queue = queue ?? sharedQueue
  }

  /// Calls the closure, now and here.
  public func printChange(receivedAction: Action, oldState: State, newState: State) {
    printChange(receivedAction, oldState, newState)
  }

  /// Calls the closure later, on the queue, with the dependencies and the shared values that the reducer has now.
  ///
  /// In a comparison of the states, the shared values of the old one are those before the action.
  func enqueue(
    _ action: Action,
    from oldState: State,
    to newState: State,
    shared: (before: SharedChangeTracker, after: SharedChangeTracker)
  ) {
    let change = Change(action: action, oldState: oldState, newState: newState)
    let dependencies = DependencyValues._current
    queue.async {
      DependencyValues.$_current.withValue(dependencies) {
        shared.after.assert {
          shared.before.comparing { printChange(change.action, change.oldState, change.newState) }
        }
      }
    }
  }

  /// Unchecked: these are copies of values, which the queue reads and nobody changes.
  private struct Change: @unchecked Sendable {
    let action: Action
    let oldState: State
    let newState: State
  }
}

/// One for all printers, so that what several features print stands in the order of the actions; a body makes its
/// printer anew for each action.
private let sharedQueue = DispatchQueue(label: "tca-replay.print-changes", qos: .utility)

extension _ReducerPrinter {
  /// Prints the action and the difference that it made to the state.
  public static var customDump: Self {
    Self { action, oldState, newState in
      print(ChangeText.dump(of: action, from: oldState, to: newState))
    }
  }

  /// Prints which action it was, without what it holds and what it changed.
  public static var actionLabels: Self {
    Self { action, _, _ in print(ChangeText.label(of: action)) }
  }
}

/// What printers print.
package enum ChangeText {
  /// The action, and the difference of two states.
  package static func dump<State, Action>(
    of action: Action,
    from oldState: State,
    to newState: State
  ) -> String {
    var text = "received action:\n"
    customDump(action, to: &text, indent: 2)
    return text + "\n" + (diff(oldState, newState) ?? "  (No state changes)") + "\n"
  }

  /// The cases of an action.
  package static func label<Action>(of action: Action) -> String {
    "received action: \(ActionLabel.of(action))"
  }
}
