import ActionLog
import Foundation
import ReplayAnalyses
import TCARecorder
import TestSupport
import Testing

/// Patches agree with two full encodings, for randomly composed types.
@Suite("Differences of random types")
struct RandomTypeTests {
  @Test(
    "Applying a patch to a value of a random type gives the next value",
    arguments: Thoroughness.seeds(32, thorough: 800)
  )
  func codable(seed: UInt64) throws {
    var mutator = Mutator(seed: seed)
    try check(mutator.type(), seed: seed, mutator)
  }

  @Test(
    "Applying a patch to a value with shared parts gives the next value",
    arguments: Thoroughness.seeds(4, thorough: 120)
  )
  func shared(seed: UInt64) throws {
    func sharing<Element: RandomCodable>(_: Element.Type) -> any RandomValue.Type {
      RandomTypes.Sharing<Element>.self
    }
    var mutator = Mutator(seed: seed)
    try check(sharing(mutator.type(depth: 2)), seed: seed, mutator)
  }

  @Test(
    "Applying a patch to a huge or empty container gives the next value",
    arguments: Thoroughness.seeds(2, thorough: 16)
  )
  func huge(seed: UInt64) throws {
    func crowd<Element: RandomCodable>(_: Element.Type) -> any RandomValue.Type {
      RandomTypes.Crowd<Element>.self
    }
    var mutator = Mutator(seed: seed)
    try check(
      crowd(mutator.type(depth: 1)),
      seed: seed,
      steps: Thoroughness.count(4, thorough: 8),
      mutator
    )
  }

  private func check<Value: RandomValue>(
    _ type: Value.Type,
    seed: UInt64,
    steps: Int = 25,
    _ mutator: Mutator
  ) throws {
    var mutator = mutator
    var value = Value.random(&mutator)
    for ownsState in [true, false] {
      var tracked = Tracked(value, ownsState: ownsState)
      for step in 1...steps {
        let old = value
        for _ in 0..<mutator.pick([0, 1, 1, 2]) { value.change(&mutator) }
        let (json, patch) = try tracked.change(from: old, to: value)
        try #require(
          json == JSON(logging: value),
          "\(type), seed \(seed), step \(step), only writer: \(ownsState): \(patch.json)"
        )
      }
    }
  }
}
