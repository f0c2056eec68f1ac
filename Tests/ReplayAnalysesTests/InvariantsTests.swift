import ActionLog
import Foundation
import TestSupport
import Testing

@testable import ReplayAnalyses
@testable import ReplayCommands
@testable import ReplayEngine

/// Files of invariants.
@Suite struct InvariantsTests {
  @Test("Invariants reads names, expressions, comments and features")
  func parsing() throws {
    let invariants = try Invariants(
      parsing: """
        # What holds everywhere.
        numbers rise: $.seq >= 0\r
          \t
        [Counter]
          count: $.state.name == 'a:b'
        [ Todos ]
        # its own
        a title: $.state.todos[?@.title == "#"]
        """,
      file: "invariants.txt"
    )
    #expect(invariants.all.map(\.name) == ["numbers rise", "count", "a title"])
    #expect(invariants.all.map(\.line) == [2, 5, 8])
    #expect(invariants.all.map(\.feature) == [nil, "Counter", "Todos"])
    #expect(invariants.applying(to: "Todos").map(\.name) == ["numbers rise", "a title"])
    #expect(invariants.applying(to: "Other").map(\.name) == ["numbers rise"])
    #expect(invariants.all.last?.expression == "$.state.todos[?@.title == \"#\"]")
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    let message: String
    var testDescription: String { text }

    init(_ text: String, _ message: String) { (self.text, self.message) = (text, message) }
  }

  @Test(
    "Invariants reports what is wrong with a file, and in which line",
    arguments: [
      Fault(
        "",
        "f: there is no invariant; expected lines such as 'total is not negative: total >= 0'"
      ),
      Fault(
        "# nothing\n\n[Todos]\n",
        "f: there is no invariant; expected lines such as 'total is not negative: total >= 0'"
      ),
      Fault(
        "a: $.seq > 0\n$.state.count > 0\n",
        "f:2: '$.state.count > 0' has no name; expected 'NAME: EXPR', such as 'total is not negative: total >= 0'"
      ),
      Fault(
        "!$.state.names[?@ == 'a:b']",
        "f:1: '!$.state.names[?@ == 'a:b']' has no name; expected 'NAME: EXPR', such as 'total is not negative: total >= 0'"
      ),
      Fault(
        " : $.seq > 0",
        "f:1: ': $.seq > 0' has no name; expected 'NAME: EXPR', such as 'total is not negative: total >= 0'"
      ),
      Fault(
        "\n\nname:",
        "f:3: 'name' has no expression; expected 'NAME: EXPR', such as 'total is not negative: total >= 0'"
      ),
      Fault(
        "a: $.seq > 0\n# b\na: $.seq > 1\n",
        "f:3: 'a' is the name of line 1, too; expected a name for each invariant"
      ),
      Fault(
        "[Todos\n",
        "f:1: found '[Todos'; expected the name of a feature, such as [Todos], or an invariant"
      ),
      Fault(
        "[]\n",
        "f:1: found '[]'; expected the name of a feature, such as [Todos], or an invariant"
      ),
      Fault(
        "a: $.stat.count > 0\n",
        "f:1: the expression looks at '$.stat', which no action has; expected one of $.seq, $.action, $.origin, $.before, $.state, $.effects, $.reads; did you mean '$.state'?"
      ),
    ]
  )
  func faults(fault: Fault) {
    let error = #expect(throws: InvariantsError.self) {
      try Invariants(parsing: fault.text, file: "f")
    }
    #expect(error?.description == fault.message)
    #expect(error?.status == .usage)
  }

  @Test("Invariants reports the position of a mistake in an expression as an option does")
  func badExpression() {
    let error = #expect(throws: InvariantsError.self) {
      try Invariants(parsing: "# x\nname:  $.state.count >\n", file: "f")
    }
    let alone = #expect(throws: JSONPath.SyntaxError.self) {
      try JSONPath.Expression(parsing: "$.state.count >")
    }
    #expect(error?.description == alone.map { "f:2: \($0)" })
  }

  @Test("Invariants refuses bytes that are no text, a folder and a missing file")
  func files() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/f"
    try folder.write("", to: "f")
    try Data([0xFF, 0x0A]).write(to: folder.url.appending(path: "f"))
    #expect(throws: InvariantsError(file: path, line: nil, problem: .notText)) {
      try Invariants(path: path)
    }
    #expect(throws: LogReadError.noSuchFile("\(path)-none")) {
      try Invariants(path: "\(path)-none")
    }
    let error = #expect(throws: LogReadError.self) { try Invariants(path: folder.path) }
    #expect(error.map { ExitStatus($0) } == .inputOutput)
  }

  @Test("an invariant about actions or the previous state is undefined before the first action")
  func aboutActions() throws {
    let invariants = try Invariants(
      parsing: """
        a: $.state.count > 0
        b: $.state.count > $.before.count
        c: $.action
        d: $.origin == 'view'
        e: $..count
        f: $.effects || $.reads || $.seq == 0
        """,
      file: "f"
    )
    #expect(invariants.all.map(\.isAboutActions) == [false, true, true, true, false, false])
  }
}
