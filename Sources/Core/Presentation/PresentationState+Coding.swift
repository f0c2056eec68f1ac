extension PresentationState: Encodable where State: Encodable {
  /// Writes the presented state or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

extension PresentationState: Decodable where State: Decodable {
  /// Reads a state or `null`.
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try decoder.singleValueContainer().decode(State?.self))
  }
}

extension PresentationState: LogValue {
  /// Writes the presented state or `null`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(wrappedValue)
  }

  /// Reads a state or `null`.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    Self(wrappedValue: try decoder.value(State?.self, over: template.map(\.wrappedValue)))
  }

  /// Reads a state or `null`.
  public static func _$read(from text: inout LogText) throws -> Self {
    Self(wrappedValue: try text.value(State?.self))
  }

  /// Compares the presented states in step; copies that nobody has changed are not looked at.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    guard !(old.isCopy(of: new) && patch.isPlain(State.self)) else { return }
    patch.value(old.wrappedValue, new.wrappedValue)
  }

  /// Names the type of the presented state.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayBeNull()
    type.contains(State.self)
  }

  /// The encoder's own forms are well-formed.
  public static var _$isWellFormed: Bool { true }
}

extension PresentationState: CustomReflectable {
  /// The mirror of the presented state.
  public var customMirror: Mirror {
    Mirror(reflecting: wrappedValue as Any)
  }
}
