import ActionLog

/// The identity of an effect across sequences and orders of actions: its kind, and the child features around it.
///
/// In a log, an effect is identified by its action's number and an index. In another state, the same action may return
/// a different effect with the same index.
package struct EffectIdentity: Hashable, Sendable {
  /// The name of the effect, or else its source location or the type of its cancellation ID.
  package let kind: String
  /// The presentation paths of the child features around the effect, outermost first.
  package private(set) var places: [String] = []
  /// The IDs of the elements among these child features, outermost first.
  package private(set) var elements: [JSON] = []
  private let name: String?

  /// Creates the identity of a leaf.
  ///
  /// - Parameters:
  ///   - leaf: The description of the effect.
  ///   - path: The navigation path of the innermost feature that contains the effect.
  fileprivate init(_ leaf: EffectDescription, _ path: [JSON]) {
    name = leaf.name
    kind = leaf.name ?? leaf.source ?? leaf.cancelID?.type ?? ""
    for step in path {
      places.append(step["place"].map { "\($0)" } ?? "")
      guard let id = step["id"] else { continue }
      // An enum case is part of the path. Only elements are distinguished by their IDs.
      if let name = id["case"]?.string { places.append(name) } else { elements.append(id) }
    }
  }
}

extension EffectIdentity {
  /// Returns whether two identities may refer to the same effect.
  ///
  /// Properties that only one of the identities has are ignored. The source location is ignored too, because it changes
  /// between versions.
  package func isLike(_ other: Self) -> Bool {
    func agree<Value: Equatable>(_ first: Value?, _ second: Value?) -> Bool {
      first == nil || second == nil || first == second
    }
    func agree<Value: Equatable>(_ first: [Value], _ second: [Value]) -> Bool {
      first.isEmpty || second.isEmpty || first == second
    }
    return agree(name, other.name) && agree(places, other.places)
      && agree(elements, other.elements)
  }
}

extension [EffectDescription] {
  /// The effects in these descriptions that have an ID in the log, with their identities.
  package var identities: [(leaf: EffectDescription, identity: EffectIdentity)] {
    var found: [(leaf: EffectDescription, identity: EffectIdentity)] = []
    for effect in self { effect.collect(&found, []) }
    return found
  }
}

extension EffectDescription {
  fileprivate func collect(
    _ found: inout [(leaf: EffectDescription, identity: EffectIdentity)],
    _ outer: [JSON]
  ) {
    let own = operation == .cancel ? [] : cancelID?.path ?? []
    let path = own.count > outer.count ? own : outer
    if id != nil { found.append((self, EffectIdentity(self, path))) }
    for effect in effects { effect.collect(&found, path) }
  }
}
