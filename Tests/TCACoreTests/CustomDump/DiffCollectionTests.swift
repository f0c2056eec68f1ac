import TCACore
import Testing

@Suite("Differences of collections")
struct DiffCollectionTests {
  @Test(arguments: cases)
  func `diff of two collections shows the changed elements`(_ difference: DumpCase) {
    #expect(difference.actual() == difference.expected)
  }

  nonisolated static let cases: [DumpCase] = [
    DumpCase(
      "removal",
      difference: { diff([1, 2, 3, 4], [1, 2, 4]) },
      is: """
          [
            … (2 unchanged),
        -   [2]: 3,
            … (1 unchanged)
          ]
        """
    ),
    DumpCase(
      "replacement",
      difference: { diff([1, 2, 3, 4], [1, 2, 5, 4]) },
      is: """
          [
            … (2 unchanged),
        -   [2]: 3,
        +   [2]: 5,
            … (1 unchanged)
          ]
        """
    ),
    DumpCase(
      "insertion",
      difference: { diff([1, 2, 3, 4], [0, 1, 2, 3, 4]) },
      is: """
          [
        +   [0]: 0,
            … (4 unchanged)
          ]
        """
    ),
    DumpCase(
      "move of a leaf",
      difference: { diff([1, 2, 3, 4], [4, 1, 2, 3]) },
      is: """
          [
        +   [0]: 4, // Moved from [3]
            … (3 unchanged),
        -   [3]: 4 // Moved to [0]
          ]
        """
    ),
    DumpCase(
      "repeated elements",
      difference: { diff([1, 1, 1, 2], [1, 1, 2, 1]) },
      is: """
          [
            … (2 unchanged),
        -   [2]: 1, // Moved to [3]
            … (1 unchanged),
        +   [3]: 1 // Moved from [2]
          ]
        """
    ),
    DumpCase(
      "from nothing",
      difference: { diff([], [1]) },
      is: """
        - []
        + [
        +   [0]: 1
        + ]
        """
    ),
    DumpCase(
      "to nothing",
      difference: { diff([1], []) },
      is: """
        - [
        -   [0]: 1
        - ]
        + []
        """
    ),
    DumpCase(
      "row by its id",
      difference: { diff(Dumped.rows(1...6), Dumped.rows(1...6) { $0[2].name = "x" }) },
      is: """
          [
            … (2 unchanged),
            [2]: Dumped.User(
              id: 3,
        -     name: "n3",
        +     name: "x",
              favorites: []
            ),
            … (3 unchanged)
          ]
        """
    ),
    DumpCase(
      "removed and added rows",
      difference: {
        diff(
          Dumped.rows(1...6),
          Dumped.rows(1...6) { rows in
            rows.remove(at: 1)
            rows.append(Dumped.User(id: 9, name: "new"))
          }
        )
      },
      is: """
          [
            … (1 unchanged),
        -   [1]: Dumped.User(
        -     id: 2,
        -     name: "n2",
        -     favorites: []
        -   ),
            … (4 unchanged),
        +   [5]: Dumped.User(
        +     id: 9,
        +     name: "new",
        +     favorites: []
        +   )
          ]
        """
    ),
    DumpCase(
      "swapped rows",
      difference: { diff(Dumped.rows(1...6), Dumped.rows(1...6) { $0.swapAt(0, 5) }) },
      is: """
          [
        -   [0]: Dumped.User(…), // Moved to [5]
        +   [0]: Dumped.User(…), // Moved from [5]
            … (4 unchanged),
        -   [5]: Dumped.User(…), // Moved to [0]
        +   [5]: Dumped.User(…) // Moved from [0]
          ]
        """
    ),
    DumpCase(
      "moved and changed row",
      difference: {
        diff(
          Dumped.rows(1...6),
          Dumped.rows(1...6) { rows in
            rows.append(rows.remove(at: 0))
            rows[5].name = "moved"
          }
        )
      },
      is: """
          [
        -   [0]: Dumped.User(…), // Moved to [5]
            … (5 unchanged),
            [5]: Dumped.User( // Moved from [0]
              id: 1,
        -     name: "n1",
        +     name: "moved",
              favorites: []
            )
          ]
        """
    ),
    DumpCase(
      "replaced row",
      difference: {
        diff(Dumped.rows(1...2), Dumped.rows(1...2) { $0[1] = Dumped.User(id: 3, name: "n2") })
      },
      is: """
          [
            … (1 unchanged),
        -   [1]: Dumped.User(
        -     id: 2,
        -     name: "n2",
        -     favorites: []
        -   ),
        +   [1]: Dumped.User(
        +     id: 3,
        +     name: "n2",
        +     favorites: []
        +   )
          ]
        """
    ),
    DumpCase(
      "repeated ids",
      difference: {
        diff(
          [Dumped.User(id: 1, name: "a"), Dumped.User(id: 1, name: "b")],
          [Dumped.User(id: 1, name: "a"), Dumped.User(id: 1, name: "c")]
        )
      },
      is: """
          [
            … (1 unchanged),
            [1]: Dumped.User(
              id: 1,
        -     name: "b",
        +     name: "c",
              favorites: []
            )
          ]
        """
    ),
    DumpCase(
      "identified array",
      difference: {
        diff(
          IdentifiedArray(uniqueElements: Dumped.rows(1...3)),
          IdentifiedArray(uniqueElements: Dumped.rows(1...3) { $0[1].name = "x" })
        )
      },
      is: """
          [
            … (1 unchanged),
            [1]: Dumped.User(
              id: 2,
        -     name: "n2",
        +     name: "x",
              favorites: []
            ),
            … (1 unchanged)
          ]
        """
    ),
    DumpCase(
      "elements without ids",
      difference: { diff(Dumped.points(1...5), Dumped.points(1...5) { $0[2].y = 3 }) },
      is: """
          [
            … (2 unchanged),
            [2]: Dumped.Point(
              x: 3,
        -     y: 0,
        +     y: 3,
              z: 0
            ),
            … (2 unchanged)
          ]
        """
    ),
    DumpCase(
      "elements without ids behind a removal",
      difference: {
        diff(
          Dumped.points(1...5),
          Dumped.points(1...5) { points in
            points[2].y = 3
            points.remove(at: 0)
          }
        )
      },
      is: """
          [
        -   [0]: Dumped.Point(
        -     x: 1,
        -     y: 0,
        -     z: 0
        -   ),
            … (1 unchanged),
            [1]: Dumped.Point(
              x: 3,
        -     y: 0,
        +     y: 3,
              z: 0
            ),
            … (2 unchanged)
          ]
        """
    ),
    DumpCase(
      "elements without ==",
      difference: {
        diff(
          [
            Dumped.Page(title: "a", counter: .init(), users: []),
            .init(title: "b", counter: .init(), users: []),
          ],
          [
            Dumped.Page(title: "c", counter: .init(), users: []),
            .init(title: "b", counter: .init(), users: []),
          ]
        )
      },
      is: """
          [
            [0]: Dumped.Page(
        -     title: "a",
        +     title: "c",
              counter: Dumped.Counter(…),
              users: [],
              secret: nil
            ),
            … (1 unchanged)
          ]
        """
    ),
    DumpCase(
      "entries of a dictionary",
      difference: { diff(["a": 1, "b": 2, "c": 3], ["a": 1, "b": 3, "d": 4]) },
      is: """
          [
            … (1 unchanged),
        -   "b": 2,
        +   "b": 3,
        -   "c": 3,
        +   "d": 4
          ]
        """
    ),
    DumpCase(
      "inside an entry",
      difference: {
        diff(
          ["k": Dumped.User(id: 1, name: "a"), "l": Dumped.User(id: 2, name: "b")],
          ["k": Dumped.User(id: 1, name: "c"), "l": Dumped.User(id: 2, name: "b")]
        )
      },
      is: """
          [
            "k": Dumped.User(
              id: 1,
        -     name: "a",
        +     name: "c",
              favorites: []
            ),
            … (1 unchanged)
          ]
        """
    ),
    DumpCase(
      "members of a set",
      difference: { diff(Set([1, 2, 3]), Set([2, 3, 4])) },
      is: """
          Set([
        -   1,
            … (2 unchanged),
        +   4
          ])
        """
    ),
    DumpCase(
      "element of a stack",
      difference: {
        diff(
          StackState.of(Dumped.Step.loaded(id: 1, name: "a"), .idle),
          StackState.of(Dumped.Step.loaded(id: 1, name: "b"), .idle)
        )
      },
      is: """
          [
            #0: .loaded(
              id: 1,
        -     name: "a"
        +     name: "b"
            ),
            … (1 unchanged)
          ]
        """
    ),
    DumpCase(
      "equal elements under other ids",
      difference: { diff(StackState.of(1, 2), StackState.of(1, 2, from: 2)) },
      is: """
          [
        -   #0: 1,
        -   #1: 2,
        +   #2: 1,
        +   #3: 2
          ]
        """
    ),
    DumpCase(
      "popped element",
      difference: { diff(StackState.of(1, 2), StackState.of(1)) },
      is: """
          [
            … (1 unchanged),
        -   #1: 2
          ]
        """
    ),
    DumpCase(
      "moved pages of a stack",
      difference: { diff(StackState.of(1, 2), StackState.of(1, 2, isReversed: true)) },
      is: """
          [
        -   #0: 1, // Moved
            … (1 unchanged),
        +   #0: 1 // Moved
          ]
        """
    ),
  ]
}
