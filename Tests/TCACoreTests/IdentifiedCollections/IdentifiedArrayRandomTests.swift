import Foundation
import TCACore
import TestSupport
import Testing

@LogValue
struct RandomRow: Identifiable, Equatable, Hashable, Codable, Sendable {
  let id: Int
  var name: String
  var tags: [String] = []
}

/// Random sequences of changes, compared with a plain array.
@Suite struct IdentifiedArrayRandomTests {
  private typealias Rows = IdentifiedArrayOf<RandomRow>

  /// An array and its expected elements.
  private struct Pair {
    var rows: Rows
    var model: [RandomRow]

    func index(_ id: Int) -> Int? { model.firstIndex { $0.id == id } }

    mutating func insert(_ row: RandomRow, at index: Int) -> (Bool, Int) {
      if let index = self.index(row.id) { return (false, index) }
      model.insert(row, at: index)
      return (true, index)
    }
  }

  @Test(arguments: Thoroughness.seeds(4, thorough: 12))
  func `random changes of an IdentifiedArray have the results of a plain array`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Lists of one chunk, some chunks, and many chunks.
    let size = [6, 100, 300, 2_000][Int(seed % 4)]
    var pair = Pair(rows: [], model: [])
    var copies: [Pair] = []
    for step in 0..<(size < 1_000 ? 1_500 : 400) {
      change(&pair, size: size, using: &random)
      if step.isMultiple(of: 97) { copies.append(pair) }
      check(pair, thoroughly: step.isMultiple(of: 10), "seed \(seed), step \(step)", using: &random)
    }
    for copy in copies { check(copy, thoroughly: true, "a copy, seed \(seed)", using: &random) }
  }

  @Test(arguments: Thoroughness.seeds(4, thorough: 12))
  func `a patch of an IdentifiedArray equals the patch of a plain array`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let size = [6, 100, 300, 1_000][Int(seed % 4)]
    var pair = Pair(rows: [], model: [])
    for _ in 0..<8 { change(&pair, size: size, using: &random) }
    for step in 0..<60 {
      let old = pair
      for _ in 0...Int.random(in: 0...2, using: &random) {
        change(&pair, size: size, using: &random)
      }
      var patch = PatchBuilder()
      patch.value(old.rows, pair.rows)
      var plain = PatchBuilder()
      plain.value(old.model, pair.model)
      #expect(patch.patch.json == plain.patch.json, "seed \(seed), step \(step)")
      var state = JSON(logging: old.rows)
      try patch.patch.apply(to: &state)
      #expect(state == JSON(logging: pair.model), "seed \(seed), step \(step)")
    }
  }

  @Test(arguments: [1, 64, 65, 1_000])
  func `copies of an IdentifiedArray share one array of elements until one is changed`(count: Int) {
    var rows: Rows = []
    rows.append(contentsOf: (0..<count - 1).map { RandomRow(id: $0, name: "row") })
    rows.insert(contentsOf: [RandomRow(id: -1, name: "first")], at: 0)
    let copy = rows
    #expect(place(of: rows.elements) == place(of: rows.elements))
    #expect(place(of: rows.elements) == place(of: copy.elements))
    #expect(place(of: rows.ids.elements) == place(of: copy.ids.elements))
    rows[id: -1]?.name = "changed"
    #expect(rows.elements.map(\.name) == ["changed"] + copy.elements.dropFirst().map(\.name))
    #expect(copy.elements.first?.name == "first")
    #expect(place(of: rows.elements) == place(of: rows.elements))
  }

  @Test(arguments: [65, 129])
  func `after appends, an IdentifiedArray creates its array of elements only once`(count: Int) {
    var rows: Rows = []
    for id in 0..<count { rows.append(RandomRow(id: id, name: "row")) }
    #expect(place(of: rows.elements) == place(of: rows.elements))
    #expect(place(of: rows.ids.elements) == place(of: rows.ids.elements))
  }

  /// Chunks that are split repeatedly at one position use up the keys between their neighbors.
  @Test(arguments: [1, 2, 500])
  func `repeated inserts at one index keep an IdentifiedArray consistent`(index: Int) {
    var pair = Pair(rows: [], model: [])
    for id in 0..<600 {
      let row = RandomRow(id: -id, name: "before")
      pair.rows.append(row)
      pair.model.append(row)
    }
    let (copy, count) = (pair, 2_000)
    for id in 1...count {
      let row = RandomRow(id: id, name: "row \(id)")
      pair.rows.insert(row, at: index)
      pair.model.insert(row, at: index)
    }
    #expect(pair.rows.elements == pair.model)
    for (index, row) in pair.model.enumerated() where pair.rows.index(id: row.id) != index {
      Issue.record("Row \(row.id) is found at \(String(describing: pair.rows.index(id: row.id))).")
    }
    var patch = PatchBuilder()
    patch.value(copy.rows, pair.rows)
    // One value with all rows is shorter than an operation for each inserted one.
    #expect(patch.patch.operations.count == 1)
    var random = SplitMix64(seed: UInt64(index))
    for _ in 0..<200 { change(&pair, size: 2_000, using: &random) }
    check(pair, thoroughly: true, "index \(index)", using: &random)
    check(copy, thoroughly: true, "the copy, index \(index)", using: &random)
  }

  @Test(arguments: Thoroughness.seeds(5, thorough: 20))
  func `bulk removals and inserts keep an IdentifiedArray consistent`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var pair = Pair(rows: [], model: (0..<1_000).map { RandomRow(id: $0, name: "row") })
    pair.rows = IdentifiedArray(uniqueElements: pair.model)
    for step in 0..<12 {
      let isGone = removal(of: pair.model.count, using: &random)
      let old = pair
      if Bool.random(using: &random) {
        pair.rows.remove(atOffsets: IndexSet(pair.model.indices.filter(isGone)))
      } else {
        let gone = Set(pair.model.indices.filter(isGone).map { pair.model[$0].id })
        pair.rows.removeAll { gone.contains($0.id) }
      }
      pair.model = pair.model.enumerated().filter { !isGone($0.offset) }.map(\.element)
      check(pair, thoroughly: true, "seed \(seed), step \(step)", using: &random)
      check(old, thoroughly: true, "the copy, seed \(seed), step \(step)", using: &random)
      let index = Int.random(in: 0...pair.model.count, using: &random)
      let rows = (0..<Int.random(in: 0..<150, using: &random)).map { _ in row(1_000, using: &random)
      }
      pair.rows.insert(contentsOf: rows, at: index)
      var place = index
      for row in rows where pair.insert(row, at: place).0 { place += 1 }
      check(pair, thoroughly: true, "inserted, seed \(seed), step \(step)", using: &random)
    }
  }

  /// Returns a predicate for removed indexes: scattered ones, long runs, the ends, or all.
  private func removal(of count: Int, using random: inout SplitMix64) -> (Int) -> Bool {
    let (start, length) = (
      Int.random(in: 0...count, using: &random), Int.random(in: 0..<200, using: &random)
    )
    let numbers = (0...count).map { _ in Int.random(in: 0..<10, using: &random) }
    return switch Int.random(in: 0..<12, using: &random) {
    case 0...2: { numbers[$0] == 0 }
    case 3...4: { numbers[$0] > 4 }
    case 5: { numbers[$0] > 0 }
    case 6...8: { $0 >= start && $0 < start + length }
    case 9: { $0 < start || numbers[$0] == 1 }
    case 10: { $0 % 64 < 60 }
    default: { _ in true }
    }
  }

  private func place(of elements: [some Any]) -> UnsafeRawPointer? {
    elements.withUnsafeBytes(\.baseAddress)
  }

  private func check(
    _ pair: Pair,
    thoroughly: Bool,
    _ comment: Comment,
    using random: inout SplitMix64
  ) {
    let (rows, model) = (pair.rows, pair.model)
    #expect(rows.count == model.count && rows.isEmpty == model.isEmpty, comment)
    if let index = model.indices.randomElement(using: &random) {
      #expect(rows[index] == model[index] && rows.ids[index] == model[index].id, comment)
    }
    guard thoroughly else { return }
    #expect(rows.elements == model && Array(rows) == model, comment)
    #expect(rows.indices.map { rows[$0] } == model, comment)
    #expect(rows.ids.elements == model.map(\.id), comment)
    #expect(rows == Rows(uniqueElements: model), comment)
    #expect(rows.hashValue == model.hashValue, comment)
    for (index, row) in model.enumerated() {
      #expect(rows.index(id: row.id) == index && rows[id: row.id] == row, comment)
    }
    for id in 0..<20 where !model.contains(where: { $0.id == id }) {
      #expect(rows[id: id] == nil && !rows.ids.contains(id), comment)
    }
  }

  private func row(_ size: Int, using random: inout SplitMix64) -> RandomRow {
    RandomRow(
      id: Int.random(in: 0..<size * 2, using: &random),
      name: String(Int.random(in: 0..<100, using: &random))
    )
  }

  /// Makes the same change to both.
  private func change(_ pair: inout Pair, size: Int, using random: inout SplitMix64) {
    let row = row(size, using: &random)
    let count = pair.model.count
    let index = Int.random(in: 0...count, using: &random)
    let other = Int.random(in: 0...count, using: &random)
    let range = min(index, other)..<min(max(index, other), min(index, other) + 40)
    func isOdd(_ row: RandomRow) -> Bool { row.id.isMultiple(of: 11) }
    switch Int.random(in: 0..<(count < size ? 20 : 30), using: &random) {
    case 0...2:
      let expected = pair.insert(row, at: count)
      #expect(pair.rows.append(row) == expected)
    case 3...5:
      let expected = pair.insert(row, at: index)
      #expect(pair.rows.insert(row, at: index) == expected)
    case 6...9:
      let rows = (0..<Int.random(in: 1...70, using: &random)).map { _ in
        self.row(size, using: &random)
      }
      pair.rows.insert(contentsOf: rows, at: index)
      var place = index
      for row in rows where pair.insert(row, at: place).0 { place += 1 }
    case 10:
      pair.rows[id: row.id] = row
      if let index = pair.index(row.id) { pair.model[index] = row } else { pair.model.append(row) }
    case 11, 12:
      pair.rows[id: row.id]?.tags.append("x")
      if let index = pair.index(row.id) { pair.model[index].tags.append("x") }
    case 13 where index < count:
      pair.rows[index].name += "y"
      pair.model[index].name += "y"
    case 14 where index < count && pair.index(row.id) == nil:
      pair.rows[index] = row
      pair.model[index] = row
    case 15 where index < count && other < count:
      pair.rows.swapAt(index, other)
      pair.model.swapAt(index, other)
    case 16:
      let old = pair.index(row.id).map { pair.model[$0] }
      #expect(pair.rows.updateOrInsert(row, at: index).originalMember == old)
      if let place = pair.index(row.id) {
        pair.model[place] = row
      } else {
        pair.model.insert(row, at: index)
      }
    case 17:
      var offsets = IndexSet()
      for _ in 0..<3 where count > 0 { offsets.insert(Int.random(in: 0..<count, using: &random)) }
      pair.rows.move(fromOffsets: offsets, toOffset: index)
      let moved = offsets.map { pair.model[$0] }
      let rest = pair.model.enumerated().filter { !offsets.contains($0.offset) }
      pair.model =
        rest.filter { $0.offset < index }.map(\.element) + moved
        + rest.filter { $0.offset >= index }.map(\.element)
    case 18 where Int.random(in: 0..<10, using: &random) == 0:
      reorder(&pair, using: &random)
    case 19 where Int.random(in: 0..<10, using: &random) == 0:
      pair.rows.removeAll(where: isOdd)
      pair.model.removeAll(where: isOdd)
    case 20...22 where index < count:
      #expect(pair.rows.remove(at: index) == pair.model.remove(at: index))
    case 23, 24:
      let expected = pair.index(row.id).map { pair.model.remove(at: $0) }
      #expect(pair.rows.remove(id: row.id) == expected)
    case 25:
      func clear(_ row: inout RandomRow?) { row = nil }
      clear(&pair.rows[id: row.id])
      pair.model.removeAll { $0.id == row.id }
    case 26:
      pair.rows.removeSubrange(range)
      pair.model.removeSubrange(range)
    case 27:
      let rows = (0..<10).map { _ in self.row(size, using: &random) }
      pair.rows.replaceSubrange(range, with: rows)
      pair.model.removeSubrange(range)
      var place = range.lowerBound
      for row in rows where pair.insert(row, at: place).0 { place += 1 }
    case 28:
      let offsets = IndexSet((0..<5).compactMap { _ in (0..<count).randomElement(using: &random) })
      pair.rows.remove(atOffsets: offsets)
      pair.model = pair.model.enumerated().filter { !offsets.contains($0.offset) }.map(\.element)
    case 29:
      pair.rows = pair.rows.filter { !isOdd($0) }
      pair.model = pair.model.filter { !isOdd($0) }
    default: break
    }
  }

  private func reorder(_ pair: inout Pair, using random: inout SplitMix64) {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      pair.rows.sort { $0.name < $1.name }
      pair.model.sort { $0.name < $1.name }
    case 1:
      pair.rows.reverse()
      pair.model.reverse()
    case 2:
      var again = random
      pair.rows.shuffle(using: &random)
      pair.model.shuffle(using: &again)
    default:
      let pivot = pair.rows.partition { $0.id.isMultiple(of: 2) }
      #expect(pivot == pair.model.partition { $0.id.isMultiple(of: 2) })
    }
  }
}
