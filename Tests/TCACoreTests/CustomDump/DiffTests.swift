import TCACore
import Testing

@Suite("Differences of values")
struct DiffTests {
  @Test(arguments: cases)
  func `diff of two values shows the changed parts`(_ difference: DumpCase) {
    #expect(difference.actual() == difference.expected)
  }

  nonisolated static let cases: [DumpCase] = [
    DumpCase(
      "leaves",
      difference: { diff(1, 2) },
      is: """
        - 1
        + 2
        """
    ),
    DumpCase(
      "member",
      difference: { diff(Dumped.User(id: 1, name: "a"), Dumped.User(id: 1, name: "b")) },
      is: """
          Dumped.User(
            id: 1,
        -   name: "a",
        +   name: "b",
            favorites: []
          )
        """
    ),
    DumpCase(
      "member deep inside",
      difference: {
        diff(
          Dumped.User(id: 1, name: "a", favorites: [1]),
          Dumped.User(id: 1, name: "a", favorites: [1, 2, 3])
        )
      },
      is: """
          Dumped.User(
            id: 1,
            name: "a",
            favorites: [
              … (1 unchanged),
        +     [1]: 2,
        +     [2]: 3
            ]
          )
        """
    ),
    DumpCase(
      "one line replaces one line",
      difference: { diff(Dumped.Counter(), Dumped.Counter(count: 1)) },
      is: """
        - Dumped.Counter(count: 0)
        + Dumped.Counter(count: 1)
        """
    ),
    DumpCase(
      "many unchanged members",
      difference: { diff(Dumped.Wide(), Dumped.Wide(f: 7)) },
      is: """
          Dumped.Wide(
            … (5 unchanged),
        -   f: 6
        +   f: 7
          )
        """
    ),
    DumpCase(
      "few unchanged members",
      difference: { diff(Dumped.Wide(), Dumped.Wide(c: 7)) },
      is: """
          Dumped.Wide(
            a: 1,
            b: 2,
        -   c: 3,
        +   c: 7,
            d: 4,
            e: 5,
            f: 6
          )
        """
    ),
    DumpCase(
      "unchanged containers",
      difference: {
        diff(
          Dumped.Page(title: "x", counter: .init(), users: [.init(id: 1, name: "a")]),
          Dumped.Page(title: "y", counter: .init(), users: [.init(id: 1, name: "a")])
        )
      },
      is: """
          Dumped.Page(
        -   title: "x",
        +   title: "y",
            counter: Dumped.Counter(…),
            users: […],
            secret: nil
          )
        """
    ),
    DumpCase(
      "case",
      difference: { diff(Dumped.Step.loading(1), .idle) },
      is: """
        - Dumped.Step.loading(1)
        + Dumped.Step.idle
        """
    ),
    DumpCase(
      "payload",
      difference: { diff(Dumped.Step.loaded(id: 1, name: "a"), .loaded(id: 1, name: "b")) },
      is: """
          Dumped.Step.loaded(
            id: 1,
        -   name: "a"
        +   name: "b"
          )
        """
    ),
    DumpCase(
      "payload deep inside",
      difference: {
        diff(
          Dumped.Step.then(.then(.loaded(id: 1, name: "a"))),
          .then(.then(.loaded(id: 2, name: "a")))
        )
      },
      is: """
          Dumped.Step.then(
            .then(
              .loaded(
        -       id: 1,
        +       id: 2,
                name: "a"
              )
            )
          )
        """
    ),
    DumpCase(
      "optional",
      difference: { diff(Dumped.User?.none, Dumped.User(id: 1, name: "a")) },
      is: """
        - nil
        + Dumped.User(
        +   id: 1,
        +   name: "a",
        +   favorites: []
        + )
        """
    ),
    DumpCase(
      "tuple",
      difference: {
        diff((x: 1, y: Dumped.User(id: 1, name: "a")), (x: 1, y: Dumped.User(id: 2, name: "a")))
      },
      is: """
          (
            x: 1,
            y: Dumped.User(
        -     id: 1,
        +     id: 2,
              name: "a",
              favorites: []
            )
          )
        """
    ),
    DumpCase(
      "line of a string",
      difference: { diff("a\nb\nc", "a\nx\nc") },
      is: #"""
          """
          a
        - b
        + x
          c
          """
        """#
    ),
    DumpCase(
      "line of a member",
      difference: { diff(Dumped.User(id: 1, name: "a\nb\n"), Dumped.User(id: 1, name: "a\nc\n")) },
      is: #"""
          Dumped.User(
            id: 1,
            name: """
              a
        -     b
        +     c

              """,
            favorites: []
          )
        """#
    ),
    DumpCase(
      "empty line",
      difference: { diff("a\n\nb", "a\nb") },
      is: #"""
          """
          a
        -
          b
          """
        """#
    ),
    DumpCase(
      "one line and several",
      difference: { diff("a", "a\nx") },
      is: #"""
          """
          a
        + x
          """
        """#
    ),
    DumpCase(
      "line that needs a raw literal",
      difference: { diff("a\nb", "a\\\nb") },
      is: ##"""
        - """
        - a
        - b
        - """
        + #"""
        + a\
        + b
        + """#
        """##
    ),
    DumpCase(
      "types in any",
      difference: { diff(1 as Any, UInt(1) as Any) },
      is: """
        - 1 as Int
        + 1 as UInt
        """
    ),
    DumpCase(
      "same name in any",
      difference: { diff(Dumped.Counter() as Any, Other.Dumped.Counter() as Any) },
      is: """
        - Dumped.Counter(count: 0)
        + Other.Dumped.Counter(count: 0)
        """
    ),
    DumpCase(
      "errors",
      difference: { diff(Dumped.Failure() as any Error, CancellationError() as any Error) },
      is: """
        - Dumped.Failure(code: 1)
        + CancellationError()
        """
    ),
    DumpCase(
      "metatypes",
      difference: { diff(Int.self as Any.Type, String.self as Any.Type) },
      is: """
        - Int.self
        + String.self
        """
    ),
    DumpCase(
      "observed state",
      difference: { diff(Dumped.Form(), Dumped.Form(count: 1, child: Dumped.Child())) },
      is: """
          Dumped.Form(
        -   count: 0,
        +   count: 1,
        -   child: nil,
        +   child: Dumped.Child(name: ""),
            plain: true
          )
        """
    ),
    DumpCase(
      "presented state",
      difference: {
        diff(Dumped.Presenter(child: .init()), Dumped.Presenter(child: .init(count: 1)))
      },
      is: """
          Dumped.Presenter(
        -   child: Dumped.Counter(count: 0),
        +   child: Dumped.Counter(count: 1),
            _own: 1
          )
        """
    ),
    DumpCase(
      "values that hide what differs",
      difference: { diff(Redacted("a"), Redacted("b")) },
      is: """
        - <redacted>
        + <redacted>
        """
    ),
    DumpCase(
      "values that hide what differs, inside",
      difference: { diff(["name": Redacted("a")], ["name": Redacted("b")]) },
      is: """
          [
        -   "name": <redacted>
        +   "name": <redacted>
          ]
        """
    ),
    DumpCase(
      "object that knows what it was",
      difference: {
        let ledger = Ledger(before: Dumped.Counter(count: 1), now: Dumped.Counter(count: 2))
        return diff(ledger, ledger)
      },
      is: """
        - Dumped.Counter(count: 1)
        + Dumped.Counter(count: 2)
        """
    ),
    DumpCase(
      "not a number",
      difference: { diff(Double.nan, .nan) },
      is: """
          // Not equal but no difference detected:
        - nan
        + nan
        """
    ),
    DumpCase(
      "what a dump does not show",
      difference: { diff(Dumped.Secret(hidden: 1), .init(hidden: 2)) },
      is: """
          // Not equal but no difference detected:
        - Dumped.Secret(shown: 1)
        + Dumped.Secret(shown: 1)
        """
    ),
    DumpCase(
      "what a dump does not show, inside",
      difference: {
        diff(
          Dumped.Page(title: "x", counter: .init(), users: [], secret: .init(hidden: 1)),
          Dumped.Page(title: "x", counter: .init(), users: [], secret: .init(hidden: 2))
        )
      },
      is: """
          Dumped.Page(
            title: "x",
            counter: Dumped.Counter(…),
            users: [],
            // Not equal but no difference detected:
        -   secret: Dumped.Secret(shown: 1)
        +   secret: Dumped.Secret(shown: 1)
          )
        """
    ),
    DumpCase(
      "rings of objects",
      difference: { diff(Dumped.Node.ring(1, 2), Dumped.Node.ring(1, 3)) },
      is: """
          #1 Dumped.Node(
            value: 1,
            next: Dumped.Node(
        -     value: 2,
        +     value: 3,
              next: #1 Dumped.Node(↩︎)
            )
          )
        """
    ),
    DumpCase(
      "ring and line",
      difference: { diff(Dumped.Node.ring(1, 2), Dumped.Node(1, next: Dumped.Node(2))) },
      is: """
          #1 Dumped.Node(
            value: 1,
            next: Dumped.Node(
              value: 2,
        -     next: #1 Dumped.Node(↩︎)
        +     next: nil
            )
          )
        """
    ),
    DumpCase(
      "object met twice",
      difference: { diff(Dumped.Shared.pair(1), Dumped.Shared.pair(2)) },
      is: """
          Dumped.Shared(
            left: Dumped.Node(
        -     value: 1,
        +     value: 2,
              next: Dumped.Node(…)
            ),
            right: Dumped.Node(…) // Differs as above
          )
        """
    ),
  ]
}

/// A value that is not displayed.
private struct Redacted: Equatable, CustomDumpStringConvertible {
  let value: String

  init(_ value: String) { self.value = value }

  var customDumpDescription: String { "<redacted>" }
}

/// An object that has changed.
private final class Ledger: _CustomDiffObject {
  let before: Dumped.Counter
  let now: Dumped.Counter

  init(before: Dumped.Counter, now: Dumped.Counter) {
    self.before = before
    self.now = now
  }

  var _customDiffValues: (Any, Any) { (before, now) }
}
