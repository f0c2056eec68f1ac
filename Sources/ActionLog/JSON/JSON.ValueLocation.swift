extension JSON {
  /// A path to a value, including the kind of each container.
  ///
  /// The kind distinguishes the dictionary key `16` from the array index 16.
  package struct ValueLocation: Hashable, Sendable {
    package var steps: [JSONPath.Node.Step]

    package init(_ steps: [JSONPath.Node.Step] = []) { self.steps = steps }

    /// Creates a location from a pointer into `root`.
    ///
    /// Treats tokens of digits as indexes where `root` has no value at the path.
    package init(_ pointer: Pointer, in root: JSON?) {
      var value = root
      steps = pointer.tokens.map { token in
        let container = value
        value = container?[Pointer([token])]
        return Self.component(token, in: container)
      }
    }

    /// Creates a location from a pointer and the positions of those tokens that are array indexes.
    package init(_ pointer: Pointer, elements: [Int]) {
      steps = pointer.tokens.enumerated().map { depth, token in
        elements.contains(depth)
          ? Pointer.index(token).map { .index($0) } ?? .name(token) : .name(token)
      }
    }

    private static func component(_ token: String, in container: JSON?) -> JSONPath.Node.Step {
      if case .object = container { return .name(token) }
      return Pointer.index(token).map { .index($0) } ?? .name(token)
    }

    package var pointer: Pointer { Pointer(steps.map(\.token)) }

    /// Returns the location of a member or element inside the value at this location.
    package func appending(_ step: JSONPath.Node.Step) -> ValueLocation {
      ValueLocation(steps + [step])
    }
  }
}

extension JSON.ValueLocation {
  /// The positions of the steps that are array indexes.
  package var elements: [Int] {
    steps.indices.filter { if case .index = steps[$0] { true } else { false } }
  }

  /// The location as a pointer with `*` for each index and for the token `-`.
  package var anyElement: JSON.Pointer {
    JSON.Pointer(
      steps.map { step in
        if case .name(let name) = step, name != "-" { name } else { "*" }
      }
    )
  }
}

extension JSONPath.Node.Step {
  /// The step as a token of a pointer.
  package var token: String {
    switch self {
    case .name(let name): name
    case .index(let index): String(index)
    }
  }
}

extension JSON.ValueLocation {
  /// Whether this location equals `place` or lies within it.
  func isWithin(_ place: JSON.Pointer) -> Bool {
    place.tokens.count <= steps.count
      && zip(place.tokens, steps).allSatisfy { $0.hasSameBytes(as: $1.token) }
  }

  /// Whether `place` equals this location or lies within it.
  func contains(_ place: JSON.Pointer) -> Bool {
    steps.count <= place.tokens.count
      && zip(place.tokens, steps).allSatisfy { $0.hasSameBytes(as: $1.token) }
  }

  /// Returns this location's index in the array that contains the element at `place`.
  ///
  /// Returns `nil` if this location doesn't lead through that array.
  func index(besides place: JSON.Pointer) -> Int? {
    let depth = place.tokens.count - 1
    guard depth >= 0, depth < steps.count, case .index(let own) = steps[depth],
      isWithin(JSON.Pointer(Array(place.tokens.dropLast())))
    else { return nil }
    return own
  }

  /// Returns the location with another index in the array that contains the element at `place`.
  ///
  /// - Parameters:
  ///   - offset: The number to add to the index.
  ///   - place: The path of an element.
  ///   - isAffected: Receives this location's index and the element's index, and returns whether to change this
  ///     location.
  /// - Returns: The new location, or this one if it doesn't lead through the array or isn't affected.
  func shifted(
    by offset: Int,
    where place: JSON.Pointer,
    isAffected: (Int, Int) -> Bool
  ) -> JSON.ValueLocation {
    guard let own = index(besides: place),
      let other = place.tokens.last.flatMap(JSON.Pointer.index),
      isAffected(own, other)
    else { return self }
    var location = self
    location.steps[place.tokens.count - 1] = .index(own + offset)
    return location
  }

  /// Returns the location that a value had before it was moved from the path `other` to the path `place`.
  func moved(from other: JSON.Pointer, to place: JSON.Pointer) -> JSON.ValueLocation {
    var isBeside = true
    let head = other.tokens.indices.map { depth -> JSONPath.Node.Step in
      let token = other.tokens[depth]
      defer {
        isBeside =
          isBeside && depth < place.tokens.count && token.hasSameBytes(as: place.tokens[depth])
      }
      if isBeside, depth < steps.count, case .name = steps[depth] { return .name(token) }
      return JSON.Pointer.index(token).map { .index($0) } ?? .name(token)
    }
    return JSON.ValueLocation(head + steps.dropFirst(place.tokens.count))
  }
}

extension JSON.Patch {
  /// Returns the location of a value before the patch, and whether the patch wrote the value or a container of the
  /// value.
  ///
  /// The location is `nil` for an array element that the patch inserted.
  package func origin(
    of location: JSON.ValueLocation
  ) -> (location: JSON.ValueLocation?, isTouched: Bool) {
    var location = location
    var isTouched = false
    for operation in operations.reversed() {
      switch operation {
      case .add(let place, _), .copy(_, let place):
        if location.isWithin(place) {
          // An inserted element is new. A member that was set may have existed before.
          return (location.index(besides: place) == nil ? location : nil, true)
        }
        if location.contains(place) { isTouched = true }
        location = location.shifted(by: -1, where: place) { $0 > $1 }
      case .remove(let place):
        if location.contains(place) { isTouched = true }
        location = location.shifted(by: 1, where: place) { $0 >= $1 }
      case .replace(let place, _), .splice(let place, _):
        if location.isWithin(place) || location.contains(place) { isTouched = true }
      case .move(let from, let place):
        if location.isWithin(place) {
          location = location.moved(from: from, to: place)
        } else {
          if location.contains(place) || location.contains(from) { isTouched = true }
          location =
            location.shifted(by: -1, where: place) { $0 > $1 }
            .shifted(by: 1, where: from) { $0 >= $1 }
        }
      case .test: break
      }
    }
    return (location, isTouched)
  }
}
