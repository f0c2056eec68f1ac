import ActionLog
import ReplayEngine

/// The random choices of a batch: steps, and changes of their values.
struct FuzzDraws {
  private let material: FuzzMaterial
  private var random: SeededGenerator
  /// The indexes of the action cases that the current run uses.
  private var drawn: [Int] = []

  init(_ material: FuzzMaterial, seed: UInt64) {
    self.material = material
    random = SeededGenerator(seed: seed)
  }

  /// Returns a random number below a bound; 0 if the bound is 0.
  mutating func draw(_ count: Int) -> Int {
    count > 0 ? Int.random(in: 0..<count, using: &random) : 0
  }

  /// Returns a random action of the user or of a running effect.
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

  /// Selects all cases of actions.
  mutating func drawAllCases() { drawn = Array(material.actions.indices) }

  /// Selects all cases of actions, or a random subset half of the time.
  ///
  /// Subsets reveal faults that need many actions of one case and none of another (swarm testing, Groce and others,
  /// 2012).
  mutating func drawCases() {
    drawAllCases()
    guard draw(2) == 0 else { return }
    var some: [Int] = []
    for index in drawn where draw(2) == 0 { some.append(index) }
    if !some.isEmpty { drawn = some }
  }

  /// Whether the current run uses a subset of the cases.
  var hasFewCases: Bool { drawn.count < material.actions.count }

  /// Returns a step with one value of its action replaced.
  mutating func changed(_ step: FuzzStep, _ runner: FuzzRunner) -> FuzzStep {
    guard let action = step.action else { return step }
    let places = FuzzValues.places(in: action)
    guard !places.isEmpty else { return step }
    let place = places[draw(places.count)]
    // The ids of the effect's own elements remain, because an effect only addresses these elements.
    guard let value = action[place], !step.elements.contains(value) else { return step }
    let seen = material.values[FuzzValues.key(of: place, in: action)] ?? []
    let other = FuzzValues.other(than: value, seen: seen, texts: texts(runner), &random)
    return step.with(action.replacing(place, with: other))
  }

  /// Returns the texts of the logs or, half of the time, those of the current state, which has ids that no log
  /// contains.
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
