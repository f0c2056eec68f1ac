extension StackState {
  /// The element with an id.
  ///
  /// Setting `nil` removes it alone. In tests setting an element under an id that is not there
  /// pushes it; elsewhere that is an issue and does nothing.
  public subscript(id id: StackElementID) -> Element? {
    get { ids.firstIndex(of: id).map { elements[$0] } }
    set {
      if let index = ids.firstIndex(of: id) {
        set(newValue, at: index)
      } else if let newValue {
        setMissing(newValue, id: id)
      }
    }
    _modify {
      guard let index = ids.firstIndex(of: id) else {
        var element: Element?
        yield &element
        if let element { setMissing(element, id: id) }
        return
      }
      // The element is moved out, so that it changes in place and what it holds is not copied.
      elements.swapAt(index, elements.count - 1)
      var element = elements.popLast()
      defer {
        if let element {
          elements.append(element)
          elements.swapAt(index, elements.count - 1)
        } else {
          ids.remove(at: index)
          if index < elements.count { elements.append(elements.remove(at: index)) }
        }
      }
      yield &element
    }
  }

  private mutating func set(_ element: Element?, at index: Int) {
    if let element {
      elements[index] = element
    } else {
      ids.remove(at: index)
      elements.remove(at: index)
    }
  }

  private mutating func setMissing(_ element: Element, id: StackElementID) {
    guard DependencyValues._current.context == .test else {
      return reportIssue(Messages.setMissingElement(id: id))
    }
    push(element, id: id)
  }

  /// Adds an element under an id that is not in the stack.
  mutating func push(_ element: Element, id: StackElementID) {
    guard ids.append(id).inserted else { return }
    elements.append(element)
  }
}

extension StackState where Element: CasePathable {
  /// The payload of an element's case, nil when it is absent or stands in another case.
  ///
  /// Setting `nil` removes the element. Setting a payload while the element stands in another case
  /// reports an issue and does nothing.
  public subscript<Payload>(
    id id: StackElementID,
    case keyPath: CaseKeyPath<Element, Payload>
  ) -> Payload? {
    get { self[id: id].flatMap { $0[case: keyPath] } }
    set { setPayload(newValue, id: id, along: AnyCasePath(keyPath)) }
  }
}

extension StackState {
  /// Sets the payload of the case that an element stands in.
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
