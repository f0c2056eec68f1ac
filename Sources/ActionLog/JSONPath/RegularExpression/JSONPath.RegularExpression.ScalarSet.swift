extension JSONPath.RegularExpression {
  /// A set of Unicode scalars: ranges, general categories, or all but these.
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

    /// The scalars of a general category (`L`, `Lu`), or all but these; `nil` when RFC 9485 knows no such category.
    init?(category name: String, isComplement: Bool) {
      guard Self.categoryNames.contains(name) else { return nil }
      categories = [Category(name: name, isComplement: isComplement)]
    }

    /// What `.` matches: all but the ends of a line.
    static let anyInLine: ScalarSet = {
      var set = ScalarSet()
      set.isNegated = true
      set.ranges = ["\n"..."\n", "\r"..."\r"]
      return set
    }()
  }
}

extension JSONPath.RegularExpression.ScalarSet {
  /// The scalar, when there is only one.
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

  /// The categories of RFC 9485 (surrogates are no scalars).
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
