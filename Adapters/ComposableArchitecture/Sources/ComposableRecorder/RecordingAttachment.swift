internal import ActionLog
internal import ComposableArchitecture
internal import Foundation
import Synchronization

/// Where recorders are attached.
package enum RecordingAttachment {
  /// Whether a recorded reducer is at work.
  @TaskLocal static var isReducing = false

  private static let complaints = Mutex<Set<String>>([])
  /// The states that recordings of one action have ended with, by the names of their features.
  private static let ends = Mutex<[String: [UInt8]]>([:])

  /// The properties without names that bindings have led to since the last action that was written.
  private static let namelessBindings = Mutex<[(root: String, value: String, isMarked: Bool)]>([])
  private static let hasNamelessBindings = Atomic(false)

  /// What was complained of so far.
  package static var said: Set<String> { complaints.withLock { $0 } }

  /// Says once that a recorder in the body of a recorded feature records nothing.
  static func complainOfBody() {
    complain("found recorded(to:) in the body of a recorded feature; attach it once, at the store")
  }

  /// Notes that a recording has ended after one action, which has changed the state.
  static func noteEnd(of feature: String, after state: [UInt8]) {
    ends.withLock { $0[feature] = state }
  }

  /// Says once that a recorder is in a body, when its recording goes on where one of a single action has ended: the library does not
  /// show which reducer is that of a store.
  static func checkBeginning(of feature: String, with state: [UInt8]) {
    guard ends.withLock({ $0.removeValue(forKey: feature) == state }) else { return }
    complain(
      "found recorded(to:) of \(feature) in a body, which writes a log for every action; attach it once, at the store"
    )
  }

  /// Notes a binding that a replay cannot read, because its property has no name.
  static func noteNamelessBinding<Root>(of _: Root.Type, to value: Any.Type) {
    let binding = (
      root: LogTypeName.of(Root.self), value: LogTypeName.of(value),
      isMarked: Root.self is any LogMembers.Type
    )
    namelessBindings.withLock { $0.append(binding) }
    hasNamelessBindings.store(true, ordering: .releasing)
  }

  /// Says once for each state that bindings of the action that was just written have no name, with the line to add.
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

  /// Says once that a reducer prints changes within its body.
  ///
  /// `Feature()._printChanges().recorded(to:)` needs no complaint: the recorder leaves the effect that prints out of the log.
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
