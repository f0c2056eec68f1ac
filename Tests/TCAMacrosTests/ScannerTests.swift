import Testing

@Suite struct ScannerTests {
  @Test(arguments: [
    (#""a\(f("}", { ")" }))b" x"#, 2),
    (##"#"a"\#("b")""# x"##, 2),
    ("\"\"\"\n \\\"\"\" } \\(\"\"\"\n}\n\"\"\")\n\"\"\" x", 2),
    ("#\"\"\"# x", 2),
    ("/* a /* b */ } */ x // }", 1),
    ("x = /a}[/]b/ y", 4),
    ("f(/A.a, action: /A.b)", 14),
    ("a / b / c", 5),
    ("#/ a}\n b /# x", 2),
    ("1e-5 0x1p+2 0xe+1 1...2", 10),
    ("`class` a->b", 4),
  ])
  func `the lexer cuts strings, comments, regular expressions and numbers into tokens`(
    _ text: String,
    _ count: Int
  ) throws {
    #expect(try Lexer.tokens(of: SourceText(text)).count == count)
  }

  @Test(arguments: [
    ("struct S { var a = \"\\(x", "interpolation", 21),
    ("struct S { /* ", "comment", 11),
  ])
  func `the scanner reports an unterminated comment or interpolation with its position`(
    _ text: String,
    _ what: String,
    _ position: Int
  ) {
    #expect(throws: ScanError(reason: .unterminated(what), position: position)) {
      try Scanner.declaration(in: SourceText(text))
    }
  }

  @Test func `the scanner reads initial values, accessors and names of properties`() throws {
    let members = try Scanner.members(
      in: SourceText(
        """
        var a = x < y, b = F<A, B>(), c = [1, 2].map { $0 } {
          didSet { }
        }
        let d = cond
          ? 1 : 2
        var e = .any
        var f = 0...
        var g = a
          + b
        var h = if x { 1 } else { 2 }, (i, j) = (1, 2)
        var k: Int { if x { 1 } else { 2 } }
        var l = foo
          .bar
          #if DEBUG
          .baz
          #endif
        @Wrapped("}") var m = f { get }
        """
      )
    )
    let bindings = members.flatMap(\.declarations).flatMap { $0.variable?.bindings ?? [] }
    #expect(
      bindings.flatMap(\.names).map(\.text)
        == ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"]
    )
    #expect(bindings.map(\.isStored).count { $0 } == 10)
    #expect(bindings[2].accessors?.names == ["didSet"])
    #expect(bindings[3].initialValue?.text == "cond\n  ? 1 : 2")
    #expect(bindings[1].initialValue?.text == "F<A, B>()")
  }

  @Test func `the scanner reads the cases of an enum within conditional compilation`() throws {
    let declaration = try Scanner.declaration(
      in: SourceText(
        """
        @available(macOS 15, *) @A("}") public indirect enum E<T: P>: Q where T.X == Y<Z> {
          case a(x: Int = f(1, 2), _ y: (String) -> Void), b
          #if os(Linux) && \\
        """.replacing(" \\", with: "")
          + """

              !DEBUG
            case c
            #elseif X
            #if Y
            case d
            #endif
            #else
            @B case e
            #endif
            #if Z
            @C
            #endif
            case f
          }
          """
      )
    )
    let type = try #require(declaration.nominal)
    #expect(type.cases.map(\.name.text) == ["a", "b", "c", "d", "e", "f"])
    #expect(type.cases[0].elements.map(\.argumentLabel) == ["x", nil])
    #expect(type.whereClause?.text == "where T.X == Y<Z>")
    #expect(declaration.memberAccess == "public ")
    #expect(declaration.availability == "@available(macOS 15, *)\n")
    #expect(type.declarations.last?.attribute("C") != nil)
    #expect(type.members.caseLines { element, _ in [element.name.text] }.count == 12)
  }
}
