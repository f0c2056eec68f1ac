extension JSONPath {
  /// An I-Regexp (RFC 9485).
  ///
  /// The time for matching is linear in the length of the string.
  ///
  /// `^` and `$` match the start and end of the string, as in other dialects and in the tests of RFC 9535.
  struct RegularExpression: Sendable, Hashable {
    /// An instruction of the compiled program.
    ///
    /// Jump targets are indexes of instructions.
    enum Instruction: Sendable, Hashable {
      case consume(ScalarSet)
      case split(Int, Int)
      case jump(Int)
      case atStart
      case atEnd
      case accept
    }

    let program: [Instruction]

    /// Parses an expression, or returns `nil` if it is invalid (RFC 9485), too deeply nested, or too large.
    init?(_ text: String) {
      var parser = Parser(text)
      guard let tree = parser.wholeExpression() else { return nil }
      var compiler = Compiler()
      guard compiler.emit(tree), compiler.append(.accept) else { return nil }
      program = compiler.program
    }
  }
}

extension JSONPath.RegularExpression {
  /// Whether the expression matches a complete string.
  func matches(_ text: String) -> Bool {
    run(text, isWhole: true)
  }

  /// Whether the expression matches a part of a string.
  func isFound(in text: String) -> Bool {
    run(text, isWhole: false)
  }

  /// Runs the program on a string, one scalar at a time, and follows all possible matches in parallel.
  private func run(_ text: String, isWhole: Bool) -> Bool {
    var threads = Threads(program: program)
    let scalars = text.unicodeScalars
    var position = scalars.startIndex
    threads.add(0, isStart: true, isEnd: position == scalars.endIndex)
    while position < scalars.endIndex {
      if threads.hasAccepted, !isWhole { return true }
      if threads.isEmpty, isWhole { return false }
      let scalar = scalars[position]
      scalars.formIndex(after: &position)
      let isEnd = position == scalars.endIndex
      threads.advance(over: scalar, isEnd: isEnd)
      if !isWhole { threads.add(0, isStart: false, isEnd: isEnd) }
    }
    return threads.hasAccepted
  }
}

extension JSONPath.RegularExpression {
  /// The instructions that the program has reached before the next scalar.
  private struct Threads {
    let program: [Instruction]
    var places: [Int] = []
    var isListed: [Bool]
    var hasAccepted = false

    var isEmpty: Bool { places.isEmpty }

    init(program: [Instruction]) {
      self.program = program
      isListed = Array(repeating: false, count: program.count)
    }

    mutating func add(_ place: Int, isStart: Bool, isEnd: Bool) {
      var pending = [place]
      while let place = pending.popLast() {
        guard !isListed[place] else { continue }
        isListed[place] = true
        switch program[place] {
        case .consume: places.append(place)
        case .split(let first, let second): pending += [second, first]
        case .jump(let target): pending.append(target)
        case .atStart: if isStart { pending.append(place + 1) }
        case .atEnd: if isEnd { pending.append(place + 1) }
        case .accept: hasAccepted = true
        }
      }
    }

    mutating func advance(over scalar: Unicode.Scalar, isEnd: Bool) {
      let current = places
      places.removeAll(keepingCapacity: true)
      for place in isListed.indices { isListed[place] = false }
      hasAccepted = false
      for place in current {
        guard case .consume(let set) = program[place], set.contains(scalar) else { continue }
        add(place + 1, isStart: false, isEnd: isEnd)
      }
    }
  }
}

extension JSONPath.RegularExpression {
  /// A regular expression as a tree.
  indirect enum Tree {
    case set(ScalarSet)
    case start
    case end
    case sequence([Tree])
    case alternatives([Tree])
    /// A tree, and the minimum and maximum number of its repetitions.
    ///
    /// A maximum of `nil` means that the number is not limited.
    case repetition(Tree, Int, Int?)
  }

  /// A compiler from a tree to a program (Thompson's construction).
  struct Compiler {
    /// The maximum number of instructions in a program.
    ///
    /// The limit excludes expressions such as `(a{999}){999}`, whose repetitions are unrolled.
    static let maximumProgramSize = 10_000

    private(set) var program: [Instruction] = []

    mutating func append(_ instruction: Instruction) -> Bool {
      guard program.count < Self.maximumProgramSize else { return false }
      program.append(instruction)
      return true
    }

    /// Appends the instructions for a tree.
    ///
    /// - Returns: `false` if the program becomes too large.
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
        // A tree without instructions, such as the one of `()`, is not repeated.
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
