public import Dispatch

/// A function that `_printChanges` calls with each action and the states before and after it.
public struct _ReducerPrinter<State, Action>: Sendable {
  private let printChange: @Sendable (Action, State, State) -> Void
  private let queue: DispatchQueue

  /// Creates a printer that calls a closure.
  ///
  /// ```swift
  /// Feature()._printChanges(_ReducerPrinter { action, _, _ in logger.debug("\(action)") })
  /// ```
  ///
  /// - Parameters:
  ///   - printChange: A closure that receives the action, the state before it, and the state after it.
  ///   - queue: A serial queue on which the closure runs; `nil` for the queue that printers share by default.
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

  /// Calls the closure synchronously with an action and the states before and after it.
  ///
  /// ```swift
  /// let old = state
  /// let effect = Counter().reduce(into: &state, action: action)
  /// printer.printChange(receivedAction: action, oldState: old, newState: state)
  /// ```
  public func printChange(receivedAction: Action, oldState: State, newState: State) {
    printChange(receivedAction, oldState, newState)
  }

  /// Calls the closure on the queue, with the current dependencies and the current shared values.
  ///
  /// When the closure compares the states, the old state shows the shared values from before the action.
  func enqueue(
    _ action: Action,
    from oldState: State,
    to newState: State,
    shared: (before: SharedChangeTracker, after: SharedChangeTracker)
  ) {
    let change = PrintedChange(action: action, oldState: oldState, newState: newState)
    let dependencies = DependencyValues._current
    queue.async {
      DependencyValues.$_current.withValue(dependencies) {
        shared.after.assert {
          shared.before.comparing { printChange(change.action, change.oldState, change.newState) }
        }
      }
    }
  }

  /// The copies of an action and its states that are passed to the queue.
  ///
  /// Unchecked: the queue only reads these copies.
  private struct PrintedChange: @unchecked Sendable {
    let action: Action
    let oldState: State
    let newState: State
  }
}

/// The queue of all printers without their own queue.
///
/// A shared queue prints the output of several features in the order of the actions. The queue can't belong to a
/// printer, because a `body` creates its printer again for each action.
private let sharedQueue = DispatchQueue(label: "tca-replay.print-changes", qos: .utility)

extension _ReducerPrinter {
  /// A printer that prints the action and the difference between the states before and after it.
  public static var customDump: Self {
    Self { action, oldState, newState in
      print(PrintChangesFormat.dump(of: action, from: oldState, to: newState))
    }
  }

  /// A printer that prints the cases of the action, without payloads and without the state.
  ///
  /// ```swift
  /// Counter()._printChanges(.actionLabels)  // received action: Counter.Action.factResponse(…)
  /// ```
  public static var actionLabels: Self {
    Self { action, _, _ in print(PrintChangesFormat.label(of: action)) }
  }
}

/// The functions that format the output of printers.
package enum PrintChangesFormat {
  /// Returns the text for an action and the difference between the states before and after it.
  package static func dump<State, Action>(
    of action: Action,
    from oldState: State,
    to newState: State
  ) -> String {
    var text = "received action:\n"
    customDump(action, to: &text, indent: 2)
    return text + "\n" + (diff(oldState, newState) ?? "  (No state changes)") + "\n"
  }

  /// Returns the names of the cases in an action, without payloads.
  package static func label<Action>(of action: Action) -> String {
    "received action: \(ActionLabel.of(action))"
  }
}

extension Reducer {
  /// Prints each action that this reducer receives and the difference between the states before and after it.
  ///
  /// ```swift
  /// Store(initialState: Counter.State()) { Counter()._printChanges() }
  /// // received action:
  /// //   Counter.Action.increment
  /// // - Counter.State(count: 0)
  /// // + Counter.State(count: 1)
  /// ```
  ///
  /// The printer runs after the reducer, on a separate queue and in the order of the actions. Builds without
  /// `DEBUG` print no output.
  ///
  /// - Parameter printer: The printer that receives each action and its states; `nil` for no output.
  /// - Returns: A reducer that runs this one and calls the printer.
  @warn_unqualified_access
  public func _printChanges(
    _ printer: _ReducerPrinter<State, Action>? = .customDump
  ) -> _PrintChangesReducer<Self> {
    _PrintChangesReducer(base: self, printer: printer)
  }
}

/// A reducer that runs another reducer and prints the actions and the state changes of that reducer.
public struct _PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: _ReducerPrinter<Base.State, Base.Action>?

  /// Runs the base reducer and, in debug builds, passes the action and its states to the printer.
  public func reduce(
    into state: inout Base.State,
    action: Base.Action
  ) -> Effect<Base.Action> {
    #if DEBUG
    guard let printer else { return base._reduce(into: &state, action: action) }
    let oldState = state
    var dependencies = DependencyValues._current
    let tracker = SharedChangeTracker(within: dependencies.sharedChangeTracker)
    dependencies.sharedChangeTracker = tracker
    let effect = DependencyValues.$_current.withValue(dependencies) {
      base._reduce(into: &state, action: action)
    }
    printer.enqueue(action, from: oldState, to: state, shared: tracker.close())
    return effect
    #else
    return base._reduce(into: &state, action: action)
    #endif
  }
}

/// The functions that format an action as its nested cases: `Todos.Action.todo(id: …, action: .toggled)`.
enum ActionLabel {
  /// The maximum number of nested cases in a label, which bounds the text for recursive actions.
  private static let deepest = 16
  /// The maximum length, in characters, of a payload in a label, chosen so that most labels fit on a line.
  private static let widest = 60

  /// Returns the nested cases of an action, without payloads.
  static func of(_ action: Any) -> String {
    label(of: action, isRoot: true, depth: deepest) { _ in "…" }
      ?? DumpTypeName.short(type(of: action))
  }

  /// Returns the nested cases of an action with payloads: `Todos.Action.todo(id: 1, action: .titleChanged("Milk"))`.
  ///
  /// The label is a single line.
  static func whole(_ action: Any) -> String {
    label(of: action, isRoot: true, depth: deepest, payload) ?? payload(action)
  }

  /// Returns the text for a payload that isn't an enum case, abbreviated if the text is longer than `widest`.
  private static func payload(_ value: Any) -> String {
    var printer = DumpPrinter()
    let block = printer.block(of: DumpChild(value: value), depth: 4)
    if let line = block.singleLine, line.count <= widest { return line }
    let shape = printer.block(of: DumpChild(value: value), depth: 0)
    return shape.singleLine ?? "…"
  }

  private static func label(
    of value: Any,
    isRoot: Bool,
    depth: Int,
    _ payload: (Any) -> String
  ) -> String? {
    let mirror =
      (value as? any CustomDumpReflectable)?.customDumpMirror ?? Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, depth > 0 else { return nil }
    let type = isRoot ? DumpTypeName.short(mirror.subjectType) : ""
    guard let child = mirror.children.first, let name = child.label else {
      return "\(type).\(DumpText.caseName(of: value))"
    }
    let tuple = Mirror(reflecting: child.value)
    let members = tuple.displayStyle == .tuple ? Array(tuple.children) : [(nil, child.value)]
    let labels = members.map { label, value in
      let text =
        (value as? AnyKeyPath).map(DumpText.of)
        ?? Self.label(of: value, isRoot: false, depth: depth - 1, payload) ?? payload(value)
      return label.flatMap { $0.hasPrefix(".") ? nil : "\($0): \(text)" } ?? text
    }
    return "\(type).\(name)(\(labels.joined(separator: ", ")))"
  }
}
