// Only the adapter can make types of the library loggable.
// swift-format-ignore-file: AvoidRetroactiveConformances

public import ActionLog
public import ComposableArchitecture

extension Shared: @retroactive LogValue {
  /// Writes the value.
  public func encode(to encoder: inout LogEncoder) {
    if let keys = SharedKeyCollector.current {
      keys.note(self)
      return encoder.encodeNull()
    }
    guard let marking = SharedValueCollector.current else {
      SharedWriteCounter.increment()
      return encoder.value(wrappedValue)
    }
    guard let mark = marking.mark(self) else { return encoder.value(wrappedValue) }
    encoder.beginObject()
    encoder.member(SharedValuePaths.mark, mark)
    encoder.member("value", wrappedValue)
    encoder.endObject()
  }

  /// Reads a value.
  ///
  /// The value is stored in the reference of the template, in a new reference, or in one that other paths share.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    guard let linking = SharedReferenceLinker.current,
      let mark = SharedValuePaths.marked(decoder.json)
    else {
      return try read(decoder, over: template)
    }
    if let shared = linking.shared(at: mark.index) as? Self { return shared }
    let shared = try read(LogDecoder(mark.value), over: template)
    linking.note(shared, at: mark.index, isPlaced: template != nil)
    return shared
  }

  private static func read(_ decoder: LogDecoder, over template: Self?) throws -> Self {
    guard let template else {
      nonisolated(unsafe) let value = try decoder.value(Value.self)
      return Shared(value: value)
    }
    nonisolated(unsafe) let value = try decoder.value(Value.self, over: template.wrappedValue)
    template.withLock { $0 = value }
    return template
  }

  /// Reports the type of the shared value.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayHoldReferences()
    type.mayBeNull()
    type.contains(Value.self)
  }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension SharedReader: @retroactive LogValue {
  /// Writes the value.
  public func encode(to encoder: inout LogEncoder) {
    guard let keys = SharedKeyCollector.current else { return encoder.value(wrappedValue) }
    keys.note(self)
    encoder.encodeNull()
  }

  /// Reads a value into a new reference, because a reader cannot be written to.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    nonisolated(unsafe) let value = try decoder.value(
      Value.self,
      over: template.map(\.wrappedValue)
    )
    return SharedReader(value: value)
  }

  /// Reports the type of the shared value.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayHoldReferences()
    type.mayBeNull()
    type.contains(Value.self)
  }

  /// Always `true`, because the encoder writes well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}
