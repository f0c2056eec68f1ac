import ActionLog
import ReplayEngine

/// What a batch draws: steps, and other values in them.
struct FuzzDraws {
  private let material: FuzzMaterial
  private var random: SeededGenerator
  /// The cases of actions that a run draws from, by their place in the material.
  private var drawn: [Int] = []

  init(_ material: FuzzMaterial, seed: UInt64) {
    self.material = material
    random = SeededGenerator(seed: seed)
  }

  /// A number below this one; 0 where there is none.
  mutating func draw(_ count: Int) -> Int {
    count > 0 ? Int.random(in: 0..<count, using: &random) : 0
  }

  /// Something that a user may do, or an effect may answer, here.
  mutating func drawStep(_ runner: FuzzRunner) -> FuzzStep {
    let answering = runner.answering
    let kind = draw(20)
    if kind >= 10, !answering.isEmpty {
      let name = answering[draw(answering.count)]
      if kind >= 18 { return .finish(name) }
      let answers = material.answers(of: name.source)
      if !answers.isEmpty {
        let answer = answers[draw(answers.count)]
        let action = answer.action.addressed(to: name.elements, insteadOf: answer.elements)
        let step = FuzzStep.answer(name, action, via: answer.via)
        return draw(4) == 0 ? changed(step, runner) : step
      }
    }
    guard !drawn.isEmpty else { return .user(.null) }
    let actions = material.actions[drawn[draw(drawn.count)]]
    let step = FuzzStep.user(actions[draw(actions.count)])
    return draw(3) == 0 ? changed(step, runner) : step
  }

  /// All cases of actions.
  mutating func drawAllCases() { drawn = Array(material.actions.indices) }

  /// All cases of actions half of the time, else some of them: a fault that needs one case many times, and another one not at all,
  /// hardly shows where each is as likely (swarm testing, Groce and others, 2012).
  mutating func drawCases() {
    drawAllCases()
    guard draw(2) == 0 else { return }
    var some: [Int] = []
    for index in drawn where draw(2) == 0 { some.append(index) }
    if !some.isEmpty { drawn = some }
  }

  /// Whether not all cases are drawn from.
  var hasFewCases: Bool { drawn.count < material.actions.count }

  /// The step with another value in its action.
  mutating func changed(_ step: FuzzStep, _ runner: FuzzRunner) -> FuzzStep {
    guard let action = step.action else { return step }
    let places = FuzzValues.places(in: action)
    guard !places.isEmpty else { return step }
    let place = places[draw(places.count)]
    // An effect works for its own elements alone.
    guard let value = action[place], !step.elements.contains(value) else { return step }
    let seen = material.values[FuzzValues.key(of: place, in: action)] ?? []
    let other = FuzzValues.other(than: value, seen: seen, texts: texts(runner), &random)
    return step.with(action.replacing(place, with: other))
  }

  /// The texts of the logs, and of the state of now, whose ids no log knows.
  private mutating func texts(_ runner: FuzzRunner) -> [JSON] {
    guard draw(2) == 0 else { return material.texts }
    var texts: [JSON] = []
    func collect(_ value: JSON) {
      guard texts.count < 64 else { return }
      switch value {
      case .string: texts.append(value)
      case .array(let elements): elements.forEach(collect)
      case .object(let object): object.values.forEach(collect)
      case .null, .bool, .number: break
      }
    }
    collect(runner.stateNow.json)
    return texts.isEmpty ? material.texts : texts
  }
}
