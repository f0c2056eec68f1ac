import Foundation
import TestSupport
import Testing

@testable import ActionLog

/// Rows that are compared by their bits, checked against a comparison one by one.
@Suite struct RowComparisonTests {
  /// A type with padding between its members.
  @LogValue struct Gapped: Equatable, Sendable {
    var flag = false
    var number = 0
    var small: Int16 = 0
    @LogIgnored var ignored = 0
  }

  @Test("RowComparison compares the written members, not padding and ignored members")
  func gaps() {
    var types = RecentTypes()
    let rows = RowComparison<Gapped>(&types)
    let row = Gapped(flag: true, number: 1, small: 2, ignored: 3)
    for (other, isSame) in [
      (Gapped(flag: true, number: 1, small: 2, ignored: 4), true),
      (Gapped(flag: false, number: 1, small: 2, ignored: 3), false),
      (Gapped(flag: true, number: 2, small: 2, ignored: 3), false),
      (Gapped(flag: true, number: 1, small: -2, ignored: 3), false),
    ] {
      #expect(rows.isSame(row, other) == isSame, "\(other)")
    }
  }

  @Test(
    "RowComparison agrees with a reference implementation for random rows",
    arguments: UInt64(1)...40
  )
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    switch seed % 4 {
    case 0: check(&random, seed) { UInt8($0) }
    case 1:
      check(&random, seed) {
        ($0, UInt16($0))
      } isEqual: {
        $0 == $1
      }
    case 2: check(&random, seed) { Gapped(flag: true, number: $0) }
    default: check(&random, seed) { Double($0) }
    }
  }

  private func check<Row: Equatable>(
    _ random: inout SplitMix64,
    _ seed: UInt64,
    _ make: (Int) -> Row
  ) {
    check(&random, seed, make, isEqual: ==)
  }

  private func check<Row>(
    _ random: inout SplitMix64,
    _ seed: UInt64,
    _ make: (Int) -> Row,
    isEqual: (Row, Row) -> Bool
  ) {
    var types = RecentTypes()
    let rows = RowComparison<Row>(&types)
    for _ in 0..<40 {
      let count = Int.random(in: 0..<9, using: &random)
      let old = (0..<count).map { _ in make(Int.random(in: 0..<4, using: &random)) }
      var new = old
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        let place = Int.random(in: 0...new.count, using: &random)
        if Bool.random(using: &random) || place == new.count {
          new.insert(make(Int.random(in: 0..<4, using: &random)), at: place)
        } else {
          new.remove(at: place)
        }
      }
      let least = min(old.count, new.count)
      let prefix = (0..<least).first { !isEqual(old[$0], new[$0]) } ?? least
      let rest = least - prefix
      let suffix =
        (0..<rest).first { !isEqual(old[old.count - 1 - $0], new[new.count - 1 - $0]) } ?? rest
      let comment: Comment = "\(Row.self), seed \(seed), \(old) to \(new)"
      #expect(rows.commonPrefix(old.span, new.span) == prefix, comment)
      #expect(rows.commonSuffix(old.span, new.span, after: prefix) == suffix, comment)
      let changed = (0..<least).filter { !isEqual(old[$0], new[$0]) }
      let all = 0..<least
      #expect(rows.changes(old.span, new.span, in: all, atMost: least) == changed, comment)
      #expect(
        changed.isEmpty
          || rows.changes(old.span, new.span, in: all, atMost: changed.count - 1) == nil,
        comment
      )
      let hasMoves = changed.contains { from in
        changed.contains { $0 != from && isEqual(old[from], new[$0]) }
      }
      #expect(rows.hasMoves(old.span, new.span, among: changed) == hasMoves, comment)
      let numbers = rows.numbers(old.span, old.indices, new.span, new.indices)
      #expect((numbers.old.count, numbers.new.count) == (old.count, new.count), comment)
      for (row, number) in zip(old, numbers.old) {
        for (other, otherNumber) in zip(new, numbers.new) {
          #expect((number == otherNumber) == isEqual(row, other), comment)
        }
      }
    }
  }

  @Test("RowComparison finds a single moved row")
  func moves() {
    var types = RecentTypes()
    let rows = RowComparison<Int>(&types)
    func move(_ old: [Int], _ new: [Int]) -> [Int]? {
      rows.singleMove(old.span, new.span, in: old.indices).map { [$0.from, $0.to] }
    }
    #expect(move([1, 2, 3, 4], [2, 3, 4, 1]) == [0, 3])
    #expect(move([1, 2, 3, 4], [4, 1, 2, 3]) == [3, 0])
    #expect(move([1, 2, 3, 4], [4, 2, 3, 1]) == nil)
    #expect(move([1], [1]) == nil)
    #expect(move([], []) == nil)
    // Rows between these have not been compared.
    let apart = RowComparison<Int>(&types, at: FullArrayIndexes([3, 9]))
    #expect(apart.singleMove([1, 2].span, [2, 1].span, in: 0..<2) == nil)
    #expect(FullArrayIndexes([3, 9])[1] == 9)
    #expect(FullArrayIndexes(after: 5)[1] == 6)
    #expect(FullArrayIndexes()[1] == 1)
  }
}
