/// The masked members of types, found by following the patterns through the types in a state.
///
/// A binding names a property and its type, but not the value's path in the state. Therefore, a member is masked if it
/// is masked at any path where values of its type can occur.
struct MaskedMembers: Sendable {
  /// The matches of the patterns for each type, one for each path at which the type occurs.
  private var places: [ObjectIdentifier: [MemberMask]] = [:]

  private struct MemberMask: Sendable {
    let match: MaskPathMatcher
    /// Whether the path lies within a masked value.
    let isCovered: Bool

    func isSame(as other: MemberMask) -> Bool {
      isCovered == other.isCovered && match.isSame(as: other.match)
    }
  }

  /// Finds the masked members by following patterns through the types in a state.
  init(_ patterns: [MaskPath], in state: Any.Type) {
    guard !patterns.isEmpty else { return }
    visit(state, MaskPathMatcher(patterns), isCovered: false)
  }

  private mutating func visit(_ type: Any.Type, _ match: MaskPathMatcher, isCovered: Bool) {
    let place = MemberMask(match: match, isCovered: isCovered || !match.complete.isEmpty)
    guard place.isCovered || !match.isEmpty else { return }
    let id = ObjectIdentifier(type)
    // A recursive type leads to the same matches again, so the search stops here.
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

  /// The possible numbers of tokens on the path to a part of a type whose survey was written by hand.
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

  /// Returns the patterns for the parts of a member.
  ///
  /// An empty pattern covers the complete member.
  ///
  /// - Parameters:
  ///   - names: The names that lead from `root` to the member.
  ///   - root: The type in which the names start.
  /// - Returns: The patterns, relative to the member.
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
