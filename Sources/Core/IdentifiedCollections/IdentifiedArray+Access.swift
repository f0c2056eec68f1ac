extension IdentifiedArray {
  /// The element with an id.
  ///
  /// Setting `nil` removes it; setting an element where there was none appends it. It is a programmer's error if the new
  /// element has another id.
  public subscript(id id: ID) -> Element? {
    get { ids.firstIndex(of: id).map { storage[$0] } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      checkID(of: newValue, is: id)
      if let index = ids.firstIndex(of: id) {
        storage[index] = newValue
      } else {
        append(newValue)
      }
    }
    _modify {
      guard let index = ids.firstIndex(of: id) else {
        var element: Element?
        yield &element
        if let element {
          checkID(of: element, is: id)
          append(element)
        }
        return
      }
      // The element is moved out, so that it changes in place and what it holds is not copied.
      var element: Element? = storage.take(at: index)
      defer { putBack(element, at: index, id: id) }
      yield &element
    }
  }

  private mutating func putBack(_ element: Element?, at index: Int, id: ID) {
    if let element {
      checkID(of: element, is: id)
      storage.putBack(element, at: index)
    } else {
      ids.remove(at: index)
      storage.giveUp(at: index)
    }
  }

  private func checkID(of element: Element, is id: ID) {
    precondition(
      identify(element) == id,
      "The element that was set for the id \(id) has the id \(identify(element))."
    )
  }

  /// The place of the element with an id.
  public func index(id: ID) -> Int? {
    ids.firstIndex(of: id)
  }

  /// Whether there is an element with the id of this one.
  public func contains(_ element: Element) -> Bool where Element: Equatable {
    index(id: identify(element)).map { storage[$0] == element } ?? false
  }
}
