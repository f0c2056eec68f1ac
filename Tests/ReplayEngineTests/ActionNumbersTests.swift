import ActionLog
import TestSupport
import Testing

@testable import ReplayEngine

/// The numbers of actions in a replay with another order or with missing actions.
@Suite struct ActionNumbersTests {
  /// Adds actions in a given order, counted from 1.
  ///
  /// 0 is an action that the log does not have.
  private func numbers(_ order: [Int], isFork: Bool = true) -> ActionNumberMapping {
    var numbers = ActionNumberMapping(isFork: isFork)
    for (place, recorded) in order.enumerated() {
      numbers.register(recorded: recorded, replayed: place + 1)
    }
    return numbers
  }

  private static let orders: [[Int]] = [
    [1, 2, 3, 4], [1, 3, 4], [1, 4, 2, 3, 5], [1, 3, 4, 2, 5], [0, 1, 2, 0, 0, 3], [5, 4, 3, 2, 1],
    [2, 0, 1, 6, 7, 3, 9], [3],
  ]

  @Test(arguments: orders)
  func `ActionNumberMapping maps the number of a recorded action to its number in the replay`(
    order: [Int]
  ) {
    let numbers = numbers(order)
    for recorded in 1...10 {
      #expect(numbers.replayed(recorded) == order.firstIndex(of: recorded).map { $0 + 1 })
    }
  }

  @Test(arguments: 1...40)
  func `ActionNumberMapping maps the numbers of recorded actions in any order of the replay`(
    seed: Int
  ) {
    var random = SplitMix64(seed: UInt64(seed))
    var order = (1...20).shuffled(using: &random)
    order.removeLast(Int.random(in: 0...10, using: &random))
    // As in edits, most actions stay in order.
    if seed % 2 == 0 { order = Array(order.sorted().reversed().suffix(8).reversed()) }
    for _ in 0..<3 { order.insert(0, at: Int.random(in: 0...order.count, using: &random)) }
    let numbers = numbers(order)
    for recorded in 1...21 {
      let place = order.firstIndex(of: recorded).map { $0 + 1 }
      #expect(numbers.replayed(recorded) == place, "seed \(seed): \(order)")
    }
  }

  @Test
  func `ActionNumberMapping maps an effect to no effect if the replay has not run its action`() {
    let id = EffectID(seq: 3, index: 1)
    #expect(numbers([1, 2]).replayed(id) == EffectID(seq: .max, index: 1))
    #expect(numbers([1, 3]).replayed(id) == EffectID(seq: 2, index: 1))
    // In an unchanged log, no effect occurs before its action.
    #expect(numbers([1, 2], isFork: false).replayed(id) == id)
  }

  @Test
  func
    `ActionNumberMapping finds effects by name and source if their indices differ in the replay`()
  {
    func effect(_ seq: Int, _ index: Int, _ name: String, _ source: String) -> EffectDescription {
      var effect = EffectDescription(.run)
      effect.id = EffectID(seq: seq, index: index)
      (effect.name, effect.source) = (name, source)
      return effect
    }
    var numbers = numbers([1, 2])
    numbers.register(
      effects: [
        effect(2, 0, "load", "A:1"), effect(2, 1, "save", "A:2"), effect(2, 2, "log", "A:3"),
      ],
      as: [effect(2, 0, "save", "A:2"), effect(2, 1, "load", "A:7")]
    )
    #expect(numbers.replayed(EffectID(seq: 2, index: 0)) == EffectID(seq: 2, index: 1))
    #expect(numbers.replayed(EffectID(seq: 2, index: 1)) == EffectID(seq: 2, index: 0))
    #expect(numbers.replayed(EffectID(seq: 2, index: 2)) == EffectID(seq: .max, index: 2))
  }
}
