internal import Foundation
import Synchronization

/// Where recorders are attached.
package enum RecordingAttachment {
  /// Whether a recorded reducer is at work.
  @TaskLocal static var isReducing = false

  private static let complaints = Mutex<Set<String>>([])
  /// The states that recordings of one action have ended with, by the names of their features.
  private static let ends = Mutex<[String: [UInt8]]>([:])

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

  private static func complain(_ text: String) {
    guard complaints.withLock({ $0.insert(text).inserted }) else { return }
    FileHandle.standardError.write(Data("recorder: \(text)\n".utf8))
  }
}
