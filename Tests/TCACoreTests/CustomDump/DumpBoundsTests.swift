import Foundation
import TCACore
import Testing

@Suite("Dumps and differences of values without bounds")
struct DumpBoundsTests {
  @Test func `dumps and differences limit the depth of nested values to fit a small stack`() async {
    let (dumped, compared) = await onSmallStack {
      let lhs = Chain.deep(5000, end: 1)
      let rhs = Chain.deep(5000, end: 2)
      // Freed step by step, because nested values are freed recursively.
      defer {
        Chain.unlink(lhs)
        Chain.unlink(rhs)
      }
      return (String(customDumping: lhs), diff(lhs, rhs))
    }
    #expect(dumped.split(separator: "\n").count < 400)
    #expect(dumped.contains("next: Chain(…)"))
    // The difference is deeper than the limit of the comparison.
    #expect(compared == nil)
  }

  @Test func `a dump of a very long array ends with the number of omitted elements`() throws {
    let text = String(customDumping: Array(0..<200_000))
    let lines = text.split(separator: "\n")
    #expect(lines.count < 60_000)
    let last = try #require(lines.dropLast().last)
    #expect(last.hasPrefix("  … (1") && last.hasSuffix(" more)"))
  }

  @Test func `diff finds one changed element in an array of 100,000`() {
    var rows = (0..<100_000).map { $0 }
    let before = rows
    rows[70_000] = -1
    let expected = """
        [
          … (70000 unchanged),
      -   [70000]: 70000,
      +   [70000]: -1,
          … (29999 unchanged)
        ]
      """
    #expect(diff(before, rows) == expected)
  }

  @Test func `diff compares large arrays that have no element in common`() throws {
    let before = (0..<5000).map { Dumped.Point(x: $0 % 100, y: 0) }
    let after = (0..<5000).map { Dumped.Point(x: $0 % 100, y: 1) }
    let difference = try #require(diff(before, after))
    #expect(difference.contains("[0]: Dumped.Point("))
  }

  @Test func `diff compares large arrays of repeated elements`() throws {
    var random = SeededRandom(seed: 7)
    let before = (0..<20_000).map { _ in Int(random.next() % 50) }
    let after = (0..<20_000).map { _ in Int(random.next() % 50) }
    #expect(diff(before, after) != nil)
  }

  @Test func `dumps and differences of shared objects do not grow exponentially`() throws {
    #expect(String(customDumping: Diamond.tower(40)).utf8.count < 20_000_000)
    let difference = try #require(diff(Diamond.tower(40, value: 1), Diamond.tower(40, value: 2)))
    #expect(difference.contains("value: 2"))
  }

  @Test func `diff of equal object cycles is nil`() {
    #expect(diff(Dumped.Node.ring(1, 2, 3), Dumped.Node.ring(1, 2, 3)) == nil)
  }

  @Test(arguments: [
    (0, "Dumped.Page(…)"),
    (
      1,
      """
      Dumped.Page(
        title: "x",
        counter: Dumped.Counter(…),
        users: […],
        secret: nil
      )
      """
    ),
  ])
  func `the maximum depth of a dump can be chosen`(_ depth: Int, _ expected: String) {
    let page = Dumped.Page(title: "x", counter: .init(), users: Dumped.rows(1...1))
    #expect(String(customDumping: page, maxDepth: depth) == expected)
  }
}

/// A long chain of values.
private final class Chain {
  var next: Chain?
  var end: Int?

  static func deep(_ length: Int, end: Int) -> Chain {
    let last = Chain()
    last.end = end
    return (0..<length).reduce(last) { chain, _ in
      let outer = Chain()
      outer.next = chain
      return outer
    }
  }

  static func unlink(_ chain: Chain) {
    var chain: Chain? = chain
    while let link = chain {
      chain = link.next
      link.next = nil
    }
  }
}

/// Two paths to each lower level, so that the number of paths grows exponentially.
private final class Diamond {
  var left: Diamond?
  var right: Diamond?
  var value = 0

  static func tower(_ levels: Int, value: Int = 0) -> Diamond {
    let lowest = Diamond()
    lowest.value = value
    return (0..<levels).reduce(lowest) { below, _ in
      let level = Diamond()
      level.left = below
      level.right = below
      return level
    }
  }
}

private struct SeededRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}

/// Runs a closure on a thread with a stack of half a megabyte, the size for tasks on some systems.
private func onSmallStack<Result: Sendable>(
  _ body: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}
