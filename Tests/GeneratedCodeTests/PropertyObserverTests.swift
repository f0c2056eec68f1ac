import TCACore
import Testing

/// Observers of a property run as often as those of a plain struct, with the same values.
@Suite struct PropertyObserverTests {
  /// The members of each state below.
  protocol Watched {
    var count: Int { get set }
    var items: [Int] { get set }
    var child: Child { get set }
    var clamped: Int { get set }
    var log: [String] { get set }
  }

  @ObservableState
  struct Child: Equatable {
    var value = 0
  }

  struct Plain: Watched {
    var count = 0 {
      willSet { log.append("will \(count) \(newValue)") }
      didSet { log.append("did \(oldValue) \(count)") }
    }
    var items: [Int] = [] {
      willSet(new) { log.append("will \(items) \(new)") }
      didSet(old) { log.append("did \(old) \(items)") }
    }
    var child = Child() { didSet { log.append("did \(oldValue.value) \(child.value)") } }
    var clamped = 0 {
      didSet {
        let clamped = min(clamped, 9)
        self.clamped = clamped
        log.append("did \(oldValue) \(self.clamped)")
      }
    }
    var log: [String] = []
  }

  @ObservableState
  struct Observed: Watched {
    var count = 0 {
      willSet { log.append("will \(count) \(newValue)") }
      didSet { log.append("did \(oldValue) \(count)") }
    }
    var items: [Int] = [] {
      willSet(new) { log.append("will \(items) \(new)") }
      didSet(old) { log.append("did \(old) \(items)") }
    }
    var child = Child() { didSet { log.append("did \(oldValue.value) \(child.value)") } }
    var clamped = 0 {
      didSet {
        let clamped = min(clamped, 9)
        self.clamped = clamped
        log.append("did \(oldValue) \(self.clamped)")
      }
    }
    var log: [String] = []
  }

  @LogValue
  struct Logged: Watched {
    var count = 0 {
      willSet { log.append("will \(count) \(newValue)") }
      didSet { log.append("did \(oldValue) \(count)") }
    }
    var items: [Int] = [] {
      willSet(new) { log.append("will \(items) \(new)") }
      didSet(old) { log.append("did \(old) \(items)") }
    }
    var child = Child() { didSet { log.append("did \(oldValue.value) \(child.value)") } }
    var clamped = 0 {
      didSet {
        let clamped = min(clamped, 9)
        self.clamped = clamped
        log.append("did \(oldValue) \(self.clamped)")
      }
    }
    var log: [String] = []
  }

  /// Observers in which the name of the property is also that of a local variable.
  protocol Named {
    var count: Int { get set }
    var choice: Int? { get set }
    var log: [String] { get set }
  }

  struct PlainlyNamed: Named {
    var count = 0 {
      didSet(count) {
        log.append("did \(count) \(self.count)")
        if self.count > 9 { self.count = 9 }
      }
    }
    var choice: Int? {
      didSet {
        if let choice, choice > 5 { log.append("more: \(choice)") }
        let next = [1, 2].map { (choice: Int) in choice + 1 }
        for choice in next { log.append("next: \(choice)") }
        if choice == 7 { choice = next.reduce(0) { sum, choice in sum + choice } }
      }
    }
    var log: [String] = []
  }

  @ObservableState
  struct ObservedNamed: Named {
    var count = 0 {
      didSet(count) {
        log.append("did \(count) \(self.count)")
        if self.count > 9 { self.count = 9 }
      }
    }
    var choice: Int? {
      didSet {
        if let choice, choice > 5 { log.append("more: \(choice)") }
        let next = [1, 2].map { (choice: Int) in choice + 1 }
        for choice in next { log.append("next: \(choice)") }
        if choice == 7 { choice = next.reduce(0) { sum, choice in sum + choice } }
      }
    }
    var log: [String] = []
  }

  @LogValue
  struct LoggedNamed: Named {
    var count = 0 {
      didSet(count) {
        log.append("did \(count) \(self.count)")
        if self.count > 9 { self.count = 9 }
      }
    }
    var choice: Int? {
      didSet {
        if let choice, choice > 5 { log.append("more: \(choice)") }
        let next = [1, 2].map { (choice: Int) in choice + 1 }
        for choice in next { log.append("next: \(choice)") }
        if choice == 7 { choice = next.reduce(0) { sum, choice in sum + choice } }
      }
    }
    var log: [String] = []
  }

  @Test func `a local variable in willSet or didSet hides the property of the same name`() {
    let states: [any Named] = [PlainlyNamed(), ObservedNamed(), LoggedNamed()]
    for var state in states {
      state.count = 12
      state.choice = 7
      #expect(state.log == ["did 0 12", "more: 7", "next: 2", "next: 3"], "\(type(of: state))")
      #expect(state.count == 9 && state.choice == 5, "\(type(of: state))")
    }
  }

  /// A change of a state of any of the types above.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout any Watched) -> Void
    let log: [String]
  }

  static let changes: [Change] = [
    Change(
      testDescription: "set",
      make: { $0.count = 5 },
      log: ["will 0 5", "did 0 5"]
    ),
    Change(
      testDescription: "set to the same value",
      make: { $0.count = 0 },
      log: ["will 0 0", "did 0 0"]
    ),
    Change(
      testDescription: "in place",
      make: { $0.count += 1 },
      log: ["will 0 1", "did 0 1"]
    ),
    Change(
      testDescription: "append",
      make: { $0.items.append(1) },
      log: ["will [] [1]", "did [] [1]"]
    ),
    Change(
      testDescription: "in place twice",
      make: {
        $0.items.append(1)
        $0.items[0] += 1
      },
      log: ["will [] [1]", "did [] [1]", "will [1] [2]", "did [1] [2]"]
    ),
    Change(
      testDescription: "a nested value",
      make: { $0.child.value += 1 },
      log: ["did 0 1"]
    ),
    Change(
      testDescription: "an observer that sets its own property",
      make: {
        $0.clamped = 12
        $0.clamped += 1
      },
      log: ["did 0 9", "did 9 9"]
    ),
  ]

  @Test(arguments: changes)
  func `willSet and didSet of a property run once for each change, with and without macros`(
    change: Change
  ) {
    let states: [any Watched] = [Plain(), Observed(), Logged()]
    for var state in states {
      change.make(&state)
      #expect(state.log == change.log, "\(type(of: state))")
    }
  }

  @ObservableState
  struct Counted {
    var count = 0 { didSet { if count > 9 { count = 9 } } }
    var child = Child() { didSet { _ = oldValue } }
  }

  @Test func `observers are notified if the value differs after willSet and didSet have run`() {
    var state = Counted()
    #expect(
      notifies(&state) {
        _ = $0.count
      } _: {
        $0.count = 1
      }
    )
    #expect(
      notifies(&state) {
        _ = $0.count
      } _: {
        $0.count += 1
      }
    )
    #expect(
      !notifies(&state) {
        _ = $0.count
      } _: {
        $0.count = 2
      }
    )
    state.count = 9
    #expect(
      !notifies(&state) {
        _ = $0.count
      } _: {
        $0.count = 12
      }
    )
    #expect(
      !notifies(&state) {
        _ = $0.child
      } _: {
        $0.child.value += 1
      }
    )
    #expect(
      notifies(&state) {
        _ = $0.child.value
      } _: {
        $0.child.value += 1
      }
    )
    #expect(
      notifies(&state) {
        _ = $0.child
      } _: {
        $0.child = Child()
      }
    )
  }

  @ObservableState
  struct Presenting {
    @Presents var child: Child? {
      willSet { log.append("will \(describe(child)) \(describe(newValue))") }
      didSet(old) {
        log.append("did \(describe(old)) \(describe(child))")
        if child?.value == 7 { child = nil }
      }
    }
    var log: [String] = []

    func describe(_ child: Child?) -> String { child.map { String($0.value) } ?? "nil" }
  }

  @ObservableState
  struct NamedPresenting {
    @Presents var child: Child? {
      didSet(child) {
        log.append("did \(child?.value ?? 0) \(self.child?.value ?? 0)")
        if let child { log.append("old: \(child.value)") }
        guard let child = self.child else { return }
        if child.value == 7 { self.child = nil }
      }
    }
    var log: [String] = []
  }

  @Test
  func `a local variable in didSet of a presented property hides the property of the same name`() {
    var state = NamedPresenting()
    state.child = Child(value: 1)
    state.child?.value = 7
    #expect(state.log == ["did 0 1", "did 1 7", "old: 1"])
    #expect(state.child == nil)
  }

  @Test func `willSet and didSet of a presented property run once for each change`() {
    var state = Presenting()
    state.child = Child(value: 1)
    #expect(state.log == ["will nil 1", "did nil 1"])
    state.log = []
    state.child?.value += 1
    #expect(state.log == ["will 1 2", "did 1 2"])
    state.log = []
    state.$child.wrappedValue?.value += 1
    #expect(state.log == ["will 2 3", "did 2 3"])
    state.child?.value = 7
    #expect(state.child == nil)
    #expect(
      notifies(&state) {
        _ = $0.child
      } _: {
        $0.child = Child()
      }
    )
    #expect(
      !notifies(&state) {
        _ = $0.child
      } _: {
        $0.child?.value = 2
      }
    )
  }
}
