import Foundation
import TCACore

/// Types of all kinds for dumps.
enum Dumped {
  struct User: Equatable, Identifiable, Sendable {
    var id: Int
    var name: String
    var favorites: [Int] = []
  }

  struct Counter: Hashable, Sendable {
    var count = 0
  }

  struct Page: Sendable {
    var title: String
    var counter: Counter
    var users: [User]
    var secret: Secret?
  }

  struct Empty: Equatable, Sendable {}

  struct Box<Value: Sendable>: Sendable {
    var value: Value
  }

  /// Comparable only by `==`, and without ids.
  struct Point: Equatable, Sendable {
    var x: Int
    var y: Int
    var z = 0
  }

  /// Its `==` compares more than a dump shows.
  struct Secret: Equatable, CustomDumpReflectable, Sendable {
    var hidden: Int
    var customDumpMirror: Mirror { Mirror(self, children: ["shown": 1], displayStyle: .struct) }
  }

  struct Wide: Equatable, Sendable {
    var a = 1
    var b = 2
    var c = 3
    var d = 4
    var e = 5
    var f = 6
  }

  enum Step: Hashable, CustomStringConvertible, Sendable {
    case idle
    case loading(Int)
    case loaded(id: Int, name: String)
    case failed(message: String)
    case nested(Counter)
    indirect case then(Step)

    /// A dump does not use the description of an enum.
    var description: String { "a step" }
  }

  struct Failure: Error, Equatable {
    var code = 1
  }

  struct Email: CustomDumpStringConvertible, Sendable {
    var customDumpDescription: String { "<masked>" }
  }

  struct Tagged: CustomDumpRepresentable, Sendable {
    var raw = 7
    var customDumpValue: Any { raw }
  }

  class Animal {
    var legs = 4
  }

  final class Dog: Animal {
    var name = "Rex"
    var owner: Owner?
  }

  final class Owner {
    var dogs: [Dog] = []

    static var withDog: Owner {
      let owner = Owner()
      let dog = Dog()
      dog.owner = owner
      owner.dogs = [dog]
      return owner
    }
  }

  /// One object in two properties.
  struct Shared {
    var left: Node
    var right: Node

    static func pair(_ value: Int) -> Shared {
      let node = Node(value, next: Node(0))
      return Shared(left: node, right: node)
    }
  }

  final class Node {
    var value: Int
    var next: Node?

    init(_ value: Int, next: Node? = nil) {
      self.value = value
      self.next = next
    }

    /// Returns nodes in a ring.
    static func ring(_ values: Int...) -> Node {
      let nodes = values.map { Node($0) }
      for (index, node) in nodes.enumerated() { node.next = nodes[(index + 1) % nodes.count] }
      return nodes[0]
    }
  }

  @ObservableState
  struct Form: Equatable {
    var count = 0
    @Presents var child: Child?
    @ObservationStateIgnored var plain = true
  }

  enum FormAction {
    case binding(BindingAction<Form>)
  }

  @ObservableState
  struct Child: Equatable {
    var name = ""
  }

  struct Presenter: Equatable {
    @PresentationState var child: Counter?
    var _own = 1
  }

  enum Button: Equatable, Sendable {
    case delete
  }

  /// Returns rows with ids.
  static func rows(
    _ ids: ClosedRange<Int>,
    _ change: (inout [User]) -> Void = { _ in }
  ) -> [User] {
    var rows = ids.map { User(id: $0, name: "n\($0)") }
    change(&rows)
    return rows
  }

  /// Returns points, which have no ids.
  static func points(
    _ places: ClosedRange<Int>,
    _ change: (inout [Point]) -> Void = { _ in }
  ) -> [Point] {
    var points = places.map { Point(x: $0, y: 0) }
    change(&points)
    return points
  }
}

/// Another type with the same name.
enum Other {
  enum Dumped {
    struct Counter {
      var count = 0
    }
  }
}

extension StackState {
  /// Returns a stack with known ids.
  static func of(
    _ elements: Element...,
    from start: Int = 0,
    isReversed: Bool = false
  ) -> StackState {
    var stack = StackState()
    let pairs = elements.enumerated().map { ($0 + start, $1) }
    withDependencies {
      $0.context = .test
    } operation: {
      for (id, element) in isReversed ? pairs.reversed() : pairs {
        stack[id: StackElementID(integerLiteral: id)] = element
      }
    }
    return stack
  }
}
