import ActionLog
import Foundation
import Synchronization
import TestSupport
import Testing

/// The patches of changed sets and dictionaries, and the number of entries that are looked up for them.
@Suite("Differences of sets and dictionaries", .serialized)
struct EntryDifferenceTests {
  /// A value that counts how often it is hashed, and that can equal values with another encoding.
  struct Counted: Codable, Hashable {
    static let hashed = Atomic(0)
    var number: Int
    var note = ""
    /// Equal for many values, to cause collisions.
    var hash = 0

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }
    func hash(into hasher: inout Hasher) {
      Self.hashed.add(1, ordering: .relaxed)
      hasher.combine(hash)
    }
    init(_ number: Int) { (self.number, hash) = (number, number) }
  }

  @Test("Comparing sets and dictionaries hashes only the changed entries", arguments: [100, 1_000])
  func lookUps(count: Int) {
    // A removal moves few entries, because some buckets are always free.
    let set = Set((0..<count).map { Counted($0) })
    let table = Dictionary(uniqueKeysWithValues: (0..<count).map { (Counted($0), $0) })
    let names = Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, Counted($0)) })
    var (changedSet, changedTable, changedNames) = (set, table, names)
    changedSet.remove(Counted(count / 2))
    changedTable[Counted(count / 3)] = -1
    changedNames[count / 4]?.note = "changed"
    #expect(hashes(operations: 1) { $0.value(set, changedSet) } < 80)
    // A pair of a key and a value is written as one element.
    #expect(hashes(operations: 2) { $0.value(table, changedTable) } < 80)
    #expect(hashes(operations: 1) { $0.value(names, changedNames) } < 80)
  }

  private func hashes(operations: Int, _ compare: (inout PatchBuilder) -> Void) -> Int {
    var patch = PatchBuilder()
    let before = Counted.hashed.load(ordering: .relaxed)
    compare(&patch)
    let hashes = Counted.hashed.load(ordering: .relaxed) - before
    #expect(patch.patch.operations.count == operations)
    return hashes
  }

  @Test(
    "Patches of sets and dictionaries turn the old value into the new one",
    arguments: UInt64(1)...24
  )
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    let size = [3, 20, 100, 400][Int(seed % 4)]
    switch seed / 4 % 6 {
    case 0: try check(seed, size) { "the text of element \($0)" }
    case 1: try check(seed, size) { UInt8($0 % 256) }
    case 2: try check(seed, size) { $0 % 5 == 0 ? Double.nan : Double($0) }
    case 3:
      // Many values have the same hash, and equal values have different encodings.
      try check(seed, size) { number in
        var value = Counted(number)
        value.hash = number % 7
        value.note = ["", "a"][number % 2]
        return value
      }
    case 4: try check(seed, size) { Optional($0) }
    default: try check(seed, size) { Pair(small: Int8($0 % 100), text: "\($0)") }
    }
  }

  /// A value with padding between its members.
  struct Pair: Codable, Hashable {
    var small: Int8
    var text: String
  }

  private func check<Element: Codable & Hashable>(
    _ seed: UInt64,
    _ size: Int,
    _ make: (Int) -> Element
  ) throws {
    var random = SplitMix64(seed: seed)
    func number() -> Int { Int.random(in: 0..<size * 2, using: &random) }
    var set = Set((0..<size).map(make))
    var keyed = Dictionary((0..<size).map { (make($0), $0) }) { $1 }
    var named = Dictionary((0..<size).map { ("\($0)", make($0)) }) { $1 }
    // One tracker for all steps, as in a recorder.
    var sets = StateTracker()
    var dictionaries = StateTracker()
    var objects = StateTracker()
    for step in 0..<(size > 100 ? 8 : 25) {
      let old = (set, keyed, named)
      for _ in 0..<[0, 1, 1, 2, 9][Int.random(in: 0..<5, using: &random)] {
        let (element, key) = (make(number()), number())
        switch Int.random(in: 0..<9, using: &random) {
        case 0: set.update(with: element)
        case 1: set.remove(element)
        case 2: keyed[element] = key
        case 3: keyed[element] = nil
        case 4: named["\(key)"] = element
        case 5: named["\(key)"] = nil
        case 6:
          // More buckets than before.
          set.reserveCapacity(set.capacity + 1)
          keyed.reserveCapacity(keyed.capacity + 1)
          named.reserveCapacity(named.capacity + 1)
        case 7:
          // The same number of buckets in another order.
          set = Set(set.map { $0 })
          named = Dictionary(uniqueKeysWithValues: named.map { ($0.key, $0.value) })
        default: if number() == 0 { (set, keyed, named) = ([], [:], [:]) }
        }
      }
      let comment: Comment = "\(Element.self), seed \(seed), step \(step)"
      #expect(try patched(&sets, old.0, set) == JSON(logging: set), comment)
      #expect(try patched(&dictionaries, old.1, keyed) == JSON(logging: keyed), comment)
      #expect(try patched(&objects, old.2, named) == JSON(logging: named), comment)
    }
  }

  /// Returns the text of a value after a patch leads it to another value.
  private func patched<Value: LogValue>(
    _ tracker: inout StateTracker,
    _ old: Value,
    _ new: Value
  ) throws -> JSON {
    var json = JSON(logging: old)
    try tracker.patch(from: old, to: new).apply(to: &json)
    return json
  }
}
