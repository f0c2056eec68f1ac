import Foundation
import Observation
import TCACore

#if canImport(ComposableArchitecture)
import IssueReporting
#endif

/// Writes what a random user of a feature leads to.
///
/// That is the actions in the order in which the store receives them, the parts of the state that each of them changes, issues,
/// and the properties whose observers are notified in each step.
@MainActor
func trace<R: Reducer>(
  _ name: String,
  _ reducer: @escaping @MainActor @Sendable () -> R,
  _ state: () -> R.State,
  seed: UInt64
) async where R.Action: Acting, R.Action.State == R.State, R.State: ObservableState {
  let trace = Trace()
  trace.write("\(name), user \(seed)")
  let observers = PropertyObservers<R.Action>()
  var step = 0
  await withIssueReporters([TracedIssues(trace: trace)]) {
    await RandomUser(of: name, seed: seed).use(state) {
      FollowedReducer(base: reducer()) { trace.write($0, leadingTo: $1) }
    } willAct: { store in
      // Lets effects start: TCACore cancels an effect that has not started, and Point-Free's library does not.
      await Task.megaYield()
      let names = observers.consumeNotified(observing: store)
      if !names.isEmpty { trace.write("  notified: \(names.joined(separator: ", "))") }
      step += 1
      trace.write("step \(step)")
    }
  }
}

/// The lines about one user of a feature.
///
/// Unchecked, because stores and their observers run on the main actor only.
final class Trace: @unchecked Sendable {
  private var writer = ValueWriter()
  private var members: [String: String] = [:]

  func write(_ line: String) {
    print(line)
  }

  func write<State>(_ action: some Any, leadingTo state: State) {
    write("  \(writer.text(action))")
    for (name, value) in writer.members(of: state) {
      let text = writer.text(value)
      guard members.updateValue(text, forKey: name) != text else { continue }
      write("    \(name): \(text)")
    }
  }
}

/// A reporter that notes that there is an issue.
///
/// The texts of issues are not compared, because each library has its own.
struct TracedIssues: IssueReporter {
  let trace: Trace

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    trace.write("  issue")
    FileHandle.standardError.write(Data("issue: \(message() ?? "")\n".utf8))
  }

  #if canImport(ComposableArchitecture)
  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    reportIssue(message(), fileID: fileID, filePath: filePath, line: line, column: column)
  }
  #endif
}

/// An observer of each property of a feature's state.
///
/// Unchecked, because stores notify their observers on the main actor only.
final class PropertyObservers<Action: Acting>: @unchecked Sendable {
  private var observed: Set<String> = []
  private var notified: Set<String> = []

  /// Returns the names of the properties that have changed since the last call, and observes all properties.
  @MainActor
  func consumeNotified<State: ObservableState>(
    observing store: Store<State, Action>
  ) -> [String] where Action.State == State {
    defer { notified = [] }
    for (name, read) in Action.observations where observed.insert(name).inserted {
      withObservationTracking {
        read(store.state)
      } onChange: {
        self.observed.remove(name)
        self.notified.insert(name)
      }
    }
    return notified.sorted()
  }
}

/// Whether a trace shows no difference between two values.
func areAlike<Value>(_ first: Value, _ second: Value) -> Bool {
  var writer = ValueWriter()
  return writer.text(first) == writer.text(second)
}

/// A writer of values as texts that are the same with each library.
///
/// Ids of stack elements are written by the order in which they appear.
struct ValueWriter {
  private var elements: [StackElementID: Int] = [:]

  /// The stored properties of a state, without those that the library adds.
  func members(of value: Any) -> [(String, Any)] {
    Mirror(reflecting: value).children.compactMap { child in
      let label = child.label ?? ""
      guard !label.hasPrefix("_$") else { return nil }
      return (label.hasPrefix("_") ? String(label.dropFirst()) : label, child.value)
    }
  }

  mutating func text(_ value: Any) -> String {
    switch value {
    case let value as any Shown: text(value.shown)
    case let value as StackElementID: "#\(number(of: value))"
    case let value as any StringProtocol: "\(value)".debugDescription
    case let value as Character: String(value).debugDescription
    case let value as Date: "Date(\(value.timeIntervalSinceReferenceDate))"
    case let value as Data: "Data(\(Array(value)))"
    case let value as URL: "URL(\(value.relativeString), \(value.baseURL?.absoluteString ?? "nil"))"
    case let value as Locale: "Locale(\(value.identifier))"
    case let value as CharacterSet:
      "CharacterSet(\((0..<128).filter { value.contains(Unicode.Scalar(UInt8($0))) }))"
    case let value as IndexSet: "IndexSet(\(Array(value)))"
    case is Decimal, is UUID, is DateComponents, is Duration: "\(value)"
    default: reflected(value)
    }
  }

  private mutating func reflected(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let type = "\(type(of: value))"
    switch mirror.displayStyle {
    case .optional: return mirror.children.first.map { "some(\(text($0.value)))" } ?? "nil"
    case .enum:
      guard let payload = mirror.children.first else { return ".\(value)" }
      return ".\(payload.label ?? "")(\(text(payload.value)))"
    case .collection: return "[\(texts(mirror.children).joined(separator: ", "))]"
    case .set, .dictionary:
      return "\(type)[\(texts(mirror.children).sorted().joined(separator: ", "))]"
    case .tuple: return "(\(texts(mirror.children).joined(separator: ", ")))"
    case .struct, .class:
      let members = members(of: value).map { "\($0): \(text($1))" }
      return "\(type)(\(members.joined(separator: ", ")))"
    default: return "\(value)"
    }
  }

  private mutating func texts(_ children: Mirror.Children) -> [String] {
    children.map { child in
      let text = text(child.value)
      guard let label = child.label, !label.hasPrefix(".") else { return text }
      return "\(label): \(text)"
    }
  }

  private mutating func number(of element: StackElementID) -> Int {
    if let number = elements[element] { return number }
    elements[element] = elements.count
    return elements.count - 1
  }
}

/// A value that is written as another one, because its own storage differs between libraries.
protocol Shown {
  var shown: Any { get }
}

extension IdentifiedArray: Shown {
  var shown: Any { Array(self) }
}

extension StackState: Shown {
  var shown: Any { zip(ids, self).map { ($0, $1) } }
}

extension PresentationState: Shown {
  var shown: Any { wrappedValue as Any }
}

extension Shared: Shown {
  var shown: Any { wrappedValue }
}

extension SharedReader: Shown {
  var shown: Any { wrappedValue }
}

extension BindingAction: Shown {
  // The names of properties are lost on Linux. The state after the action has the value.
  var shown: Any { (binding: "\(type(of: keyPath).valueType)", ()) }
}

extension AlertState: Shown {
  var shown: Any { (alert: title, message: message, buttons: buttons) }
}

extension ConfirmationDialogState: Shown {
  var shown: Any { (dialog: title, message: message, buttons: buttons) }
}

extension ButtonState: Shown {
  var shown: Any { (button: label, role: role, action: action.action) }
}

extension TextState: Shown {
  var shown: Any { String(state: self) }
}
