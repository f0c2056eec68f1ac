extension JSONPath.RegularExpression {
  /// A recursive-descent parser for the grammar of RFC 9485, section 3.
  ///
  /// Its functions return `nil` for invalid text.
  struct Parser {
    /// The maximum nesting of groups, because each level uses stack space.
    static let deepestNesting = 100

    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0

    init(_ text: String) { scalars = Array(text.unicodeScalars) }
  }
}

extension JSONPath.RegularExpression.Parser {
  typealias Tree = JSONPath.RegularExpression.Tree
  typealias ScalarSet = JSONPath.RegularExpression.ScalarSet

  mutating func wholeExpression() -> Tree? {
    guard let tree = expression(), position == scalars.count else { return nil }
    return tree
  }

  private mutating func expression() -> Tree? {
    var branches: [Tree] = []
    repeat {
      var pieces: [Tree] = []
      while let next = peek, next != "|", next != ")" {
        guard let piece = piece() else { return nil }
        pieces.append(piece)
      }
      branches.append(.sequence(pieces))
    } while consume("|")
    return branches.count == 1 ? branches[0] : .alternatives(branches)
  }

  private mutating func piece() -> Tree? {
    guard let atom = atom() else { return nil }
    switch peek {
    case "*": return repetition(atom, 0, nil)
    case "+": return repetition(atom, 1, nil)
    case "?": return repetition(atom, 0, 1)
    case "{": return range(of: atom)
    default: return atom
    }
  }

  private mutating func repetition(_ atom: Tree, _ least: Int, _ most: Int?) -> Tree {
    position += 1
    return .repetition(atom, least, most)
  }

  /// Parses a repetition of `atom`: `{n}`, `{n,}`, or `{n,m}`.
  private mutating func range(of atom: Tree) -> Tree? {
    position += 1
    guard let least = count() else { return nil }
    var most: Int? = least
    if consume(",") {
      most = nil
      if peek != "}" {
        guard let bound = count(), bound >= least else { return nil }
        most = bound
      }
    }
    return consume("}") ? .repetition(atom, least, most) : nil
  }

  private mutating func count() -> Int? {
    let start = position
    while let next = peek, ("0"..."9").contains(next) { position += 1 }
    var digits = ""
    digits.unicodeScalars.append(contentsOf: scalars[start..<position])
    guard let count = Int(digits), count <= JSONPath.RegularExpression.Compiler.maximumProgramSize
    else { return nil }
    return count
  }

  private mutating func atom() -> Tree? {
    guard let next = peek else { return nil }
    position += 1
    switch next {
    case "(":
      guard depth < Self.deepestNesting else { return nil }
      depth += 1
      defer { depth -= 1 }
      guard let group = expression(), consume(")") else { return nil }
      return group
    case "[": return characterClass().map(Tree.set)
    case "\\": return escape().map(Tree.set)
    case ".": return .set(.anyInLine)
    case "^": return .start
    case "$": return .end
    case ")", "*", "+", "?", "]", "{", "|", "}": return nil
    default: return .set(ScalarSet(next))
    }
  }
}

extension JSONPath.RegularExpression.Parser {
  /// Parses a category or a single scalar after a backslash.
  private mutating func escape() -> ScalarSet? {
    guard let next = peek else { return nil }
    position += 1
    switch next {
    case "p", "P":
      guard consume("{") else { return nil }
      let start = position
      while let next = peek, next != "}" { position += 1 }
      var name = ""
      name.unicodeScalars.append(contentsOf: scalars[start..<position])
      guard consume("}") else { return nil }
      return ScalarSet(category: name, isComplement: next == "P")
    case "n": return ScalarSet("\n")
    case "r": return ScalarSet("\r")
    case "t": return ScalarSet("\t")
    case "("..."+", "-", ".", "?", "["..."^", "{"..."}": return ScalarSet(next)
    default: return nil
    }
  }

  /// Parses a character class after its opening bracket.
  private mutating func characterClass() -> ScalarSet? {
    var set = ScalarSet()
    set.isNegated = consume("^")
    var isFirst = true
    while let next = peek, next != "]" || isFirst {
      position += 1
      if next == "-" {
        // A literal hyphen is allowed only at the start or end of a class.
        guard isFirst || peek == "]" else { return nil }
        set.insert(ScalarSet("-"))
      } else {
        guard let item = classItem(next) else { return nil }
        if peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
          guard let lower = item.onlyScalar else { return nil }
          position += 1
          guard let bound = peek else { return nil }
          position += 1
          guard let upper = classItem(bound)?.onlyScalar, lower <= upper else { return nil }
          set.insert(ScalarSet(lower...upper))
        } else {
          set.insert(item)
        }
      }
      isFirst = false
    }
    return consume("]") ? set : nil
  }

  private mutating func classItem(_ scalar: Unicode.Scalar) -> ScalarSet? {
    switch scalar {
    case "\\": escape()
    case "[", "]", "-": nil
    default: ScalarSet(scalar)
    }
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }
}

extension JSONPath.RegularExpression {
  /// A set of Unicode scalars, defined by ranges and general categories, or the complement of such a set.
  struct ScalarSet: Sendable, Hashable {
    var isNegated = false
    private var ranges: [ClosedRange<Unicode.Scalar>] = []
    private var categories: [Category] = []

    private struct Category: Sendable, Hashable {
      let name: String
      let isComplement: Bool
    }

    init() {}

    init(_ scalar: Unicode.Scalar) { ranges = [scalar...scalar] }

    init(_ range: ClosedRange<Unicode.Scalar>) { ranges = [range] }

    /// Creates the set of a general category, such as `L` or `Lu`, or its complement.
    ///
    /// Returns `nil` if RFC 9485 doesn't define the category.
    init?(category name: String, isComplement: Bool) {
      guard Self.categoryNames.contains(name) else { return nil }
      categories = [Category(name: name, isComplement: isComplement)]
    }

    /// The scalars that `.` matches: all except line feed and carriage return.
    static let anyInLine: ScalarSet = {
      var set = ScalarSet()
      set.isNegated = true
      set.ranges = ["\n"..."\n", "\r"..."\r"]
      return set
    }()
  }
}

extension JSONPath.RegularExpression.ScalarSet {
  /// The scalar, if the set has exactly one.
  var onlyScalar: Unicode.Scalar? {
    guard !isNegated, categories.isEmpty, ranges.count == 1 else { return nil }
    return ranges[0].lowerBound == ranges[0].upperBound ? ranges[0].lowerBound : nil
  }

  mutating func insert(_ other: Self) {
    ranges += other.ranges
    categories += other.categories
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isListed =
      ranges.contains { $0.contains(scalar) }
      || categories.contains { category in
        let name = Self.name(of: scalar.properties.generalCategory)
        return name.hasPrefix(category.name) != category.isComplement
      }
    return isListed != isNegated
  }

  /// The general categories of RFC 9485, which omits surrogates because they are not scalars.
  private static let categoryNames: Set<String> = {
    let minors = [
      "L": "lmotu", "M": "cen", "N": "dlo", "P": "cdefios", "Z": "lps", "S": "ckmo", "C": "cfno",
    ]
    return Set(minors.flatMap { major, minors in [major] + minors.map { major + String($0) } })
  }()

  private static func name(of category: Unicode.GeneralCategory) -> String {
    switch category {
    case .uppercaseLetter: "Lu"
    case .lowercaseLetter: "Ll"
    case .titlecaseLetter: "Lt"
    case .modifierLetter: "Lm"
    case .otherLetter: "Lo"
    case .nonspacingMark: "Mn"
    case .spacingMark: "Mc"
    case .enclosingMark: "Me"
    case .decimalNumber: "Nd"
    case .letterNumber: "Nl"
    case .otherNumber: "No"
    case .connectorPunctuation: "Pc"
    case .dashPunctuation: "Pd"
    case .openPunctuation: "Ps"
    case .closePunctuation: "Pe"
    case .initialPunctuation: "Pi"
    case .finalPunctuation: "Pf"
    case .otherPunctuation: "Po"
    case .mathSymbol: "Sm"
    case .currencySymbol: "Sc"
    case .modifierSymbol: "Sk"
    case .otherSymbol: "So"
    case .spaceSeparator: "Zs"
    case .lineSeparator: "Zl"
    case .paragraphSeparator: "Zp"
    case .control: "Cc"
    case .format: "Cf"
    case .surrogate: "Cs"
    case .privateUse: "Co"
    case .unassigned: "Cn"
    @unknown default: "Cn"
    }
  }
}
