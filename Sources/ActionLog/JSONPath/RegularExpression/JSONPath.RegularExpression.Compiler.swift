extension JSONPath.RegularExpression {
  /// An expression taken apart.
  indirect enum Tree {
    case set(ScalarSet)
    case start
    case end
    case sequence([Tree])
    case alternatives([Tree])
    /// What repeats, how often at least, and how often at most (`nil`: without end).
    case repetition(Tree, Int, Int?)
  }

  /// Turns a tree into a program (Thompson's construction).
  struct Compiler {
    /// How many instructions a program may have: `(a{999}){999}` is no expression that somebody means.
    static let largestProgram = 10_000

    private(set) var program: [Instruction] = []

    mutating func append(_ instruction: Instruction) -> Bool {
      guard program.count < Self.largestProgram else { return false }
      program.append(instruction)
      return true
    }

    /// Appends the instructions of a tree; false, when the program grows too large.
    mutating func emit(_ tree: Tree) -> Bool {
      switch tree {
      case .set(let set): append(.consume(set))
      case .start: append(.atStart)
      case .end: append(.atEnd)
      case .sequence(let trees): trees.allSatisfy { emit($0) }
      case .alternatives(let trees): emitAlternatives(trees[...])
      case .repetition(let tree, let least, let most): emitRepetition(tree, least, most)
      }
    }

    private mutating func emitAlternatives(_ trees: ArraySlice<Tree>) -> Bool {
      var jumps: [Int] = []
      for tree in trees.dropLast() {
        let split = program.count
        guard append(.atStart), emit(tree) else { return false }
        jumps.append(program.count)
        guard append(.atStart) else { return false }
        program[split] = .split(split + 1, program.count)
      }
      guard let last = trees.last, emit(last) else { return false }
      for jump in jumps { program[jump] = .jump(program.count) }
      return true
    }

    private mutating func emitRepetition(_ tree: Tree, _ least: Int, _ most: Int?) -> Bool {
      for _ in 0..<least {
        // What consumes nothing grows nothing: once is as good as many times.
        let size = program.count
        guard emit(tree) else { return false }
        if program.count == size { break }
      }
      guard let most else {
        let split = program.count
        guard append(.atStart), emit(tree), append(.jump(split)) else { return false }
        program[split] = .split(split + 1, program.count)
        return true
      }
      var splits: [Int] = []
      for _ in least..<most {
        splits.append(program.count)
        guard append(.atStart), emit(tree) else { return false }
      }
      for split in splits { program[split] = .split(split + 1, program.count) }
      return true
    }
  }
}
