extension PresentationState {
  /// The payload of a case of the presented enum, nil when that is absent or stands in another case.
  ///
  /// Setting `nil` dismisses. Setting a payload while another case is presented reports an issue and does nothing.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public subscript<Payload>(case path: AnyCasePath<State, Payload>) -> Payload? {
    get { wrappedValue.flatMap(path.extract(from:)) }
    set { setPayload(newValue, along: path) }
  }
}

extension StackState {
  /// The payload of an element's case, nil when it is absent or stands in another case.
  ///
  /// Setting `nil` removes the element. Setting a payload while the element stands in another case reports an issue and does
  /// nothing.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  public subscript<Payload>(
    id id: StackElementID,
    case path: AnyCasePath<Element, Payload>
  ) -> Payload? {
    get { self[id: id].flatMap(path.extract(from:)) }
    set { setPayload(newValue, id: id, along: path) }
  }
}
