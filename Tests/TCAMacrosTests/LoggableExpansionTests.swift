import Testing

/// `@Loggable` goes beside the macros of another library, whose storage it knows.
@Suite struct LoggableExpansionTests {
  @Test(
    arguments: [
      // Storage of an observed property has another name.
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
  func types(source: String, line: String) throws {
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
  func featuresAreNoValues(source: String) throws {
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
}
