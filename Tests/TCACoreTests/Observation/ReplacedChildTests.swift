import Observation
import Synchronization
import TCACore
import Testing

@ObservableState
private struct Shelf: Equatable {
  var book = Book(pages: 1)
  var optional: Book? = Book(pages: 1)
  @Presents var presented: Book? = Book(pages: 1)
  var place = Place.open(Book(pages: 1))
  var rows = [Book(id: 1), Book(id: 2, pages: 1)]
  var optionalRows: [Book]? = [Book(pages: 1)]
  var identified: IdentifiedArrayOf<Book> = [Book(id: 1), Book(id: 2, pages: 1)]
  var stack: StackState<Book> = [Book(pages: 1)]

  /// Adds a page to each book.
  mutating func grow(by pages: Int) {
    book.pages += pages
    optional?.pages += pages
    presented?.pages += pages
    place.modify(\.open) { $0.pages += pages }
    rows[1].pages += pages
    optionalRows?[0].pages += pages
    identified[id: 2]?.pages += pages
    for id in stack.ids { stack[id: id]?.pages += pages }
  }
}

@ObservableState
private struct Book: Equatable, Identifiable {
  var id = 0
  var title = ""
  var pages = 0
  var cover = Cover()

  mutating func replace(with other: Book) { self = other }
}

@ObservableState
private struct Cover: Equatable {
  var color = ""
  var isHard = false
}

@CasePathable
@ObservableState
private enum Place: Equatable {
  case closed
  case open(Book)
}

/// A replacement of a value by a copy of it.
private struct Setter: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let set: @Sendable (inout Shelf, Book) -> Void
  let read: @Sendable (Shelf) -> Book?

  static let all = [
    Setter(testDescription: "a method that sets self") {
      $0.book.replace(with: $1)
    } read: {
      $0.book
    },
    Setter(testDescription: "an argument") { shelf, copy in
      func assign(_ book: inout Book) { book = copy }
      assign(&shelf.book)
    } read: {
      $0.book
    },
    Setter(testDescription: "an optional in place") {
      $0.optional?.replace(with: $1)
    } read: {
      $0.optional
    },
    Setter(testDescription: "what is presented, in place") {
      $0.presented?.replace(with: $1)
    } read: {
      $0.presented
    },
    Setter(testDescription: "the setter of the whole") {
      $0.book = $1
    } read: {
      $0.book
    },
    Setter(testDescription: "a key path") {
      $0[keyPath: \.book] = $1
    } read: {
      $0.book
    },
    Setter(testDescription: "the setter of an optional") {
      $0.optional = $1
    } read: {
      $0.optional
    },
    Setter(testDescription: "the setter of what is presented") {
      $0.presented = $1
    } read: {
      $0.presented
    },
    Setter(testDescription: "the setter of the box of what is presented") {
      $0.$presented = PresentationState(wrappedValue: $1)
    } read: {
      $0.presented
    },
    Setter(testDescription: "the setter of a case") {
      $0.place = .open($1)
    } read: {
      $0.place[case: \.open]
    },
    Setter(testDescription: "a case in place") { shelf, copy in
      shelf.place.modify(\.open) { $0 = copy }
    } read: {
      $0.place[case: \.open]
    },
    Setter(testDescription: "an element of an array") {
      $0.rows[1] = $1
    } read: {
      $0.rows[1]
    },
    Setter(testDescription: "a method of an element of an array") {
      $0.rows[1].replace(with: $1)
    } read: {
      $0.rows[1]
    },
    Setter(testDescription: "the setter of an array") {
      $0.rows = [$0.rows[0], $1]
    } read: {
      $0.rows[1]
    },
    Setter(testDescription: "an element of an optional array") {
      $0.optionalRows?[0] = $1
    } read: {
      $0.optionalRows?[0]
    },
    Setter(testDescription: "the setter of an optional array") {
      $0.optionalRows = [$1]
    } read: {
      $0.optionalRows?[0]
    },
    Setter(testDescription: "an element of an identified array") {
      $0.identified[id: 2] = $1
    } read: {
      $0.identified[id: 2]
    },
    Setter(testDescription: "a method of an element of an identified array") {
      $0.identified[id: 2]?.replace(with: $1)
    } read: {
      $0.identified[id: 2]
    },
    Setter(testDescription: "the setter of an identified array") {
      $0.identified = [$0.identified[0], $1]
    } read: {
      $0.identified[id: 2]
    },
    Setter(testDescription: "an element of a stack") {
      $0.stack[id: $0.stack.ids[0]] = $1
    } read: {
      $0.stack.first
    },
    Setter(testDescription: "the setter of a stack") {
      var stack = $0.stack
      stack[id: stack.ids[0]] = $1
      $0.stack = stack
    } read: {
      $0.stack.first
    },
  ]
}

/// Replacing a child by its copy notifies the child's observers, unless the copy is equal to it.
@Suite struct ReplacedChildTests {
  /// Returns whether observers of a shelf's property are notified of a change.
  private func hears(
    of shelf: inout Shelf,
    reading read: (Shelf) -> Void,
    _ change: (inout Shelf) -> Void
  ) -> Bool {
    let isTold = Mutex(false)
    withObservationTracking {
      read(shelf)
    } onChange: {
      isTold.withLock { $0 = true }
    }
    change(&shelf)
    return isTold.withLock { $0 }
  }

  /// Returns whether observers of a book's pages are notified of a change.
  private func hears(
    _ setter: Setter,
    of shelf: inout Shelf,
    _ change: (inout Shelf) -> Void
  ) -> Bool {
    hears(of: &shelf, reading: { _ = setter.read($0)?.pages }, change)
  }

  @Test(arguments: Setter.all)
  private func `observers are notified when a child is set to an earlier copy of itself`(
    setter: Setter
  ) throws {
    var shelf = Shelf()
    let saved = try #require(setter.read(shelf))
    shelf.grow(by: 1)
    #expect(hears(setter, of: &shelf) { setter.set(&$0, saved) })
    #expect(setter.read(shelf)?.pages == 1)
    // The new value is observed like any other.
    #expect(hears(setter, of: &shelf) { $0.grow(by: 1) })
  }

  @Test(arguments: Setter.all)
  private func `setting a child to a copy that equals it notifies no observer`(
    setter: Setter
  ) throws {
    var shelf = Shelf()
    let copy = try #require(setter.read(shelf))
    #expect(!hears(setter, of: &shelf) { setter.set(&$0, copy) })
    // A change and its reversal.
    shelf.grow(by: 1)
    shelf.grow(by: -1)
    #expect(!hears(setter, of: &shelf) { setter.set(&$0, copy) })
  }

  @Test(arguments: Setter.all)
  private func `observers are notified when a child is set to a copy that was changed`(
    setter: Setter
  ) throws {
    var shelf = Shelf()
    var copy = try #require(setter.read(shelf))
    copy.pages = 9
    #expect(hears(setter, of: &shelf) { setter.set(&$0, copy) })
    #expect(setter.read(shelf)?.pages == 9)
  }

  @Test(arguments: Setter.all)
  private func `setting a child to a changed copy notifies only observers of members that differ`(
    setter: Setter
  ) throws {
    // A read through an array in an optional observes the entire array.
    guard !setter.testDescription.hasSuffix("optional array") else { return }
    var shelf = Shelf()
    var copy = try #require(setter.read(shelf))
    copy.pages = 9
    copy.cover.color = "red"
    let readsOthers: (Shelf) -> Void = {
      let book = setter.read($0)
      _ = (book?.title, book?.cover.isHard, book?.cover)
    }
    #expect(!hears(of: &shelf, reading: readsOthers) { setter.set(&$0, copy) })
    copy.cover.color = "blue"
    let readsColor: (Shelf) -> Void = { _ = setter.read($0)?.cover.color }
    #expect(hears(of: &shelf, reading: readsColor) { setter.set(&$0, copy) })
    #expect(setter.read(shelf)?.cover.color == "blue")
  }

  @Test func `changing a member of a child does not notify observers of the child itself`() {
    var shelf = Shelf()
    let readsChildren: (Shelf) -> Void = {
      _ = ($0.book, $0.optional, $0.presented, $0.place, $0.rows, $0.identified, $0.stack)
    }
    #expect(
      !hears(of: &shelf, reading: readsChildren) { shelf in
        shelf.grow(by: 1)
        var copy = shelf.book
        copy.pages += 1
        shelf.book = copy
      }
    )
  }

  @Test func `replacing a child with a new state notifies observers of the child's property`() {
    var shelf = Shelf()
    let readsChildren: (Shelf) -> Void = { _ = ($0.place, $0.rows, $0.stack) }
    #expect(hears(of: &shelf, reading: readsChildren) { $0.rows[1] = Book(id: 2, pages: 1) })
    #expect(hears(of: &shelf, reading: readsChildren) { $0.rows.swapAt(0, 1) })
    #expect(hears(of: &shelf, reading: readsChildren) { $0.stack.append(Book()) })
    #expect(hears(of: &shelf, reading: readsChildren) { $0.place = .closed })
  }
}

/// A feature whose entire state is set.
@Reducer
private struct Rewritten {
  @ObservableState
  struct State: Equatable {
    var count = 0
    var name = ""
    var cover = Cover()
    var array = [Cover(color: "blue"), Cover()]
    var identified: IdentifiedArrayOf<Book> = [Book(id: 1), Book(id: 2)]
    var stack: StackState<Cover> = [Cover(), Cover()]
  }

  enum Action {
    case become(State)
    case count(Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .become(let other): state = other
      case .count(let count): state.count = count
      }
      return .none
    }
  }
}

/// Replacing an entire state by a changed copy notifies the observers of the differences.
@MainActor
@Suite struct ReplacedRootTests {
  private let store = Store(initialState: Rewritten.State()) { Rewritten() }

  private func hears<Value>(
    of keyPath: KeyPath<Rewritten.State, Value>,
    _ change: () -> Void
  ) -> Bool {
    let isTold = Mutex(false)
    withObservationTracking {
      _ = store.state[keyPath: keyPath]
    } onChange: {
      isTold.withLock { $0 = true }
    }
    change()
    return isTold.withLock { $0 }
  }

  @Test func `observers of a store are notified when an earlier state is restored`() {
    let saved = store.state
    store.send(.count(1))
    #expect(hears(of: \.count) { store.send(.become(saved)) })
    #expect(store.count == 0)
    #expect(hears(of: \.count) { store.send(.count(2)) })
  }

  @Test func `replacing a state notifies observers of the members that differ`() {
    var copy = store.state
    copy.count = 1
    copy.cover.color = "red"
    #expect(hears(of: \.count) { store.send(.become(copy)) })
    copy.cover.color = "blue"
    #expect(hears(of: \.cover.color) { store.send(.become(copy)) })
    #expect(store.cover.color == "blue")
    copy.count = 2
    #expect(!hears(of: \.name) { store.send(.become(copy)) })
  }

  /// A change of a list in a copy of the state, and the values whose observers hear of it.
  private struct ListChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let heard: Set<String>
    let change: @Sendable (inout Rewritten.State) -> Void

    static let all = [
      ListChange(testDescription: "an element of an array", heard: ["array 1"]) {
        $0.array[1].color = "red"
      },
      ListChange(testDescription: "an element of an identified array", heard: ["identified 1"]) {
        $0.identified[1].pages = 3
      },
      ListChange(testDescription: "an element of a stack", heard: ["stack 1"]) {
        let id = $0.stack.ids[1]
        $0.stack[id: id]?.color = "red"
      },
      ListChange(testDescription: "another member of each element", heard: []) {
        $0.array[1].isHard = true
        $0.identified[1].title = "second"
        let id = $0.stack.ids[1]
        $0.stack[id: id]?.isHard = true
      },
      ListChange(testDescription: "the order", heard: ["array", "array 0", "array 1"]) {
        $0.array.swapAt(0, 1)
      },
      ListChange(
        testDescription: "the order of an identified array",
        heard: ["identified", "identified 0", "identified 1"]
      ) {
        $0.identified.swapAt(0, 1)
      },
      ListChange(testDescription: "the length", heard: ["stack", "stack 0", "stack 1"]) {
        $0.stack.append(Cover())
      },
    ]
  }

  private static let readers: [(name: String, read: @MainActor (Rewritten.State) -> Void)] = [
    ("array", { _ = $0.array }),
    ("array 0", { _ = $0.array[0].color }),
    ("array 1", { _ = $0.array[1].color }),
    ("identified", { _ = $0.identified }),
    ("identified 0", { _ = $0.identified[0].pages }),
    ("identified 1", { _ = $0.identified[1].pages }),
    ("stack", { _ = $0.stack }),
    ("stack 0", { _ = $0.stack.first?.color }),
    ("stack 1", { _ = $0.stack.last?.color }),
  ]

  @Test(arguments: ListChange.all)
  private func `replacing a state notifies observers of the elements that differ`(
    _ list: ListChange
  ) {
    var copy = store.state
    list.change(&copy)
    let heard = Mutex<Set<String>>([])
    for (name, read) in Self.readers {
      withObservationTracking {
        read(store.state)
      } onChange: {
        _ = heard.withLock { $0.insert(name) }
      }
    }
    store.send(.become(copy))
    #expect(heard.withLock { $0 } == list.heard)
  }

  @Test func `setting a store's state to an equal copy notifies no observer`() {
    let copy = store.state
    store.send(.count(1))
    store.send(.count(0))
    #expect(!hears(of: \.count) { store.send(.become(copy)) })
  }

  @Test func `setting a store's state to a newly created state notifies all observers`() {
    #expect(hears(of: \.self) { store.send(.become(Rewritten.State(count: 1))) })
    #expect(hears(of: \.name) { store.send(.become(Rewritten.State(count: 1))) })
  }
}
