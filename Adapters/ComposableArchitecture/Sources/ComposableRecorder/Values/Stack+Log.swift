// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
@_spi(Internals) public import ComposableArchitecture

extension StackElementID: @retroactive LogValue {
  /// Writes the number.
  public func encode(to encoder: inout LogEncoder) { encoder.value(generation) }

  /// Reads a number.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    StackElementID(generation: try decoder.value(Int.self))
  }

  /// Replaces one id by another.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }

  /// Reports no contained types.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension StackState: @retroactive LogValue {
  /// Writes the elements with their ids: `[{"id":0,"element":...}]`.
  public func encode(to encoder: inout LogEncoder) { encoder.value(entries) }

  /// Reads elements with their ids.
  ///
  /// Two elements with the same id are an error.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    let elements = StackTemplate { id in template?[id: id] }
    let entries = try PresentedParts.count(nothing: decoder.json.array?.isEmpty ?? true) {
      try StackTemplate.$current.withValue(elements) {
        try decoder.elements(of: StackEntry<Element>.self)
      }
    }
    // The elements of a template keep their presentations.
    var stack = template ?? Self()
    stack.removeAll()
    for entry in entries {
      guard !stack.ids.contains(entry.id) else {
        throw decoder.error(
          .mismatch(expected: "elements whose ids differ", found: decoder.json),
          type: Self.self
        )
      }
      // Only an appended element can be new, so it gets its recorded id.
      _ = StackElements.counting(from: entry.id.generation) { stack.append(entry.element) }
    }
    return stack
  }

  /// Compares the elements directly.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.value(old.entries, new.entries)
  }

  /// Reports the type of the elements.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(Element.self) }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }

  private var entries: [StackEntry<Element>] {
    zip(ids, self).map { StackEntry(id: $0, element: $1) }
  }
}

/// The elements that provide default values for missing members of a stack's elements.
///
/// A task-local value is the only access to the entries, because their type is fixed. It must be `Sendable`, but the
/// elements are not. This is safe: the value is bound while one stack is read, on the same thread and without tasks
/// that could inherit it.
private struct StackTemplate: @unchecked Sendable {
  @TaskLocal static var current: StackTemplate?

  /// Returns the element with an id.
  let element: (StackElementID) -> Any?

  init(_ element: @escaping (StackElementID) -> Any?) { self.element = element }
}

private struct StackEntry<Element>: LogValue {
  let id: StackElementID
  let element: Element

  func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.member("id", id)
    encoder.member("element", element)
    encoder.endObject()
  }

  static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let members = try decoder.members(of: Self.self)
    defer { members.finish() }
    let id = try members.value("id", StackElementID.self)
    let template = StackTemplate.current?.element(id) as? Element
    return Self(id: id, element: try members.value("element", over: template))
  }

  static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.member("id", old.id, new.id)
    patch.member("element", old.element, new.element)
  }

  static func survey(_ type: inout LogTypeSurvey) { type.contains(Element.self) }
  static var _$isWellFormed: Bool { true }
}

extension StackAction: @retroactive LogValue {
  /// Writes the stack action.
  public func encode(to encoder: inout LogEncoder) {
    switch self {
    case .element(let id, let action):
      encoder.writeCase("element") {
        $0.member("id", id)
        $0.member("action", action)
      }
    case .popFrom(let id): encoder.writeCase("popFrom") { $0.member("id", id) }
    case .push(let id, let state):
      encoder.writeCase("push") {
        $0.member("id", id)
        $0.member("state", state)
      }
    }
  }

  /// Reads the stack action.
  public static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
    let (name, payload) = try decoder.enumCase(of: Self.self)
    let members = try payload.members(of: Self.self)
    defer { members.finish() }
    let id = try members.value("id", StackElementID.self)
    switch name {
    case "element": return .element(id: id, action: try members.value("action"))
    case "popFrom": return .popFrom(id: id)
    case "push": return .push(id: id, state: try members.value("state"))
    default: throw decoder.error(.unknownCase(name), type: Self.self)
    }
  }

  /// Reports the types of states and actions.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(State.self)
    type.contains(Action.self)
  }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}
