// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture

extension IdentifiedArray: @retroactive LogValue {
  /// Writes the elements as a JSON array.
  public func encode(to encoder: inout LogEncoder) { encoder.value(elements) }

  /// Reads a JSON array.
  ///
  /// Two elements with the same id are an error.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    guard var array = template ?? (Self.self as? any IdentifiableElementArray.Type)?.empty as? Self
    else {
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

  /// Compares the elements directly.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.value(old.elements, new.elements)
  }

  /// Reports the type of the elements.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Element.self) }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

/// An array whose element type determines the ids, for code that does not see this statically.
private protocol IdentifiableElementArray {
  static var empty: Any { get }
}

extension IdentifiedArray: IdentifiableElementArray where Element: Identifiable, ID == Element.ID {
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

  /// Reports the types of ids and actions.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(ID.self)
    type.contains(Action.self)
  }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}
