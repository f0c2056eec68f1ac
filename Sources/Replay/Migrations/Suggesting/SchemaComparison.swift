import ActionLog

/// A comparison of logged values with their type in the code, which finds the changes that convert the values.
///
/// An outline contains neither scalar types nor defaults. Each possible change is therefore tested: the code decodes
/// the changed values.
struct SchemaComparison {
  /// A function that applies changes to the logged values, decodes the results, and returns the first problem.
  typealias Probe = (_ changes: [SuggestedChange]) -> DecodingProblem?

  /// The reason why a value can't be decoded.
  struct DecodingProblem {
    let path: JSON.Pointer
    /// Whether the problem is that a member is missing at the path.
    let isMissing: Bool
    let message: String
  }

  private(set) var changes: [SuggestedChange] = []
  /// Descriptions of problems that a person must solve.
  private(set) var unclear: [String] = []
  /// Descriptions of choices that a person should verify.
  private(set) var choices: [String] = []
  private let probe: Probe

  /// Compares the shape of the logged values with their type.
  ///
  /// - Parameters:
  ///   - outline: The outline of the type.
  ///   - shape: The combined shape of the values.
  ///   - probe: A closure that decodes the values after some changes, and returns the first problem.
  init(_ outline: TypeOutline, _ shape: ObservedShape, probe: @escaping Probe) {
    self.probe = probe
    compare(outline, shape, at: JSON.Pointer())
    fillMissing()
    if let problem = probe(changes) {
      let place = problem.path.anyElement.description
      unclear.append("\(place.isEmpty ? "the value" : place): \(problem.message)")
    }
  }

  private mutating func compare(
    _ outline: TypeOutline,
    _ shape: ObservedShape,
    at place: JSON.Pointer
  ) {
    guard !shape.isEmpty else { return }
    switch outline {
    case .value, .choice: break
    case .members(let members):
      if shape.hasObjects {
        compare(members, shape, at: place)
      } else {
        wrap(members, at: place)
      }
    case .cases(let cases): compare(cases, shape, at: place)
    case .elements(let part):
      guard let element = shape.anyElement else { return }
      let place = place.appending("*")
      if let inner = element.stackElement(of: part) {
        compare(part, inner, at: place.appending("element"))
      } else {
        compare(part, element, at: place)
      }
    }
  }

  private mutating func compare(
    _ members: [TypeOutline.Member],
    _ shape: ObservedShape,
    at place: JSON.Pointer
  ) {
    let known = Set(members.map(\.name))
    let gone = shape.names.filter { !known.contains($0) }
    var new = members.filter { shape[$0.name] == nil }
    for member in members {
      guard let part = shape[member.name] else { continue }
      compare(member.outline, part, at: place.appending(member.name))
    }
    for name in gone {
      guard let part = shape[name] else { continue }
      let old = place.appending(name)
      let candidates = new.filter { part.fits($0.outline) }
      if let target = renamed(name, candidates.map(\.name), at: place),
        let member = candidates.first(where: { $0.name == target })
      {
        new.removeAll { $0.name == target }
        changes.append(.move(from: old, to: place.appending(target)))
        compare(member.outline, part, at: place.appending(target))
      } else if let member = new.first(where: { Self.holds(name, part, $0.outline) }) {
        // The value may have moved into a new object.
        let target = place.appending(member.name)
        let container = SuggestedChange.set([:], at: target)
        if !changes.contains(container) { changes.append(container) }
        changes.append(.move(from: old, to: target.appending(name)))
      } else {
        changes.append(.remove(old))
      }
    }
  }

  /// Returns whether a type has a member with this name that can store values of this shape.
  private static func holds(_ name: String, _ shape: ObservedShape, _ outline: TypeOutline) -> Bool
  {
    guard case .members(let members) = outline else { return false }
    return members.contains { $0.name == name && shape.fits($0.outline) }
  }

  private mutating func compare(
    _ cases: [TypeOutline.Case],
    _ shape: ObservedShape,
    at place: JSON.Pointer
  ) {
    guard shape.hasObjects else { return }
    let known = Set(cases.map(\.name))
    var new = cases.filter { shape[$0.name] == nil }
    for name in shape.names {
      guard let payload = shape[name] else { continue }
      if let same = cases.first(where: { $0.name == name }) {
        compare(same.payload, payload, at: place.appending(name))
        continue
      }
      guard !known.contains(name) else { continue }
      let candidates = new.filter { payload.fits($0.payload) }
      if let target = renamed(name, candidates.map(\.name), at: place),
        let found = candidates.first(where: { $0.name == target })
      {
        new.removeAll { $0.name == target }
        changes.append(.move(from: place.appending(name), to: place.appending(target)))
        compare(found.payload, payload, at: place.appending(target))
      } else {
        unclear.append(Wording.unknownCase(place.appending(name), among: new.map(\.name)))
      }
    }
  }

  /// Returns the new name of a member or case, or `nil` if the code can decode the values with none of the candidates.
  ///
  /// The candidates are tried in order of their similarity to the old name. A candidate without any similarity is tried
  /// only if there is no other one.
  private func renamed(_ name: String, _ candidates: [String], at place: JSON.Pointer) -> String? {
    let ranked = candidates.map { (name: $0, score: NameSimilarity.score(name, $0)) }
      .sorted { $0.score > $1.score }
    return ranked.first { candidate in
      guard candidate.score > 0 || candidates.count == 1 else { return false }
      let target = place.appending(candidate.name)
      let move = SuggestedChange.move(from: place.appending(name), to: target)
      guard let problem = probe(changes + [move]) else { return true }
      // A problem inside the value means that its type differs. Problems at other paths may have other causes.
      return !problem.path.anyElement.tokens.starts(with: target.tokens)
    }?
    .name
  }

  /// Wraps a scalar in an object with one member if the code expects an object.
  private mutating func wrap(_ members: [TypeOutline.Member], at place: JSON.Pointer) {
    for member in members {
      var tried = self
      tried.changes.append(.wrap(place, member: member.name))
      tried.fillMissing()
      let problem = probe(tried.changes)
      guard problem?.path.anyElement.tokens.starts(with: place.tokens) != true else { continue }
      let others = members.map(\.name).filter { $0 != member.name }
      if !others.isEmpty {
        tried.choices.append(Wording.wrapped(place, in: member.name, beside: others))
      }
      self = tried
      return
    }
  }

  /// The default values to try for a missing member, in this order, until the code can decode one.
  private static let defaults: [JSON] = [false, 0, "", [], [:], .null]
  /// The maximum number of missing members to add, which is more than one version usually adds.
  private static let mostMissing = 32

  /// Adds values for members that have no default in the code.
  private mutating func fillMissing() {
    for _ in 0..<Self.mostMissing {
      guard let problem = probe(changes), problem.isMissing else { return }
      let place = problem.path.anyElement
      let filled = Self.defaults.lazy.map { SuggestedChange.set($0, at: place) }
        .first { probe(changes + [$0])?.path != problem.path }
      guard let filled else { return }
      changes.append(filled)
      choices.append(Wording.filled(place))
    }
  }
}

/// A namespace for functions that measure the similarity of two names.
enum NameSimilarity {
  /// Returns a similarity between 0, for names that have nothing in common, and 1, for equal names.
  static func score(_ first: String, _ second: String) -> Double {
    let (old, new) = (words(first), words(second))
    let shared = Set(old).intersection(new).count
    let length = Double(max(first.count, second.count, 1))
    let letters = 1 - Double(SpellingSuggestion.distance(first, second)) / length
    return max(Double(shared) / Double(max(old.count, new.count, 1)), letters > 0.5 ? letters : 0)
  }

  /// Returns the words in a camel-case name.
  private static func words(_ name: String) -> [String] {
    var words: [String] = []
    for character in name {
      if character.isUppercase || words.isEmpty { words.append("") }
      words[words.count - 1].append(character.lowercased())
    }
    return words
  }
}
