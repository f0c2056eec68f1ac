internal import ActionLog
internal import ComposableArchitecture
internal import Foundation
import Synchronization

/// Detects mistakes in the attachment of recorders.
package enum RecordingAttachment {
  /// Whether a recorded reducer is running.
  @TaskLocal static var isReducing = false

  private static let complaints = Mutex<Set<String>>([])
  /// The final states of recordings with a single action, by the names of their features.
  private static let ends = Mutex<[String: [UInt8]]>([:])

  /// The unnamed properties that bindings have changed since the last written action.
  private static let namelessBindings = Mutex<[(root: String, value: String, isMarked: Bool)]>([])
  private static let hasNamelessBindings = Atomic(false)

  /// The issued warnings.
  package static var said: Set<String> { complaints.withLock { $0 } }

  /// Warns once that a recorder in the body of a recorded feature records nothing.
  static func complainOfBody() {
    complain("found recorded(to:) in the body of a recorded feature; attach it once, at the store")
  }

  /// Stores the end of a recording with a single action that changed the state.
  static func noteEnd(of feature: String, after state: [UInt8]) {
    ends.withLock { $0[feature] = state }
  }

  /// Warns once about a recorder in a body.
  ///
  /// A recording that continues where one with a single action ended reveals this. The library does not reveal the
  /// reducer of a store.
  static func checkBeginning(of feature: String, with state: [UInt8]) {
    guard ends.withLock({ $0.removeValue(forKey: feature) == state }) else { return }
    complain(
      "found recorded(to:) of \(feature) in a body, which writes a log for every action; attach it once, at the store"
    )
  }

  /// Stores a binding that a replay cannot read, because its property has no name.
  static func noteNamelessBinding<Root>(of _: Root.Type, to value: Any.Type) {
    let binding = (
      root: LogTypeName.of(Root.self), value: LogTypeName.of(value),
      isMarked: Root.self is any LogMembers.Type
    )
    namelessBindings.withLock { $0.append(binding) }
    hasNamelessBindings.store(true, ordering: .releasing)
  }

  /// Warns once for each state about unnamed bindings of the last action, with the line to add.
  static func complainOfNamelessBindings() {
    guard hasNamelessBindings.exchange(false, ordering: .acquiring) else { return }
    let bindings = namelessBindings.withLock { bindings in
      defer { bindings = [] }
      return bindings
    }
    for binding in bindings {
      let remedy =
        binding.isMarked
        ? "add @LogValue to the types of the properties that lead to it, because a subscript or a computed property has no name"
        : "add @Loggable to \(binding.root), or beside the @Reducer around it"
      complain(
        "found a binding of \(binding.root) to a property of type \(binding.value) without a name, which no replay can read; \(remedy)"
      )
    }
  }

  /// Warns once that a reducer prints changes in its body.
  ///
  /// `Feature()._printChanges().recorded(to:)` needs no warning, because the recorder omits the effect that prints.
  static func checkPrinting<R: Reducer>(of _: R.Type) {
    guard String(reflecting: R.Body.self).contains("_PrintChangesReducer") else { return }
    complain(
      "found _printChanges() in the body of \(LogTypeName.of(R.self)), which has an effect for every action in debug builds alone, so that logs of"
        + " debug and release builds differ; move it to the store: \(LogTypeName.of(R.self))()._printChanges().recorded(to:)"
    )
  }

  private static func complain(_ text: String) {
    guard complaints.withLock({ $0.insert(text).inserted }) else { return }
    FileHandle.standardError.write(Data("recorder: \(text)\n".utf8))
  }
}
