// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture

extension IdentifiedArray: @retroactive LogValue {
  /// Writes a JSON array of the elements.
  public func encode(to encoder: inout LogEncoder) { encoder.value(elements) }

  /// Reads a JSON array; ids are those of the elements, so two with one id are an error.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    guard var array = template ?? (Self.self as? any SelfIdentifying.Type)?.empty as? Self else {
      throw decoder.error(.notDecodable, type: Self.self)
    }
    array.removeAll()
    for element in try decoder.value([Element].self) where !array.append(element).inserted {
      throw decoder.error(
        .mismatch(expected: "elements whose ids differ", found: decoder.json),
        type: Self.self
      )
    }
    return array
  }

  /// Compares the elements in step.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.value(old.elements, new.elements)
  }

  /// Names the type of the elements.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Element.self) }

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

/// An array that knows the ids of its elements by their type, where the code at hand does not see that.
private protocol SelfIdentifying {
  static var empty: Any { get }
}

extension IdentifiedArray: SelfIdentifying where Element: Identifiable, ID == Element.ID {
  fileprivate static var empty: Any { Self() }
}

extension IdentifiedAction: @retroactive LogValue {
  /// Writes the element's id and action.
  public func encode(to encoder: inout LogEncoder) {
    guard case .element(let id, let action) = self else { return encoder.encodeNull() }
    encoder.writeCase("element") {
      $0.member("id", id)
      $0.member("action", action)
    }
  }

  /// Reads the element's id and action.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let (name, payload) = try decoder.enumCase(of: Self.self)
    guard name == "element" else { throw decoder.error(.unknownCase(name), type: Self.self) }
    let members = try payload.members(of: Self.self)
    defer { members.finish() }
    return .element(id: try members.value("id"), action: try members.value("action"))
  }

  /// Names the types of ids and actions.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(ID.self)
    type.contains(Action.self)
  }

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}
