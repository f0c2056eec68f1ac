/// Consecutive numbers for the cancellation ids in effect descriptions, and for the elements of their paths.
///
/// Ids with the same text are numbered 1, 2, … in order of appearance, and so are path elements.
struct CancelIDNumbers {
  private typealias ID = EffectDescription.CancelID

  private var ids = NumberedNames<ID.Name, ID.TypeAndValue>()
  private var elements = NumberedNames<NumberedName<JSON>, JSON>()

  /// Numbers the ids of `effects`, in the order of the list.
  init(of effects: [EffectDescription]) {
    for id in effects.flatMap(\.flattened).compactMap(\.cancelID) {
      _ = ids.name(of: id.name, id.text)
      for element in id.path.map(\.elementName) { _ = elements.name(of: element, element.text) }
    }
  }

  /// Returns the description with the new numbers in its cancellation ids.
  func renumbered(_ effect: EffectDescription) -> EffectDescription {
    var effect = effect
    effect.cancelID = effect.cancelID.map { renumbered($0) }
    effect.effects = effect.effects.map { renumbered($0) }
    return effect
  }

  private func renumbered(_ id: EffectDescription.CancelID) -> EffectDescription.CancelID {
    var id = id
    if let name = ids[id.name] { id.name = name }
    id.path = id.path.map { element in
      elements[element.elementName].map { JSON(element: $0) } ?? element
    }
    return id
  }
}
