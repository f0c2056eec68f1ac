import Foundation
import ReplayEngine
import Synchronization

/// A request to end a command before its work is done.
///
/// A signal makes the request. A command that can show a partial result calls `allowPartialResult()`. The command then
/// gets time to write that result, and afterward ends by the signal unless it calls `fulfil()`. All other commands end
/// at once.
package final class Interruption: Sendable {
  /// The interruption of this process, which signals request.
  package static let process = Interruption()

  private struct State {
    var signal: Int32?
    var allowsPartialResult = false
    var actions: [Int: @Sendable () -> Void] = [:]
    var nextAction = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// The signal that made the request, or `nil` if no request was made.
  package var signal: Int32? { state.withLock(\.signal) }

  /// Whether the command was requested to end.
  package var isRequested: Bool { signal != nil }

  /// Gives the command time to show a partial result after an interruption.
  package func allowPartialResult() { state.withLock { $0.allowsPartialResult = true } }

  /// Requests the command to end.
  ///
  /// - Parameter signal: The signal that makes the request.
  /// - Returns: Whether the command will show a partial result. The result is `false` if the request was already made.
  package func request(by signal: Int32) -> Bool {
    let actions = state.withLock { state -> [@Sendable () -> Void]? in
      guard state.allowsPartialResult, state.signal == nil else { return nil }
      state.signal = signal
      defer { state.actions = [:] }
      return Array(state.actions.values)
    }
    guard let actions else { return false }
    for action in actions { action() }
    return true
  }

  /// Marks the request as fulfilled, so that the command ends normally.
  ///
  /// Commands that run until they are interrupted call this method.
  package func fulfil() { state.withLock { $0.signal = nil } }

  /// Runs an action when the request is made, or immediately if it has already been made.
  ///
  /// - Returns: The ID for `cancelAction`, or `nil` if the action has run.
  package func onRequest(_ action: @escaping @Sendable () -> Void) -> Int? {
    let number = state.withLock { state -> Int? in
      guard state.signal == nil else { return nil }
      state.nextAction += 1
      state.actions[state.nextAction] = action
      return state.nextAction
    }
    if number == nil { action() }
    return number
  }

  /// Removes an action that `onRequest` has registered under this ID.
  package func cancelAction(_ number: Int?) {
    guard let number else { return }
    state.withLock { _ = $0.actions.removeValue(forKey: number) }
  }

  /// Throws an error if the command was requested to end.
  ///
  /// - Throws: `Interrupted`.
  package func check() throws(Interrupted) {
    if let signal { throw Interrupted(signal: signal) }
  }
}

extension Interruption: Equatable {
  package static func == (lhs: Interruption, rhs: Interruption) -> Bool { lhs === rhs }
}

extension Interruption {
  /// Suspends the task for a number of seconds, or until the command is requested to end.
  package func pause(seconds: Double) async {
    let wait = Task { try? await Task.sleep(for: .seconds(seconds)) }
    let action = onRequest { wait.cancel() }
    _ = await wait.value
    cancelAction(action)
  }

  /// Blocks the thread for a number of seconds, or until the command is requested to end.
  package func wait(seconds: Double) {
    let end = DispatchSemaphore(value: 0)
    let action = onRequest { end.signal() }
    _ = end.wait(timeout: .now() + seconds)
    cancelAction(action)
  }
}

/// An error with which work ends because of a signal.
package struct Interrupted: Error, Hashable, CustomStringConvertible {
  package let signal: Int32

  package init(signal: Int32) { self.signal = signal }

  package var description: String { Wording.interruptedWithoutResult(signal) }
}

extension CommandContext {
  /// Reports on standard error that the result is partial, if the command was interrupted.
  package func reportInterruption() {
    if let signal = interruption.signal { complain(Wording.interrupted(signal)) }
  }
}

/// Functions that return the names of signals as manuals write them.
package enum SignalName {
  package static func of(_ number: Int32) -> String {
    names[number] ?? "signal \(number)"
  }

  package static func number(of name: String) -> Int32? {
    names.first { $0.value == name }?.key ?? name.split(separator: " ").last.flatMap { Int32($0) }
  }

  private static let names: [Int32: String] = [
    SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
    SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL",
    SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU",
  ]
}
