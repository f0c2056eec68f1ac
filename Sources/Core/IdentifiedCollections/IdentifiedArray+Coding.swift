extension IdentifiedArray: Encodable where Element: Encodable {
  /// Encodes the elements in the format of an `Array`.
  ///
  /// The ids are encoded only as parts of the elements.
  public func encode(to encoder: any Encoder) throws {
    try elements.encode(to: encoder)
  }
}

extension IdentifiedArray: Decodable
where Element: Decodable & Identifiable, ID == Element.ID {
  /// Decodes the elements from the format of an `Array`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if two elements have the same id, or the error of an element.
  public init(from decoder: any Decoder) throws {
    self.init()
    for element in try [Element](from: decoder) where !append(element).inserted {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "There are two elements with the id \(element.id)."
        )
      )
    }
  }
}

extension IdentifiedArray: LogValue {
  /// Encodes the elements as a JSON array.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(elements)
  }

  /// Decodes the elements from a JSON array.
  ///
  /// The element of `template` with the same id, if any, serves as the template of a decoded element.
  ///
  /// - Throws: `LogDecodingError` if two elements have the same id, or the error of an element.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    if let template, let array = try inStep(decoder, with: template) { return array }
    guard var array = template ?? (Self.self as? any IdentifiableElementArray.Type)?.empty as? Self
    else {
      throw decoder.error(.notDecodable, type: Self.self)
    }
    array.removeAll()
    for element in try elements(decoder, over: template) where !array.append(element).inserted {
      throw decoder.error(
        .mismatch(expected: "elements whose ids differ", found: decoder.json),
        type: Self.self
      )
    }
    return array
  }

  /// Decodes an array whose ids are those of a template, in the same order, or returns `nil` if the ids differ.
  ///
  /// Only elements whose logged form has changed are decoded, each with the template's element at the same index as its
  /// template. The result is also `nil` if the number of elements has changed, or no parts of the template are reused.
  private static func inStep(_ decoder: LogDecoder, with template: Self) throws -> Self? {
    guard let earlier = decoder.earlier?.array, let elements = decoder.json.array,
      earlier.count == template.count, elements.count == earlier.count
    else { return nil }
    var (array, isInStep) = (template, true)
    let decode = decoder.elementDecoder(Element.self)
    try array.storage.changeRuns { run, start in
      for offset in run.indices
      where isInStep && earlier[start + offset] != elements[start + offset] {
        let index = start + offset
        let element = try decode(index, earlier[index], run[offset])
        isInStep = template.identify(element) == template.ids[index]
        run[offset] = element
      }
    }
    return isInStep ? array : nil
  }

  private static func elements(_ decoder: LogDecoder, over template: Self?) throws -> [Element] {
    let earlier = decoder.earlier?.array
    // Elements without references need templates only if unchanged parts of the templates are reused. Otherwise, the
    // log determines the elements completely.
    guard let template, !template.isEmpty,
      earlier != nil || !TypeCapabilities.of(Element.self).isPlain
    else { return try decoder.value([Element].self) }
    func index(of element: JSON) -> Int? {
      element["id"].flatMap { try? LogDecoder($0).value(ID.self) }
        .flatMap { template.index(id: $0) }
    }
    return try decoder.elements { element in
      guard let earlier, earlier.count == template.count else { return nil }
      return index(of: element).map { earlier[$0] }
    } _: { decoder in
      try decoder.value(Element.self, over: index(of: decoder.json).map { template[$0] })
    }
  }

  /// Decodes the elements from a JSON array, directly from the text of a log.
  ///
  /// - Throws: `LogText.UnexpectedFormat` if two elements have the same id, or if decoding requires a JSON tree.
  public static func _$read(from text: inout LogText) throws -> Self {
    guard var array = (Self.self as? any IdentifiableElementArray.Type)?.empty as? Self else {
      throw LogText.UnexpectedFormat()
    }
    for element in try text.value([Element].self) where !array.append(element).inserted {
      throw LogText.UnexpectedFormat()
    }
    return array
  }

  /// Adds the differences between the elements of two arrays to a patch.
  ///
  /// In the chunks that both arrays share at the start and at the end, only elements with references are compared, if a
  /// value behind such a reference was written.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    let (start, end) = old.storage.commonChunks(with: new.storage)
    guard patch.isPlain(Element.self) else {
      guard old.ids == new.ids else {
        patch.identified(old.elements, by: old.ids.elements, new.elements, by: new.ids.elements)
        return
      }
      let first = start < new.storage.chunks.count ? new.storage.chunks[start].start : new.count
      let last = new.storage.chunks.count - end
      patch.inPlace(
        first..<(last > start ? new.storage.chunks[last - 1].end : first),
        count: new.count,
        old: { old.storage[$0] },
        new: { new.storage[$0] },
        whole: { new.elements }
      )
      return
    }
    patch.chunks(
      old.storage.chunks[start..<old.storage.chunks.count - end].map { Array($0.elements) },
      new.storage.chunks[start..<new.storage.chunks.count - end].map { Array($0.elements) },
      from: start < old.storage.chunks.count ? old.storage.chunks[start].start : old.count,
      count: new.count,
      whole: { new.elements }
    )
  }

  /// Adds the type of the elements to a survey of log types.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(Element.self, below: 1)
  }

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

/// An identified array whose elements are `Identifiable`, for generic code that can't state this constraint.
private protocol IdentifiableElementArray {
  static var empty: Any { get }
}

extension IdentifiedArray: IdentifiableElementArray where Element: Identifiable, ID == Element.ID {
  fileprivate static var empty: Any { Self() }
}

extension IdentifiedArray: LogElements {
  /// The type of the elements, as the log encodes them.
  public typealias LogElement = Element
}
