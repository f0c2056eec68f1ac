import Foundation
import TCACore

/// The planted change of behavior that this process makes, and whether it has made it.
private enum Mutation {
  static let active = Int(ProcessInfo.processInfo.environment["GENERATED_MUTATION"] ?? "0") ?? 0

  /// Notes that the process behaves differently from now on.
  static func isReached() {
    guard let path = ProcessInfo.processInfo.environment["GENERATED_REACHED"] else { return }
    FileManager.default.createFile(atPath: path, contents: nil)
  }
}

/// Returns whether the caller must make a planted change, and notes that it is reached.
func mutated(_ number: Int) -> Bool {
  guard number == Mutation.active else { return false }
  Mutation.isReached()
  return true
}

/// Returns a value, or another one that a log or a trace writes differently.
func mutant<Value>(_ number: Int, _ value: Value, _ other: @autoclosure () -> Value) -> Value {
  guard number == Mutation.active else { return value }
  let other = other()
  guard !areAlike(value, other) else { return value }
  Mutation.isReached()
  return other
}

private struct MutantID: Hashable {}

/// Returns an id, or one that equals no other.
func mutantID(_ number: Int, _ id: any Hashable & Sendable) -> any Hashable & Sendable {
  mutated(number) ? MutantID() : id
}

/// Returns an effect, or none.
func kept<Action>(_ number: Int, _ effect: Effect<Action>) -> Effect<Action> {
  mutated(number) ? .none : effect
}

/// Returns an effect, or one more.
func alone<Action>(_ number: Int, _ effect: Effect<Action>) -> Effect<Action> {
  mutated(number) ? .merge(effect, .run { _ in }) : effect
}

/// Joins two effects, or joins them in the other order.
func ordered<Action>(
  _ number: Int,
  _ first: Effect<Action>,
  _ second: Effect<Action>,
  _ join: (Effect<Action>, Effect<Action>) -> Effect<Action>
) -> Effect<Action> {
  mutated(number) ? join(second, first) : join(first, second)
}

/// Joins two effects, or joins them in another way.
func joined<Action>(
  _ number: Int,
  _ first: Effect<Action>,
  _ second: Effect<Action>,
  merges: Bool
) -> Effect<Action> {
  mutated(number) != merges ? .merge(first, second) : .concatenate(first, second)
}
