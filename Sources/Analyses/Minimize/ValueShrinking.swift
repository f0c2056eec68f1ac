import ActionLog

/// Finds values in actions that can be simplified, and proposes simpler values.
enum ValueShrinking {
  /// Returns the paths in an action whose values can be simplified, outermost paths first.
  static func places(in action: JSON) -> [JSON.Pointer] {
    var places: [JSON.Pointer] = []
    collect(action, at: JSON.Pointer(), into: &places)
    return places
  }

  private static func collect(
    _ value: JSON,
    at place: JSON.Pointer,
    into places: inout [JSON.Pointer]
  ) {
    if !simpler(than: value).isEmpty { places.append(place) }
    switch value {
    case .object(let object):
      for (key, value) in object { collect(value, at: place.appending(key), into: &places) }
    case .array(let elements):
      for (index, value) in elements.enumerated() {
        collect(value, at: place.appending(String(index)), into: &places)
      }
    default: break
    }
  }

  /// Returns simpler values to try, starting with the simplest.
  ///
  /// Simplification ends, because no sequence of simpler values leads back to the original value.
  static func simpler(than value: JSON) -> [JSON] {
    switch value {
    case .null, .bool(false): []
    case .bool(true): [false]
    case .number(let number): numbers(below: number)
    case .string(let text): strings(below: text)
    case .array(let elements): arrays(below: elements)
    // An object with one member may be an enum case, whose name must stay. Any other object may be optional.
    case .object(let object): object.count < 2 ? [] : [.null]
    }
  }

  private static func numbers(below number: JSON.Number) -> [JSON] {
    guard let value = number.int else { return number.double == 0 ? [] : [0, 1] }
    guard value != 0 else { return [] }
    var candidates = [0]
    if value != 1, value != -1 { candidates.append(value / 2) }
    if value > 2 || value < 0 { candidates.append(value < 0 ? value + 1 : value - 1) }
    return candidates.filter { $0 != value }.map { .number(JSON.Number($0)) }
  }

  private static func strings(below text: String) -> [JSON] {
    guard !text.isEmpty else { return [] }
    var candidates: [JSON] = [""]
    if text.count > 1 {
      candidates.append(.string(String(text.prefix(text.count / 2))))
      candidates.append(.string(String(text.dropLast())))
    }
    return candidates
  }

  private static func arrays(below elements: [JSON]) -> [JSON] {
    guard !elements.isEmpty else { return [] }
    var candidates: [JSON] = [[]]
    if elements.count > 1 {
      let half = elements.count / 2
      candidates.append(.array(Array(elements[..<half])))
      candidates.append(.array(Array(elements[half...])))
    }
    for index in elements.indices where elements.count > 2 {
      var fewer = elements
      fewer.remove(at: index)
      candidates.append(.array(fewer))
    }
    return candidates
  }
}
