import Foundation
import ReplayAnalyses
import TCARecorder
import TestSupport

/// Changes states in a way that depends on its seed.
struct Mutator: RandomNumberGenerator {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func next() -> UInt64 { random.next() }

  mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
  mutating func pick<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
  mutating func coin() -> Bool { Bool.random(using: &self) }

  mutating func text() -> String {
    pick([
      "", "a", "é", "e\u{301}", "a/b", "~", "~1", "$", "$$x", "\"\\\n", "1", "01", "-",
      "a text that is too long to lie in the string itself \(number(3))", "😀", "\u{0}",
    ])
  }

  mutating func double() -> Double {
    pick([
      0, -0.0, 1, 1.5, -2, .nan, -.nan, .infinity, -.infinity, 1e300, Double.leastNonzeroMagnitude,
      1e16,
    ])
  }

  mutating func row() -> Menagerie.Row {
    Menagerie.Row(
      id: number(1000),
      title: text(),
      isDone: coin(),
      weight: double(),
      tags: (0..<number(3)).map { _ in text() }
    )
  }

  mutating func shape(depth: Int = 0) -> Menagerie.Shape {
    switch number(depth > 3 ? 3 : 5) {
    case 0: .point
    case 1: .circle(radius: double())
    case 2: .line(number(3), to: number(3))
    case 3: .group((0..<number(3)).map { _ in shape(depth: depth + 1) })
    default: .named(text(), coin() ? nil : shape(depth: depth + 1))
    }
  }

  mutating func liar() -> Menagerie.Liar { Menagerie.Liar(id: number(3), text: text()) }

  mutating func box() -> Box {
    let box = Box()
    box.value = number(3)
    return box
  }

  mutating func child(depth: Int = 0) -> Child.State {
    var child = Child.State(
      count: number(3),
      note: coin() ? nil : text(),
      box: coin() ? nil : box()
    )
    if depth < 3, number(3) == 0 { child.child = self.child(depth: depth + 1) }
    return child
  }
}

extension Mutator {
  /// Changes the order or the elements of a list.
  mutating func change<Element>(_ list: inout [Element], _ make: (inout Mutator) -> Element) {
    switch number(11) {
    case 0: list.append(make(&self))
    case 1: list.insert(make(&self), at: number(list.count + 1))
    case 2: for _ in 0..<number(40) { list.append(make(&self)) }
    case 3 where !list.isEmpty: list.remove(at: number(list.count))
    case 4 where !list.isEmpty: list.insert(list.remove(at: number(list.count)), at: 0)
    case 5 where !list.isEmpty: list.append(list.remove(at: number(list.count)))
    case 6 where !list.isEmpty: list.swapAt(number(list.count), number(list.count))
    case 7: list.shuffle(using: &self)
    case 8: list.reverse()
    case 9: list.removeAll { _ in number(5) == 0 }
    case 10 where !list.isEmpty: list.append(list[number(list.count)])
    default: list = list.map { $0 }
    }
  }

  /// Changes a row, or gives it new storage for the same text.
  mutating func change(_ row: inout Menagerie.Row) {
    switch number(6) {
    case 0: row.title = text()
    case 1: row.isDone.toggle()
    case 2: row.weight = double()
    case 3: change(&row.tags) { $0.text() }
    case 4: row.title = String(decoding: Array(row.title.utf8), as: UTF8.self)
    default: row = Menagerie.Row(id: row.id, title: text(), isDone: coin(), weight: double())
    }
  }

  mutating func change(_ child: inout Child.State) {
    switch number(5) {
    case 0: child.count += 1
    case 1: child.note = coin() ? nil : text()
    case 2: child.box?.value += 1
    case 3 where child.child != nil: change(&child.child) { $0.change(&$1) }
    default: child.child = coin() ? nil : self.child(depth: 2)
    }
  }

  /// Changes an optional value.
  mutating func change<Value>(
    _ value: inout Value?,
    _ change: (inout Mutator, inout Value) -> Void
  ) {
    guard var present = value else { return }
    change(&self, &present)
    value = present
  }
}
