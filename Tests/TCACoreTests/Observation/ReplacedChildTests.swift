import Observation
import Synchronization
import TCACore
import Testing

@ObservableState
private struct Shelf: Equatable {
  var book = Book(pages: 1)
  var optional: Book? = Book(pages: 1)
  @Presents var presented: Book? = Book(pages: 1)

  /// Another page in each book.
  mutating func grow(by pages: Int) {
    book.pages += pages
    optional?.pages += pages
    presented?.pages += pages
  }
}

@ObservableState
private struct Book: Equatable {
  var pages = 0

  mutating func replace(with other: Book) { self = other }
}

/// One way in which a copy takes the place of what it was copied from.
private struct Setter: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var isInPlace = false
  let set: @Sendable (inout Shelf, Book) -> Void
  let read: @Sendable (Shelf) -> Book?

  static let all = [
    Setter(testDescription: "a method that sets self", isInPlace: true) {
      $0.book.replace(with: $1)
    } read: {
      $0.book
    },
    Setter(testDescription: "an argument", isInPlace: true) { shelf, copy in
      func assign(_ book: inout Book) { book = copy }
      assign(&shelf.book)
    } read: {
      $0.book
    },
    Setter(testDescription: "an optional in place", isInPlace: true) {
      $0.optional?.replace(with: $1)
    } read: {
      $0.optional
    },
    Setter(testDescription: "what is presented, in place", isInPlace: true) {
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
  ]
}

/// A child in whose place a copy of itself is put tells its observers, unless the copy is equal to it.
@Suite struct ReplacedChildTests {
  /// Whether who reads the pages of a book hears of a change.
  private func hears(
    _ setter: Setter,
    of shelf: inout Shelf,
    _ change: (inout Shelf) -> Void
  ) -> Bool {
    let isTold = Mutex(false)
    withObservationTracking {
      _ = setter.read(shelf)?.pages
    } onChange: {
      isTold.withLock { $0 = true }
    }
    change(&shelf)
    return isTold.withLock { $0 }
  }

  @Test(arguments: Setter.all)
  private func anEarlierCopyThatComesBackIsTold(setter: Setter) throws {
    var shelf = Shelf()
    let saved = try #require(setter.read(shelf))
    shelf.grow(by: 1)
    #expect(hears(setter, of: &shelf) { setter.set(&$0, saved) })
    #expect(setter.read(shelf)?.pages == 1)
    // What stands there now is observed as anything else.
    #expect(hears(setter, of: &shelf) { $0.grow(by: 1) })
  }

  @Test(arguments: Setter.all)
  private func anEqualCopyIsToldToNobody(setter: Setter) throws {
    var shelf = Shelf()
    let copy = try #require(setter.read(shelf))
    #expect(!hears(setter, of: &shelf) { setter.set(&$0, copy) })
    // There and back again.
    shelf.grow(by: 1)
    shelf.grow(by: -1)
    #expect(!hears(setter, of: &shelf) { setter.set(&$0, copy) })
  }

  @Test(arguments: Setter.all.filter(\.isInPlace))
  private func aCopyThatWasChangedBeforeItWasObservedIsTold(setter: Setter) throws {
    var shelf = Shelf()
    var copy = try #require(setter.read(shelf))
    copy.pages = 9
    #expect(hears(setter, of: &shelf) { setter.set(&$0, copy) })
    #expect(setter.read(shelf)?.pages == 9)
  }

  @Test func aChangeOfAFieldIsNoChangeOfTheChild() {
    var shelf = Shelf()
    let isTold = Mutex(false)
    withObservationTracking {
      _ = shelf.book
      _ = shelf.optional
      _ = shelf.presented
    } onChange: {
      isTold.withLock { $0 = true }
    }
    shelf.grow(by: 1)
    var copy = shelf.book
    copy.pages += 1
    shelf.book = copy
    #expect(!isTold.withLock { $0 })
  }
}
