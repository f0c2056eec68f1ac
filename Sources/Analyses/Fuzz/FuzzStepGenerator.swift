import ActionLog
import ReplayEngine

/// Makes the random choices of a batch, such as the next step and its values.
struct FuzzStepGenerator {
  private let material: FuzzSeedCorpus
  private var random: SeededGenerator
  /// The indexes of the action cases from which the current run chooses.
  private var drawn: [Int] = []

  init(_ material: FuzzSeedCorpus, seed: UInt64) {
    self.material = material
    random = SeededGenerator(seed: seed)
  }

  /// Returns a random number from 0 to `count - 1`, or 0 if `count` is 0.
  mutating func draw(_ count: Int) -> Int {
    count > 0 ? Int.random(in: 0..<count, using: &random) : 0
  }

  /// Returns a random action from the user or from a running effect, or the end of an effect.
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

  /// Selects all action cases for the next run.
  mutating func drawAllCases() { drawn = Array(material.actions.indices) }

  /// Selects all action cases or, with a probability of one half, a random subset for the next run.
  ///
  /// A subset can reveal faults that need many actions of one case and none of another. This is known as swarm testing
  /// (Groce and others, 2012).
  mutating func drawCases() {
    drawAllCases()
    guard draw(2) == 0 else { return }
    var some: [Int] = []
    for index in drawn where draw(2) == 0 { some.append(index) }
    if !some.isEmpty { drawn = some }
  }

  /// Whether the current run uses only a subset of the action cases.
  var hasFewCases: Bool { drawn.count < material.actions.count }

  /// Returns a step in which one value of the action is replaced, or the step itself if the value can't be replaced.
  mutating func changed(_ step: FuzzStep, _ runner: FuzzRunner) -> FuzzStep {
    guard let action = step.action else { return step }
    let places = FuzzValueMutator.places(in: action)
    guard !places.isEmpty else { return step }
    let place = places[draw(places.count)]
    // The ids of elements that contain the effect are not replaced, because the effect sends actions only to them.
    guard let value = action[place], !step.elements.contains(value) else { return step }
    let seen = material.values[FuzzValueMutator.key(of: place, in: action)] ?? []
    let other = FuzzValueMutator.other(than: value, seen: seen, texts: texts(runner), &random)
    return step.with(action.replacing(place, with: other))
  }

  /// Returns strings as replacement values.
  ///
  /// Half of the time, the strings come from the current state, which can contain ids that no log contains. Otherwise,
  /// they come from the logs.
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
