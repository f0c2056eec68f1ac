/// Which members of which types are masked: the patterns for a state, followed through its types.
///
/// A binding names a property and its type, and does not say where in the state the value stands. A member is masked as soon as
/// it is at one of the places where values of its type can stand.
struct MaskedMembers: Sendable {
  /// What the patterns say of values of a type, once for each of the places that they have.
  private var places: [ObjectIdentifier: [MemberMask]] = [:]

  private struct MemberMask: Sendable {
    let match: MaskMatch
    /// Whether it lies in a place that is masked as a whole.
    let isCovered: Bool

    func isSame(as other: MemberMask) -> Bool {
      isCovered == other.isCovered && match.isSame(as: other.match)
    }
  }

  /// Follows patterns through the types of a state.
  init(_ patterns: [MaskPath], in state: Any.Type) {
    guard !patterns.isEmpty else { return }
    visit(state, MaskMatch(patterns), isCovered: false)
  }

  private mutating func visit(_ type: Any.Type, _ match: MaskMatch, isCovered: Bool) {
    let place = MemberMask(match: match, isCovered: isCovered || !match.complete.isEmpty)
    guard place.isCovered || !match.isEmpty else { return }
    let id = ObjectIdentifier(type)
    // A type that contains itself comes to the same places again.
    guard places[id]?.contains(where: { $0.isSame(as: place) }) != true else { return }
    places[id, default: []].append(place)
    if let type = type as? any LogMembers.Type {
      visitMembers(of: type, place)
    } else if let type = type as? any LogValue.Type {
      for part in LogTypeSurvey(listingPartsOf: type).parts ?? [] {
        for steps in part.steps.map({ $0...$0 }) ?? Self.unknownSteps {
          let match = (0..<steps).reduce(match) { match, _ in match.stepAnywhere() }
          visit(part.type, match, isCovered: place.isCovered)
        }
      }
    }
  }

  /// How many names may lead to a part of a type whose survey is written by hand.
  private static let unknownSteps = 0...1

  private mutating func visitMembers<Root: LogMembers>(of _: Root.Type, _ place: MemberMask) {
    for member in Root._$logMembers {
      visit(
        type(of: member.keyPath).valueType,
        place.match.descend(member.name),
        isCovered: place.isCovered
      )
    }
  }

  /// What is masked of a member of a type: patterns below the member; the empty one is for all of it.
  func patterns(below names: [String], of root: Any.Type) -> [MaskPath] {
    var patterns: [MaskPath] = []
    for place in places[ObjectIdentifier(root)] ?? [] {
      var match = place.match
      var isCovered = place.isCovered
      for name in names where !isCovered {
        match = match.descend(name)
        isCovered = !match.complete.isEmpty
      }
      if isCovered { return [MaskPath([])] }
      for rest in match.rests where !patterns.contains(rest) { patterns.append(rest) }
    }
    return patterns
  }
}
