public import ActionLog

/// A stack of feature states, each with an id.
///
/// ```swift
/// var path = StackState<Path.State>()
/// path.append(.detail(Detail.State()))
/// path[id: 0]           // the state of the detail feature
/// path.pop(from: 0)
/// ```
///
/// Two stacks are equal if they have equal elements with the same ids.
public struct StackState<Element> {
  /// The ids of the elements, with the bottom element first.
  public internal(set) var ids: OrderedSet<StackElementID> = []
  @usableFromInline var elements: [Element] = []

  /// Creates an empty stack.
  public init() {}
}

extension StackState: ExpressibleByArrayLiteral {
  /// Creates a stack from a literal, and assigns new ids to the elements.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension StackState: Sendable where Element: Sendable {}

extension StackState: Equatable where Element: Equatable {
  /// Returns whether two stacks have equal elements with the same ids.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.ids == rhs.ids && lhs.elements == rhs.elements
  }
}

extension StackState: Hashable where Element: Hashable {
  /// Hashes the ids and the elements.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ids)
    hasher.combine(elements)
  }
}

extension StackState {
  /// The element with an id.
  ///
  /// The value is `nil` if the stack contains no such element. Setting `nil` removes the element and keeps those above
  /// it. In tests, setting an element with an id that the stack doesn't contain pushes the element. Outside of tests,
  /// this reports an issue and leaves the stack unchanged.
  public subscript(id id: StackElementID) -> Element? {
    get { ids.firstIndex(of: id).map { elements[$0] } }
    set {
      if let index = ids.firstIndex(of: id) {
        set(newValue, at: index)
      } else if let newValue {
        setMissing(newValue, id: id)
      }
    }
    @inlinable
    _modify {
      guard let index = ids.firstIndex(of: id) else {
        var element: Element?
        yield &element
        if let element { setMissing(element, id: id) }
        return
      }
      // Moves the element out of the array, so that it changes in place and its contents aren't copied.
      elements.swapAt(index, elements.count - 1)
      var element = elements.popLast()
      defer {
        if let element {
          elements.append(element)
          elements.swapAt(index, elements.count - 1)
        } else {
          removeDetached(at: index)
        }
      }
      yield &element
    }
  }

  /// Removes the id of an element that was moved out of `elements`, where the top element has taken its position.
  @usableFromInline
  mutating func removeDetached(at index: Int) {
    ids.remove(at: index)
    if index < elements.count { elements.append(elements.remove(at: index)) }
  }

  private mutating func set(_ element: Element?, at index: Int) {
    if let element {
      elements[index] = element
    } else {
      ids.remove(at: index)
      elements.remove(at: index)
    }
  }

  @usableFromInline
  mutating func setMissing(_ element: Element, id: StackElementID) {
    guard DependencyValues._current.context == .test else {
      return reportIssue(Messages.setMissingElement(id: id))
    }
    push(element, id: id)
  }

  /// Pushes an element with an id that the stack doesn't contain.
  mutating func push(_ element: Element, id: StackElementID) {
    guard ids.append(id).inserted else { return }
    elements.append(element)
  }
}

extension StackState where Element: CasePathable {
  /// The payload of an element's case; `nil` if the element is absent or has another case.
  ///
  /// Setting `nil` removes the element. Setting a value while the element is absent or has another case reports an
  /// issue and leaves the stack unchanged.
  public subscript<Payload>(
    id id: StackElementID,
    case keyPath: CaseKeyPath<Element, Payload>
  ) -> Payload? {
    get { self[id: id].flatMap { $0[case: keyPath] } }
    set { setPayload(newValue, id: id, along: AnyCasePath(keyPath)) }
  }
}

extension StackState {
  /// Sets the payload of an element's case, or reports an issue if the element is absent or has another case.
  mutating func setPayload<Payload>(
    _ payload: Payload?,
    id: StackElementID,
    along path: AnyCasePath<Element, Payload>
  ) {
    guard let element = self[id: id], path.extract(from: element) != nil else {
      reportIssue(Messages.modifiedUnrelatedCase(of: self[id: id]))
      return
    }
    self[id: id] = payload.map(path.embed)
  }
}

extension StackState {
  /// Removes the element with an id and all elements above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    removeSubrange(index...)
  }

  /// Removes all elements above the element with an id.
  public mutating func pop(to id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    removeSubrange((index + 1)...)
  }
}

extension StackState: RandomAccessCollection, RangeReplaceableCollection {
  /// The index of the bottom element, which is 0.
  public var startIndex: Int { 0 }

  /// The index after the top element, which is the number of elements.
  public var endIndex: Int { elements.count }

  /// The element at an index, counted from the bottom of the stack.
  public subscript(index: Int) -> Element { elements[index] }

  /// Replaces the elements in a range of indices, and assigns new ids to the new elements.
  public mutating func replaceSubrange(
    _ range: Range<Int>,
    with newElements: some Collection<Element>
  ) {
    var ids = Array(self.ids)
    var drawn = self.ids
    let newIDs = newElements.map { _ in
      let id = Self.nextID(besides: drawn)
      drawn.append(id)
      return id
    }
    ids.replaceSubrange(range, with: newIDs)
    self.ids = OrderedSet(ids)
    elements.replaceSubrange(range, with: newElements)
  }

  /// Removes the elements that satisfy a predicate.
  ///
  /// The remaining elements keep their ids.
  ///
  /// - Parameter shouldBeRemoved: A closure that returns whether an element must be removed.
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    let kept = try zip(ids, elements).filter { try !shouldBeRemoved($0.1) }
    guard kept.count < elements.count else { return }
    ids = OrderedSet(kept.map(\.0))
    elements = kept.map(\.1)
  }

  private static func nextID(besides ids: OrderedSet<StackElementID>) -> StackElementID {
    let counter = DependencyValues._current.stackElementIDs
    // The new id must exceed all ids in the stack, which may come from a source unknown to the generator.
    let floor = (ids.map(\.number).max() ?? -1) + 1
    let id = ReducerReadScope.read("stackElementID", standIn: counter.next(from: floor)) {
      counter.next(from: floor)
    }
    // In a replay, the id comes from the log, and the generator must continue after it.
    counter.reserve(id)
    return ids.contains(id) ? counter.next(from: floor) : id
  }
}

extension StackState: Encodable where Element: Encodable {
  /// Encodes the elements as a plain array, without their ids.
  public func encode(to encoder: any Encoder) throws {
    try elements.encode(to: encoder)
  }
}

extension StackState: Decodable where Element: Decodable {
  /// Decodes the elements from a plain array, and assigns new ids.
  public init(from decoder: any Decoder) throws {
    self.init(try [Element](from: decoder))
  }
}

extension StackState: LogValue {
  /// Encodes the elements with their ids: `[{"id":0,"element":...}]`.
  public func encode(to encoder: inout LogEncoder) {
    encoder.value(entries)
  }

  /// Decodes the elements with their ids.
  ///
  /// The element of `template` with the same id serves as the template of each element.
  ///
  /// - Throws: `LogDecodingError` if two elements have the same id, or the error of an element.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    var stack = Self()
    let earlier = decoder.earlier?.array
    let entries = try decoder.elements { entry in
      guard let template, let earlier, earlier.count == template.count, let id = entry["id"],
        let index = template.ids.firstIndex(of: try LogDecoder(id).value(StackElementID.self))
      else { return nil }
      return earlier[index]
    } _: {
      try IdentifiedElement.read($0, over: template)
    }
    for entry in entries {
      guard !stack.ids.contains(entry.id) else {
        throw decoder.error(
          .mismatch(expected: "elements whose ids differ", found: decoder.json),
          type: Self.self
        )
      }
      stack.push(entry.element, id: entry.id)
    }
    return stack
  }

  /// Adds the differences between the elements of two stacks to a patch.
  ///
  /// Unchanged stacks are skipped.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    guard
      !(patch.isUnchanged(old.elements, new.elements)
        && patch.isUnchanged(old.ids.elements, new.ids.elements))
    else { return }
    patch.identified(old.entries, by: old.ids.elements, new.entries, by: new.ids.elements)
  }

  /// Adds the type of the elements to a survey of log types.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(Element.self, below: 2)
  }

  private var entries: [IdentifiedElement] {
    var entries: [IdentifiedElement] = []
    entries.reserveCapacity(elements.count)
    // Advances two iterators, because `zip` looks up generic witnesses for each element and is slower.
    var ids = ids.makeIterator()
    for element in elements {
      if let id = ids.next() { entries.append(IdentifiedElement(id: id, element: element)) }
    }
    return entries
  }

  private struct IdentifiedElement: LogValue {
    let id: StackElementID
    let element: Element

    static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
      patch.member("id", old.id, new.id)
      patch.member("element", old.element, new.element)
    }

    static func survey(_ type: inout LogTypeSurvey) { type.contains(Element.self) }
    static var _$isWellFormed: Bool { true }

    func encode(to encoder: inout LogEncoder) {
      encoder.beginObject()
      encoder.member("id", id)
      encoder.member("element", element)
      encoder.endObject()
    }

    static func decode(from decoder: LogDecoder, over _: Self?) throws -> Self {
      try read(decoder, over: nil)
    }

    static func read(_ decoder: LogDecoder, over template: StackState?) throws -> Self {
      let members = try decoder.members(of: StackState.self)
      defer { members.finish() }
      let id: StackElementID = try members.value("id")
      return Self(id: id, element: try members.value("element", over: template?[id: id]))
    }
  }

  /// Whether the encoded JSON is always well-formed, which is `true` because the stack encodes itself.
  public static var _$isWellFormed: Bool { true }
}

extension StackState: LogElements {
  /// The type of the elements, as the log encodes them.
  public typealias LogElement = Element
  /// The names of the members that lead from the encoded object, which also contains the id, to the stack's element.
  public static var _$namesWithinElements: [String] { ["element"] }
}
