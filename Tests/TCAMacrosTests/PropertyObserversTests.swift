import Testing

/// Observers of a property, written for its storage.
@Suite struct PropertyObserversTests {
  /// The observers of a property `x`, and those of its storage `_x`.
  static let observers = [
    ("{ didSet { x = min(x, 9) } }", "{ didSet { _x = min(_x, 9) } }"),
    ("{ didSet { self.x = a.x } }", "{ didSet { self._x = a.x } }"),
    ("{ didSet(x) { log(x); self.x = 1 } }", "{ didSet(x) { log(x); self._x = 1 } }"),
    (
      "{ willSet(x) { log(x) } didSet { log(x) } }",
      "{ willSet(x) { log(x) } didSet { log(_x) } }"
    ),
    ("{ didSet { log(x: x) } }", "{ didSet { log(x: _x) } }"),
    ("{ didSet { let x = x; log(x) } }", "{ didSet { let x = x; log(x) } }"),
    ("{ didSet { do { var x = 1 }; x = 1 } }", "{ didSet { do { var x = 1 }; _x = 1 } }"),
    ("{ didSet { let (a, x) = f(); log(x) } }", "{ didSet { let (a, x) = f(); log(x) } }"),
    ("{ didSet { let a = x, x = 1; log(x) } }", "{ didSet { let a = _x, x = 1; log(x) } }"),
    (
      "{ didSet { if let x, x > 1 { log(x) } else { x = 1 }; x = 2 } }",
      "{ didSet { if let x, x > 1 { log(x) } else { _x = 1 }; _x = 2 } }"
    ),
    (
      "{ didSet { if let a = x, x > a { x = a } } }",
      "{ didSet { if let a = _x, _x > a { _x = a } } }"
    ),
    (
      "{ didSet { guard let x else { return }; log(x) } }",
      "{ didSet { guard let x else { return }; log(x) } }"
    ),
    (
      "{ didSet { while let x = next() { log(x) }; x = 1 } }",
      "{ didSet { while let x = next() { log(x) }; _x = 1 } }"
    ),
    (
      "{ didSet { for x in x { log(x) }; x = [] } }",
      "{ didSet { for x in x { log(x) }; _x = [] } }"
    ),
    (
      "{ didSet { for (i, x) in a where x > i { log(x) }; x = 1 } }",
      "{ didSet { for (i, x) in a where x > i { log(x) }; _x = 1 } }"
    ),
    (
      "{ didSet { repeat { x += 1 } while x < 3; x = 1 } }",
      "{ didSet { repeat { _x += 1 } while _x < 3; _x = 1 } }"
    ),
    (
      "{ didSet { do { try f() } catch let x { log(x) }; x = 1 } }",
      "{ didSet { do { try f() } catch let x { log(x) }; _x = 1 } }"
    ),
    (
      "{ didSet { switch x { case .a(let x): log(x); case let .b(x: c): x = c; case let .c(c: x): log(x) } } }",
      "{ didSet { switch _x { case .a(let x): log(x); case let .b(x: c): _x = c; case let .c(c: x): log(x) } } }"
    ),
    (
      "{ didSet { if case .a(let x) = a { log(x) }; x = 1 } }",
      "{ didSet { if case .a(let x) = a { log(x) }; _x = 1 } }"
    ),
    ("{ didSet { a.map { x in x + 1 } + x } }", "{ didSet { a.map { x in x + 1 } + _x } }"),
    (
      "{ didSet { a.map { (x: Int) -> Int in x }; x = 1 } }",
      "{ didSet { a.map { (x: Int) -> Int in x }; _x = 1 } }"
    ),
    (
      "{ didSet { a.reduce(x) { a, x in a + x } } }",
      "{ didSet { a.reduce(_x) { a, x in a + x } } }"
    ),
    ("{ didSet { f { [x] in log(x) }; x = 1 } }", "{ didSet { f { [x] in log(x) }; _x = 1 } }"),
    ("{ didSet { f { [a = x] in x = a } } }", "{ didSet { f { [a = _x] in _x = a } } }"),
    ("{ didSet { f { for x in x { log(x) } } } }", "{ didSet { f { for x in x { log(x) } } } }"),
    (
      "{ didSet { func f(x: Int, a: Int) -> Int { x + a }; x = f(x: x, a: 1) } }",
      "{ didSet { func f(x: Int, a: Int) -> Int { x + a }; _x = f(x: _x, a: 1) } }"
    ),
    (
      "{ didSet { func f(a: Int, _ x: Int) -> Int { x + a }; x = 1 } }",
      "{ didSet { func f(a: Int, _ x: Int) -> Int { x + a }; _x = 1 } }"
    ),
    (
      "{ didSet { func f(x a: Int) { x = a }; x = 1 } }",
      "{ didSet { func f(x a: Int) { _x = a }; _x = 1 } }"
    ),
    ("{ didSet { func x() {}; x() } }", "{ didSet { func x() {}; x() } }"),
  ]

  @Test(arguments: observers)
  func `willSet and didSet access the storage of their property unless a local name hides it`(
    observers: String,
    expected: String
  ) {
    let name = Snippet(text: "x", range: 0..<1)
    #expect(PropertyObservers(observers).of(name, storedAs: "_x") == expected)
  }

  @Test(
    arguments: [
      (
        "{ didSet(x) { if let x { log(x) }; self.x = nil } }",
        "{ didSet(x) { let x = x.wrappedValue; if let x { log(x) }; self._x.wrappedValue = nil } }"
      ),
      (
        "{ willSet { if let x { log(x, newValue) } } didSet { x = nil } }",
        "{ willSet { let newValue = newValue.wrappedValue; if let x { log(x, newValue) } } didSet { _x.wrappedValue = nil } }"
      ),
    ]
  )
  func `willSet and didSet of a boxed property access the values in the box`(
    observers: String,
    expected: String
  ) {
    let name = Snippet(text: "x", range: 0..<1)
    let result = PropertyObservers(observers).of(name, storedAs: "_x.wrappedValue", isBoxed: true)
    #expect(result == expected)
  }
}
