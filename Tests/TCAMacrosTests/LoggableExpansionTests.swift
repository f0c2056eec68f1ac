import Testing

/// `@Loggable` is used next to the macros of another library, and knows their storage.
@Suite struct LoggableExpansionTests {
  @Test(
    arguments: [
      // The storage of an observed property has another name.
      (
        "@Loggable @ObservableState struct State { var count = 0 }",
        #"encoder.member("count", self._count)"#
      ),
      ("@Loggable struct Draft { var count = 0 }", #"encoder.member("count", self_count)"#),
      (
        "@Loggable @ObservableState struct State { @Presents var alert: Alert? }",
        #"encoder.member("alert", self._alert)"#
      ),
      ("@Loggable @CasePathable enum Action { case tapped }", #"encoder._$case("tapped")"#),
    ]
  )
  func `Loggable encodes the storage that other macros generate`(
    source: String,
    line: String
  ) throws {
    let expansion = try Expanding(
      "LoggableMacro",
      "extension",
      source,
      conformances: ["LogValue", "LogMembers"]
    )
    .expansion
    let text = expansion.expandedSource ?? ""
    #expect(text.contains("nonisolated extension Outer.Inner: ActionLog.LogValue"), "\(text)")
    #expect(text.contains(line), "\(text)")
    #expect(expansion.diagnostics.isEmpty)
  }

  @Test(arguments: [
    "@Loggable @Reducer struct Feature { struct State {} }",
    "@Loggable struct Feature: Reducer { struct State {} }",
    "@Loggable @Reducer enum Path { case detail(Detail) }",
    "@Loggable struct Row: LogValue { var a = 1 }",
  ])
  func `Loggable generates no conformance for features and for types that already conform`(
    source: String
  ) throws {
    for role in ["extension", "member"] {
      let expansion = try Expanding(
        "LoggableMacro",
        role,
        source,
        conformances: role == "extension" ? ["LogValue", "LogMembers"] : []
      )
      .expansion
      #expect(expansion.expandedSource?.isEmpty != false)
    }
  }

  @Test(
    arguments: [
      ("@LogValue @CasePathable enum Filter { case all }", #"encoder._$case("all")"#),
      (
        "@LogValue @ObservableState struct Draft { var title = 1 }",
        #"encoder.member("title", self._title)"#
      ),
    ]
  )
  func `if LogValue is beside CasePathable and ObservableState, only LogValue adds the conformance`(
    source: String,
    line: String
  ) throws {
    let conformances = ["LogValue", "LogMembers"]
    let own = try Expanding("LogValueMacro", "extension", source, conformances: conformances)
      .expansion
    #expect(own.expandedSource?.contains(line) == true, "\(own.expandedSource ?? "")")
    let other = source.contains("enum") ? "CasePathableMacro" : "ObservableStateMacro"
    let others = try Expanding(other, "extension", source, conformances: conformances).expansion
    #expect(others.expandedSource?.contains("LogValue") != true)
  }

  @Test(
    arguments: [
      ("enum Order { case byTitle }", ["@ActionLog._Loggable1"]),
      ("@Reducer enum Destination { case alert(Alert) }", ["@ActionLog._Loggable1"]),
      // The type may be a client, or may define its own encoding.
      ("struct Client { var load: () -> Void }", []),
      ("enum Order: String, Codable { case byTitle }", []),
      ("private enum CancelID { case load }", []),
      ("@Reducer struct Row { struct State {} }", []),
    ]
  )
  func `Loggable is added only to nested types of a feature that it can log`(
    source: String,
    attributes: [String]
  ) throws {
    let feature = "@Loggable @Reducer struct Feature { \(source) }"
    let expansion = try Expanding("LoggableMacro", "memberAttribute", source, parent: feature)
      .expansion
    let expected = attributes.joined(separator: "\n")
    #expect((expansion.expandedSource ?? "") == expected)
  }

  @Test func `Loggable on an enum of features warns that it does not apply to State and Action`()
    throws
  {
    let expanding = try Expanding(
      "LoggableMacro",
      "member",
      "@Loggable @Reducer enum Path { case detail(Detail) }"
    )
    #expect(
      expanding.diagnostics == [
        "1:1: warning: '@Loggable' reaches neither State nor Action of an enum of features; write 'extension Path.State: LogCases {}'"
          + " and 'extension Path.Action: LogCases {}'"
      ]
    )
  }

  @Test func `LogValue writes a tuple in a payload by its elements`() throws {
    let expansion = try Expanding(
      "LogValueMacro",
      "extension",
      "@LogValue enum Move { case moved((Int, to: Int)) }",
      conformances: ["LogValue"]
    )
    .expansion
    let text = expansion.expandedSource ?? ""
    #expect(text.contains(#"encoder.member("_0", _0.0)"#), "\(text)")
    #expect(text.contains(#"encoder.member("to", _0.to)"#), "\(text)")
  }
}
