public import ActionLog

/// Text that a state holds for a view to show.
///
/// ```swift
/// TextState("Delete ") + TextState(verbatim: name)
/// ```
public struct TextState: Hashable, Sendable {
  private let text: String

  /// Text as it is.
  public init(verbatim text: String) {
    self.text = text
  }

  /// Text.
  public init(_ text: some StringProtocol) {
    self.text = String(text)
  }

  /// One text behind another.
  public static func + (lhs: TextState, rhs: TextState) -> TextState {
    TextState(verbatim: lhs.text + rhs.text)
  }
}

extension TextState: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

extension String {
  /// The text that a state holds.
  public init(state: TextState) {
    self = state.description
  }
}

extension TextState: LogValue {
  /// Writes the text.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(text)
  }

  /// Reads a text.
  public static func decode(from decoder: LogDecoder, over _: TextState?) throws -> TextState {
    TextState(verbatim: try decoder.value(String.self))
  }

  /// Replaces one text by another.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    String.difference(from: old.text, to: new.text, into: &patch)
  }

  /// Names the type of the text.
  public static func survey(_ type: inout LogTypeSurvey) { type.contains(String.self) }
}
