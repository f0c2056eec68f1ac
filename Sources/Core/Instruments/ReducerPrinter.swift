public import Dispatch

/// The function that `_printChanges` calls with each action and the change that it made.
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
  ///
  /// ```swift
  /// let old = state
  /// let effect = Counter().reduce(into: &state, action: action)
  /// printer.printChange(receivedAction: action, oldState: old, newState: state)
  /// ```
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

  /// Unchecked: these are copies of values, which the queue only reads.
  private struct PrintedChange: @unchecked Sendable {
    let action: Action
    let oldState: State
    let newState: State
  }
}

/// One for all printers, so that the output of several features has the order of the actions; a body makes its
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
  ///
  /// ```swift
  /// Counter()._printChanges(.actionLabels)  // received action: Counter.Action.factResponse(…)
  /// ```
  public static var actionLabels: Self {
    Self { action, _, _ in print(ChangeText.label(of: action)) }
  }
}

/// The texts of printers.
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

extension Reducer {
  /// Prints each action that comes to a reducer, and what it changed.
  ///
  /// ```swift
  /// Store(initialState: Counter.State()) { Counter()._printChanges() }
  /// // received action:
  /// //   Counter.Action.increment
  /// // - Counter.State(count: 0)
  /// // + Counter.State(count: 1)
  /// ```
  ///
  /// Printing happens after the action, on a queue of its own, in the order of the actions. Builds without `DEBUG` print
  /// nothing.
  ///
  /// - Parameter printer: What is printed; nil prints nothing.
  /// - Returns: The reducer that does it.
  @warn_unqualified_access
  public func _printChanges(
    _ printer: _ReducerPrinter<State, Action>? = .customDump
  ) -> _PrintChangesReducer<Self> {
    _PrintChangesReducer(base: self, printer: printer)
  }
}

/// A reducer whose changes are printed.
public struct _PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: _ReducerPrinter<Base.State, Base.Action>?

  /// Runs the reducer and hands its change to the printer.
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

/// The cases of an action: `Todos.Action.todo(id: …, action: .toggled)`.
enum ActionLabel {
  /// As many levels of cases as a label shows.
  private static let deepest = 16
  /// How long a payload may be that a label shows.
  private static let widest = 60

  /// The cases without what they hold.
  static func of(_ action: Any) -> String {
    label(of: action, isRoot: true, depth: deepest) { _ in "…" }
      ?? DumpTypeName.short(type(of: action))
  }

  /// The cases with what they hold, on one line: `Todos.Action.todo(id: 1, action: .titleChanged("Milk"))`.
  static func whole(_ action: Any) -> String {
    label(of: action, isRoot: true, depth: deepest, payload) ?? payload(action)
  }

  /// A payload that is no case: shortened where it would not fit into a line.
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
