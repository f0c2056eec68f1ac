import Foundation
import ReplayEngine
import Synchronization

/// A request to end a command before its work is done.
///
/// A signal makes the request. A command that can show a partial result calls `allowPartialResult()`. It then gets time
/// to write that result, and afterward ends by the signal unless it calls `fulfil()`. All other commands end at once.
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

  /// The signal of the request, or `nil` if there is no request.
  package var signal: Int32? { state.withLock(\.signal) }

  /// Whether the command has been asked to end.
  package var isRequested: Bool { signal != nil }

  /// Gives the command time to show a partial result after an interruption.
  package func allowPartialResult() { state.withLock { $0.allowsPartialResult = true } }

  /// Makes the request.
  ///
  /// - Returns: Whether the command will show a partial result; `false` if the request was already made.
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

  /// Marks the request as fulfilled.
  ///
  /// For commands that run until they are interrupted, this is a normal end.
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

  /// Removes an action by its ID.
  package func cancelAction(_ number: Int?) {
    guard let number else { return }
    state.withLock { _ = $0.actions.removeValue(forKey: number) }
  }

  /// Throws an error if the request has been made.
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
  /// Suspends for a number of seconds or until a request is made.
  package func pause(seconds: Double) async {
    let wait = Task { try? await Task.sleep(for: .seconds(seconds)) }
    let action = onRequest { wait.cancel() }
    _ = await wait.value
    cancelAction(action)
  }

  /// Blocks the thread for a number of seconds or until a request is made.
  package func wait(seconds: Double) {
    let end = DispatchSemaphore(value: 0)
    let action = onRequest { end.signal() }
    _ = end.wait(timeout: .now() + seconds)
    cancelAction(action)
  }
}

/// An error that ends work because of a signal.
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

/// The names of signals as in manuals.
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
