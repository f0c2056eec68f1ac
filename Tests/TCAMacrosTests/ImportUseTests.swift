import Testing

/// Types with package access use the module where the compiler sees it.
@Suite struct ImportUseTests {
  static let macros = ["LogValueMacro": "LogValue", "CasePathableMacro": "CasePathable"]

  @Test(arguments: macros.keys.sorted(), ["package", "public", "fileprivate", "internal", ""])
  func `only types with package access get the generated member that uses an imported module`(
    macro: String,
    access: String
  ) throws {
    let source = "@\(Self.macros[macro, default: ""]) \(access) enum E { case a }"
    let expansion = try Expanding(macro, "member", source).expansion
    let text = expansion.expandedSource ?? ""
    let member = "package typealias _$Import = ActionLog.LogEncoder"
    #expect(text.contains(member) == (access == "package"), "\(text)")
    #expect(expansion.diagnostics.isEmpty)
  }

  @Test
  func `a package type that already conforms to LogValue gets no generated member for the import`()
    throws
  {
    let source = "@LogValue package struct S: LogValue { var a = 1 }"
    let expansion = try Expanding("LogValueMacro", "member", source).expansion
    #expect(expansion.expandedSource?.contains("_$Import") != true)
  }

  @Test(arguments: [
    ("CasePathableMacro", "@LogValue @CasePathable package enum E { case a }"),
    ("ObservableStateMacro", "@LogValue @ObservableState package struct S { var a = 1 }"),
  ])
  func `beside other macros on the same type, only LogValue generates the import's member`(
    other: String,
    source: String
  ) throws {
    let own = try Expanding("LogValueMacro", "member", source).expansion
    #expect(own.expandedSource?.contains("_$Import") == true)
    let others = try Expanding(other, "member", source).expansion
    #expect(others.expandedSource?.contains("_$Import") != true)
  }

  @Test func `a dependency client with package access gets the generated member for the import`()
    throws
  {
    let source = "@DependencyClient package struct C { package var f: () -> Void }"
    let expansion = try Expanding("DependencyClientMacro", "member", source).expansion
    let member = "package typealias _$Import = ActionLog.LogEncoder"
    #expect(expansion.expandedSource?.contains(member) == true)
  }
}
