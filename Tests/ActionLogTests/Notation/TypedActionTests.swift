import ActionLog
import Testing

/// Displayed actions and values, typed as input.
@Suite("Typed actions") struct TypedActionTests {
  /// The actions of a feature with a presentation, a stack, rows and optionals.
  private static let outline = TypeOutline.cases([
    .init("addOrder", [.init("_0", presentation(of: [.init("cancelTapped"), .init("dismiss")]))]),
    .init(
      "path",
      [
        .init(
          "_0",
          .cases([
            .init(
              "element",
              [
                .init("id", .value),
                .init(
                  "action",
                  .cases([.init("visit", [.init("_0", presentation(of: [.init("save")]))])])
                ),
              ]
            )
          ])
        )
      ]
    ),
    .init("dismiss"), .init("oo", [.init("_0", .value)]),
    .init("own", [.init("_0", .cases([.init("some", [.init("_0", .value)])]))]),
  ])

  private static func presentation(of cases: [TypeOutline.Case]) -> TypeOutline {
    .cases([.init("dismiss"), .init("presented", [.init("_0", .cases(cases))])])
  }

  private static var samples: OmittedNotationParts {
    var samples = OmittedNotationParts()
    samples.outline = outline
    return samples
  }

  static let actions = [
    #"{"addOrder":{"_0":{"presented":{"_0":{"cancelTapped":{}}}}}}"#,
    #"{"addOrder":{"_0":{"presented":{"_0":{"dismiss":{}}}}}}"#,
    #"{"addOrder":{"_0":{"dismiss":{}}}}"#,
    #"{"path":{"_0":{"element":{"id":2,"action":{"visit":{"_0":{"presented":{"_0":{"save":{}}}}}}}}}}"#,
    #"{"dismiss":{}}"#,
    #"{"oo":{"_0":null}}"#, #"{"oo":{"_0":{"$some":null}}}"#,
    #"{"oo":{"_0":{"$some":{"$some":null}}}}"#, #"{"oo":{"_0":[null,{"$some":null},1]}}"#,
    #"{"oo":{"_0":{"$date":-0.5}}}"#, #"{"oo":{"_0":{"$double":"-inf"}}}"#,
    #"{"oo":{"_0":{"$decimal":"nan"}}}"#, #"{"oo":{"_0":"2026-01-01T00:00:01.5Z"}}"#,
    #"{"oo":{"_0":"69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"}}"#,
    #"{"oo":{"_0":{"16":1,"$$x":2}}}"#, #"{"own":{"_0":{"some":{"_0":1}}}}"#,
    #"{"word":{"_0":{"_0":{"_0":3}}}}"#, #"{"word":{"_0":{"_0":{}}}}"#,
  ]

  @Test(arguments: actions)
  func `an action typed in the notation in which it is shown is read as that action`(
    log: String
  ) throws {
    let action = try JSON(parsing: log)
    let text = Notation(limits: .none).action(action)
    #expect(try ActionPattern(parsing: text).json(over: nil, Self.samples) == action, "\(text)")
  }

  @Test(arguments: actions)
  func `an action typed with the shortened ids in which it is shown is read as that action`(
    log: String
  ) throws {
    let action = try JSON(parsing: log)
    var samples = Self.samples
    // A reducer has read the id.
    samples.add(value: "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A")
    let text = Notation().action(action)
    #expect(try ActionPattern(parsing: text).json(over: nil, samples) == action, "\(text)")
  }

  @Test
  func `a typed action may contain the last digits of an id that is a dictionary key in a patch`()
    throws
  {
    var samples = OmittedNotationParts()
    let id = "69CD9E26-6D94-4A10-AFA3-8EF0B221AC1A"
    samples.add(patch: JSON.Patch([.add(JSON.Pointer(["rows", id]), ["done": false])]))
    #expect(
      try ActionPattern(parsing: ".done(…AC1A)").json(over: nil, samples) == [
        "done": ["_0": .string(id)]
      ]
    )
  }

  /// A text for a value that cannot be typed, and the reason for its refusal.
  static let refused: [(text: String, message: String)] = [
    (
      ".typed(<masked …86bd>)",
      "'<masked …86bd>' leaves open what is meant; expected a value in the place of the one that is masked"
    ),
    (
      ".typed(<masked 5d79b2e0bf06c886bd>)",
      "'<masked …86bd>' leaves open what is meant; expected a value in the place of the one that is masked"
    ),
    (
      ".drawn(<Pen: it throws>)",
      "'<Pen>' leaves open what is meant; expected a part that a log can hold: it has the type Pen alone"
    ),
    (".typed(_)", "'_' leaves open what is meant; expected the value itself"),
  ]

  @Test(arguments: refused)
  func `a typed placeholder, opaque value or underscore is refused with what to type instead`(
    text: String,
    message: String
  ) throws {
    #expect {
      try ActionPattern(parsing: text).json(over: nil, OmittedNotationParts())
    } throws: {
      "\($0)" == message
    }
  }

  @Test func `a placeholder in a typed action stands for the masked value of the replaced action`()
    throws
  {
    let action: JSON = ["typed": ["_0": "masked5d79b2e0bf06c886bd", "_1": 1]]
    #expect(
      try ActionPattern(parsing: ".typed(<masked …86bd>, 2)").json(
        over: action,
        OmittedNotationParts()
      )
        == ["typed": ["_0": "masked5d79b2e0bf06c886bd", "_1": 2]]
    )
  }
}
