/// New numbers for the cancellation ids in descriptions: the first id with a text gets 1, the next one 2, and so on.
struct CancelIDNumbers {
  private struct Name<Text: Hashable>: Hashable {
    let text: Text
    let number: Int
  }

  private var ids: [Name<CancelIDTable.IDText>: Int] = [:]
  private var elements: [Name<JSON>: Int] = [:]
  /// How many ids and elements of paths with a text there are.
  private var idCounts: [CancelIDTable.IDText: Int] = [:]
  private var elementCounts: [JSON: Int] = [:]

  /// The numbers for the ids of effects, in the order in which they are listed.
  init(of effects: [EffectDescription]) {
    for id in effects.flatMap(\.flattened).compactMap(\.cancelID) {
      Self.add(id.idText, id.number, &ids, &idCounts)
      for element in id.path {
        Self.add(element.unnumberedElement, element.elementNumber, &elements, &elementCounts)
      }
    }
  }

  private static func add<Text: Hashable>(
    _ text: Text,
    _ number: Int,
    _ numbers: inout [Name<Text>: Int],
    _ counts: inout [Text: Int]
  ) {
    let name = Name(text: text, number: number)
    guard numbers[name] == nil else { return }
    counts[text, default: 0] += 1
    numbers[name] = counts[text]
  }

  /// The description with the new numbers.
  func renumbered(_ effect: EffectDescription) -> EffectDescription {
    var effect = effect
    effect.cancelID = effect.cancelID.map { renumbered($0) }
    effect.effects = effect.effects.map { renumbered($0) }
    return effect
  }

  private func renumbered(_ id: EffectDescription.CancelID) -> EffectDescription.CancelID {
    var id = id
    if let number = ids[Name(text: id.idText, number: id.number)] {
      id.number = number
      id.value = id.value.numbered(number)
    }
    id.path = id.path.map { element in
      elements[Name(text: element.unnumberedElement, number: element.elementNumber)]
        .map { element.numberedElement($0) } ?? element
    }
    return id
  }
}
