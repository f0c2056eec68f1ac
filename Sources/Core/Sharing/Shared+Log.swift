extension Shared: LogValue {
  /// Encodes the current value.
  public func encode(to encoder: inout LogEncoder) {
    reference.encode(to: &encoder)
  }

  /// Adds the difference between the last recorded value and the current value to a patch.
  ///
  /// A value that hasn't been written since then is skipped.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.referenced(
      old.reference.current,
      stamp: new.reference.stamp,
      of: ObjectIdentifier(new.reference.root),
      new.reference.current
    )
  }

  /// Adds the type of the shared value to a survey of log types.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayHoldReferences()
    type.mayBeNull()
    type.contains(Value.self, below: 0)
  }

  /// Whether the encoded JSON is always well-formed, which is `true` because the value encodes itself.
  public static var _$isWellFormed: Bool { true }

  /// Decodes a value and stores it in the reference of the template, or in a new reference if there is no template.
  ///
  /// If the value is marked as the same shared value as at another path, both paths get the same reference.
  public static func decode(from decoder: LogDecoder, over template: Shared?) throws -> Shared {
    guard let mark = decoder.sharedMark else { return try decode(decoder, over: template) }
    if let reference = mark.linking.reference(at: mark.index) as? any WritableReference<Value> {
      return Shared(reference)
    }
    let shared = try decode(mark.value, over: template)
    mark.linking.register(shared.reference, at: mark.index)
    return shared
  }

  private static func decode(_ decoder: LogDecoder, over template: Shared?) throws -> Shared {
    guard let template else {
      nonisolated(unsafe) let value = try decoder.value(Value.self)
      return Shared(value: value)
    }
    let value = try decoder.value(Value.self, over: template.reference.current)
    template.withLock { $0 = value }
    return template
  }
}

extension SharedReader: LogValue {
  /// Encodes the current value.
  public func encode(to encoder: inout LogEncoder) {
    reference.encode(to: &encoder)
  }

  /// Adds the difference between the last recorded value and the current value to a patch.
  ///
  /// A value that hasn't been written since then is skipped.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    patch.referenced(
      old.reference.current,
      stamp: new.reference.stamp,
      of: ObjectIdentifier(new.reference.root),
      new.reference.current
    )
  }

  /// Adds the type of the shared value to a survey of log types.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.mayHoldReferences()
    type.mayBeNull()
    type.contains(Value.self, below: 0)
  }

  /// Whether the encoded JSON is always well-formed, which is `true` because the value encodes itself.
  public static var _$isWellFormed: Bool { true }

  /// Decodes a value and stores it in the reference of the template, or in a new reference if there is no template.
  ///
  /// If the value is marked as the same shared value as at another path, both paths get the same reference. A template
  /// that refers to a part of a shared value stays unchanged.
  public static func decode(
    from decoder: LogDecoder,
    over template: SharedReader?
  ) throws -> SharedReader {
    guard let mark = decoder.sharedMark else { return try decode(decoder, over: template) }
    if let reference = mark.linking.reference(at: mark.index) as? any ReadableReference<Value> {
      return SharedReader(reference)
    }
    let reader = try decode(mark.value, over: template)
    mark.linking.register(reader.reference, at: mark.index)
    return reader
  }

  private static func decode(
    _ decoder: LogDecoder,
    over template: SharedReader?
  ) throws -> SharedReader {
    guard let template else {
      nonisolated(unsafe) let value = try decoder.value(Value.self)
      return SharedReader(value: value)
    }
    let value = try decoder.value(Value.self, over: template.reference.current)
    guard let root = template.reference as? SharedRoot<Value> else { return template }
    root.replace(with: value)
    return template
  }
}

extension ReadableReference {
  fileprivate func encode(to encoder: inout LogEncoder) {
    guard let mark = SharedValueCollector.current?.mark(self) else {
      SharedWriteCounter.increment()
      return encoder.value(current)
    }
    encoder.beginObject()
    encoder.key(unescaped: "$shared")
    encoder.encode(mark)
    encoder.key("value")
    encoder.value(current)
    encoder.endObject()
  }
}

extension LogDecoder {
  /// The mark of a shared value and a decoder of the value; `nil` if the JSON isn't marked.
  fileprivate var sharedMark: (linking: SharedReferenceLinker, index: Int, value: LogDecoder)? {
    guard let linking = SharedReferenceLinker.current, let index = json["$shared"]?.int,
      let value = json["value"]
    else { return nil }
    return (linking, index, inside(value))
  }
}
