import TCACore
import Testing

@Suite("Dumps of values that hold others")
struct DumpContainerTests {
  @Test(arguments: cases)
  func `a dump of a container shows its elements and members`(_ dump: DumpCase) {
    #expect(dump.actual() == dump.expected)
  }

  nonisolated static let cases: [DumpCase] = [
    DumpCase(
      "struct",
      dump: { String(customDumping: Dumped.User(id: 1, name: "Blob", favorites: [1, 2])) },
      is: """
        Dumped.User(
          id: 1,
          name: "Blob",
          favorites: [
            [0]: 1,
            [1]: 2
          ]
        )
        """
    ),
    DumpCase(
      "struct with one leaf",
      dump: { String(customDumping: Dumped.Counter()) },
      is: """
        Dumped.Counter(count: 0)
        """
    ),
    DumpCase(
      "struct without members",
      dump: { String(customDumping: Dumped.Empty()) },
      is: """
        Dumped.Empty()
        """
    ),
    DumpCase(
      "generic structs",
      dump: { String(customDumping: Dumped.Box(value: Dumped.Box(value: 1))) },
      is: """
        Dumped.Box(value: Dumped.Box(value: 1))
        """
    ),
    DumpCase(
      "local type",
      dump: { String(customDumping: local()) },
      is: """
        DumpContainerTests.Local(
          a: 1,
          b: 2
        )
        """
    ),
    DumpCase(
      "enum case",
      dump: { String(customDumping: Dumped.Step.idle) },
      is: """
        Dumped.Step.idle
        """
    ),
    DumpCase(
      "payload",
      dump: { String(customDumping: Dumped.Step.loading(1)) },
      is: """
        Dumped.Step.loading(1)
        """
    ),
    DumpCase(
      "labelled payload",
      dump: { String(customDumping: Dumped.Step.loaded(id: 1, name: "x")) },
      is: """
        Dumped.Step.loaded(
          id: 1,
          name: "x"
        )
        """
    ),
    DumpCase(
      "one label",
      dump: { String(customDumping: Dumped.Step.failed(message: "x\ny")) },
      is: #"""
        Dumped.Step.failed(
          message: """
            x
            y
            """
        )
        """#
    ),
    DumpCase(
      "struct as payload",
      dump: { String(customDumping: Dumped.Step.nested(.init())) },
      is: """
        Dumped.Step.nested(Dumped.Counter(count: 0))
        """
    ),
    DumpCase(
      "nested enums on one line",
      dump: { String(customDumping: Dumped.Step.then(.then(.loading(4)))) },
      is: """
        Dumped.Step.then(.then(.loading(4)))
        """
    ),
    DumpCase(
      "nested enums on several lines",
      dump: { String(customDumping: Dumped.Step.then(.then(.loaded(id: 1, name: "x")))) },
      is: """
        Dumped.Step.then(
          .then(
            .loaded(
              id: 1,
              name: "x"
            )
          )
        )
        """
    ),
    DumpCase(
      "result",
      dump: { String(customDumping: Result<Int, any Error>.success(1)) },
      is: """
        Result.success(1)
        """
    ),
    DumpCase(
      "tuple of leaves",
      dump: { String(customDumping: (1, "a")) },
      is: """
        (1, "a")
        """
    ),
    DumpCase(
      "labelled tuple",
      dump: { String(customDumping: (x: 1, y: "a")) },
      is: """
        (
          x: 1,
          y: "a"
        )
        """
    ),
    DumpCase(
      "array",
      dump: { String(customDumping: [1, 2]) },
      is: """
        [
          [0]: 1,
          [1]: 2
        ]
        """
    ),
    DumpCase(
      "array of cases",
      dump: { String(customDumping: [Dumped.Step.idle]) },
      is: """
        [
          [0]: .idle
        ]
        """
    ),
    DumpCase(
      "slice",
      dump: { String(customDumping: [1, 2, 3].dropFirst()) },
      is: """
        [
          [0]: 2,
          [1]: 3
        ]
        """
    ),
    DumpCase(
      "empty array",
      dump: { String(customDumping: [Int]()) },
      is: """
        []
        """
    ),
    DumpCase(
      "empty dictionary",
      dump: { String(customDumping: [String: Int]()) },
      is: """
        [:]
        """
    ),
    DumpCase(
      "dictionary by its keys",
      dump: { String(customDumping: ["b": 1, "a": 2]) },
      is: """
        [
          "a": 2,
          "b": 1
        ]
        """
    ),
    DumpCase(
      "dictionary by its numbers",
      dump: { String(customDumping: [2: "x", 10: "y", 1: "z"]) },
      is: """
        [
          1: "z",
          2: "x",
          10: "y"
        ]
        """
    ),
    DumpCase(
      "dictionary by the text of its keys",
      dump: { String(customDumping: [Dumped.Step.loading(2): 1, .idle: 2]) },
      is: """
        [
          .idle: 2,
          .loading(2): 1
        ]
        """
    ),
    DumpCase(
      "dictionary of mixed keys",
      dump: { String(customDumping: ["b": 1, 3: 2] as [AnyHashable: Int]) },
      is: """
        [
          "b": 1,
          3: 2
        ]
        """
    ),
    DumpCase(
      "pairs in their order",
      dump: { String(customDumping: ["z": 1, "a": 2] as KeyValuePairs) },
      is: """
        [
          "z": 1,
          "a": 2
        ]
        """
    ),
    DumpCase(
      "set",
      dump: { String(customDumping: Set([3, 1, 2])) },
      is: """
        Set([
          1,
          2,
          3
        ])
        """
    ),
    DumpCase(
      "empty set",
      dump: { String(customDumping: Set<Int>()) },
      is: """
        Set([])
        """
    ),
    DumpCase(
      "nested containers",
      dump: {
        String(
          customDumping: Dumped.Page(
            title: "x",
            counter: .init(),
            users: [.init(id: 1, name: "x\ny")]
          )
        )
      },
      is: #"""
        Dumped.Page(
          title: "x",
          counter: Dumped.Counter(count: 0),
          users: [
            [0]: Dumped.User(
              id: 1,
              name: """
                x
                y
                """,
              favorites: []
            )
          ],
          secret: nil
        )
        """#
    ),
    DumpCase(
      "any values",
      dump: { String(customDumping: ["a": [1: Dumped.Counter()]] as [String: Any]) },
      is: """
        [
          "a": [
            1: Dumped.Counter(count: 0)
          ]
        ]
        """
    ),
    DumpCase(
      "object that is held by what it holds",
      dump: { String(customDumping: Dumped.Owner.withDog) },
      is: """
        #1 Dumped.Owner(
          dogs: [
            [0]: Dumped.Dog(
              legs: 4,
              name: "Rex",
              owner: #1 Dumped.Owner(↩︎)
            )
          ]
        )
        """
    ),
    DumpCase(
      "ring of objects",
      dump: { String(customDumping: Dumped.Node.ring(1, 2)) },
      is: """
        #1 Dumped.Node(
          value: 1,
          next: Dumped.Node(
            value: 2,
            next: #1 Dumped.Node(↩︎)
          )
        )
        """
    ),
    DumpCase(
      "object that comes twice",
      dump: {
        let node = Dumped.Node(7)
        return String(customDumping: [node, Dumped.Node(8), node])
      },
      is: """
        [
          [0]: #1 Dumped.Node(
            value: 7,
            next: nil
          ),
          [1]: Dumped.Node(
            value: 8,
            next: nil
          ),
          [2]: #1 Dumped.Node(↩︎)
        ]
        """
    ),
    DumpCase(
      "objects that are alike",
      dump: { String(customDumping: [Dumped.Node(7), Dumped.Node(7)]) },
      is: """
        [
          [0]: Dumped.Node(
            value: 7,
            next: nil
          ),
          [1]: Dumped.Node(
            value: 7,
            next: nil
          )
        ]
        """
    ),
    DumpCase(
      "lasso of objects",
      dump: { String(customDumping: Dumped.Node(0, next: .ring(1, 2))) },
      is: """
        Dumped.Node(
          value: 0,
          next: #2 Dumped.Node(
            value: 1,
            next: Dumped.Node(
              value: 2,
              next: #2 Dumped.Node(↩︎)
            )
          )
        )
        """
    ),
  ]

  /// Returns a value of a local type.
  private static func local() -> Any {
    struct Local {
      var a = 1
      var b = 2
    }
    return Local()
  }
}
