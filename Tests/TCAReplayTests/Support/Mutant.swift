import ActionLog
import ReplayEngine
import TCAReplay
import TCAReplaying
import Testing

/// A feature with a fault: its reducer handles one action differently.
struct Mutant<Base: Reducer & Sendable>: Reducer, Sendable {
  typealias State = Base.State
  typealias Action = Base.Action
  typealias Fault =
    @Sendable (_ base: Base, _ state: inout Base.State, _ action: Base.Action) -> Effect<
      Base.Action
    >?

  let base: Base
  /// Replaces the behavior of the base and returns an effect; `nil` calls the base.
  let fault: Fault

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    fault(base, &state, action) ?? base._reduce(into: &state, action: action)
  }
}

extension Effect {
  /// Returns the same effect with every node changed, leaves first.
  func rewritten(_ change: (Effect) -> Effect) -> Effect {
    switch operation {
    case .none, .send, .run, .cancel: change(self)
    case .merge(let effects):
      change(Effect(operation: .merge(effects.map { $0.rewritten(change) })))
    case .concatenate(let effects):
      change(Effect(operation: .concatenate(effects.map { $0.rewritten(change) })))
    case .cancellable(let inner, let id, let cancelInFlight):
      change(
        Effect(
          operation: .cancellable(
            inner.rewritten(change),
            id,
            cancelInFlight: cancelInFlight
          )
        )
      )
    }
  }
}

/// A fault, and the expected result of a replay.
struct MutantCase<Base: Reducer & Sendable>: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let verdict: String
  let fault: Mutant<Base>.Fault

  init(_ name: String, _ verdict: String, _ fault: @escaping Mutant<Base>.Fault) {
    testDescription = name
    self.verdict = verdict
    self.fault = fault
  }
}

extension Verdict {
  /// The verdict on one line.
  ///
  /// For a divergence, it contains the action, the cause and the path.
  var summary: String {
    guard case .diverged(let divergence) = self, let first = divergence.differences.first else {
      return name
    }
    return ["diverged at \(divergence.at):", first.cause.rawValue, first.subject, first.member]
      .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
  }
}
