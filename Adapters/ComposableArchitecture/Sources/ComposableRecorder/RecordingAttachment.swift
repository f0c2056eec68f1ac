internal import Foundation
import Synchronization

/// Where recorders are attached.
enum RecordingAttachment {
  /// Whether a recorded reducer is at work.
  @TaskLocal static var isReducing = false

  private static let complaints = Mutex<Set<String>>([])

  /// Says once that a recorder in a body records nothing.
  static func complainOfBody() {
    complain("found recorded(to:) in the body of a recorded feature; attach it once, at the store")
  }

  /// Says once that the log cannot hold a feature's values, and which line to add.
  static func check<State, Action>(_ state: State.Type, _ action: Action.Type) {
    for type in [state, action] as [Any.Type] where !isLoggable(type) {
      let name = LogTypeName.of(type)
      let feature = name.split(separator: ".").dropLast().joined(separator: ".")
      complain(
        "\(name) is not loggable, so the log cannot be replayed; add @Loggable beside the @Reducer of \(feature), "
          + "or 'extension \(name): LogCases {}' if that is an enum"
      )
    }
  }

  private static func isLoggable(_ type: Any.Type) -> Bool {
    type is any LogValue.Type || type is any Encodable.Type && type is any Decodable.Type
  }

  private static func complain(_ text: String) {
    guard complaints.withLock({ $0.insert(text).inserted }) else { return }
    FileHandle.standardError.write(Data("recorder: \(text)\n".utf8))
  }
}
