import ActionLog
import Foundation
import TCACore
import Testing

@ObservableState
private struct Shelf {
  @Shared(.inMemory("page")) var page = Page()
  @Shared var title: String
  @Shared var row: Row?
  @SharedReader var tag: String
  @Shared var other: Int

  init(page: Shared<Page>) {
    _title = page.title
    _row = page.rows[id: 2]
    _tag = SharedReader(page).tags[1]
    _other = Shared(value: 5)
  }

  @ObservableState
  struct Page: Equatable {
    var title = "first"
    var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2)]
    var tags = ["a", "b"]
  }

  struct Row: Codable, Equatable, Identifiable {
    var id: Int
    var name = "row"
  }
}

/// Answers reads with live values.
private struct LiveReads: DependencyReadInterceptor {
  let keys = LockIsolated<[String]>([])

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    keys.withValue { $0.append(key) }
    return live()
  }
}

@Suite struct SharedLogTests {
  private static func shelf() -> Shelf {
    @Shared(.inMemory("page")) var page = Shelf.Page()
    return Shelf(page: $page)
  }

  private static let text = #"""
    {"page":{"title":"first","rows":[{"id":1,"name":"row"},{"id":2,"name":"row"}],"tags":["a","b"]},\#
    "title":"first","row":{"id":2,"name":"row"},"tag":"b","other":5}
    """#

  @Test func `shared values are logged as their values`() throws {
    let expected = try JSON(parsing: Self.text)
    withOwnSharing { #expect(JSON(logging: Self.shelf()) == expected) }
  }

  @Test
  func `logged paths of shared values determine which values are shared after reading the log`()
    throws
  {
    let (json, places) = withOwnSharing {
      let shelf = Self.shelf()
      return (JSON(logging: shelf), SharedValuePaths.json(of: shelf))
    }
    #expect(
      "\(try #require(places))"
        == #"[{"root":0,"at":"/page"},{"root":0,"at":"/title","part":["title"]},"#
        + #"{"root":0,"at":"/row","part":["rows",{"id":2}]},"#
        + #"{"root":0,"at":"/tag","part":["tags",1,null]}]"#
    )
    try withOwnSharing {
      let read = try #require(SharedValuePaths(places)).decode(json) {
        try LogDecoder($0).value(Shelf.self)
      }
      #expect(JSON(logging: read) == json)
      read.$page.withLock { page in
        page.title = "second"
        page.rows[id: 2]?.name = "changed"
        page.tags[1] = "c"
      }
      #expect(read.title == "second" && read.row?.name == "changed" && read.tag == "c")
      read.$row.withLock { $0 = nil }
      #expect(read.page.rows.ids == [1])
      @Shared(.inMemory("page")) var page = Shelf.Page()
      #expect(page == read.page, "the key says which one it is")
    }
  }

  @Test func `a keyed shared value decodes to its reference without logged paths`() throws {
    try withOwnSharing {
      let read = try LogDecoder(JSON(parsing: Self.text)).value(Shelf.self)
      read.$title.withLock { $0 = "own" }
      #expect(read.page.title == "first")
      @Shared(.inMemory("page")) var page = Shelf.Page()
      $page.withLock { $0.title = "keyed" }
      #expect(read.page.title == "keyed")
    }
  }

  @Test func `a state logs no paths of shared values if each shared value occurs only once`() {
    #expect(SharedValuePaths.json(of: [Shared(value: 1), Shared(value: 1)]) == nil)
    #expect(SharedValuePaths.json(of: 1) == nil)
    let one = Shared(value: 1)
    #expect(
      SharedValuePaths.json(of: [one, one]).map { "\($0)" }
        == #"[{"root":0,"at":"/0"},{"root":0,"at":"/1"}]"#
    )
  }

  @Test func `malformed paths of shared values are ignored`() throws {
    let places = try #require(
      SharedValuePaths(try JSON(parsing: #"[{"root":0,"at":"/0","part":[true]},{"at":"x"},7]"#))
    )
    let read = try places.decode([1, 2]) { try LogDecoder($0).value([Shared<Int>].self) }
    #expect(read.map(\.wrappedValue) == [1, 2])
    #expect(SharedValuePaths(nil) == nil)
  }

  @Test func `creating a shared value in a reducer is recorded as a read`() {
    withOwnSharing {
      let reads = LiveReads()
      let scope = ReducerReadScope(interceptor: reads, parent: nil)
      @Shared(.inMemory("observed")) var count = 0
      ReducerReadScope.$current.withValue(scope) {
        @Shared(.inMemory("observed")) var same = 0
        $same.withLock { $0 += 1 }
        scope.close()
        $same.withLock { $0 += 1 }
      }
      #expect(count == 2)
      #expect(reads.keys.value == ["shared.inMemory(observed)"])
    }
  }
}
