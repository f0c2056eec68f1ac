import Foundation

extension LogEvent {
  /// The event without renderings of opaque values, because masks can't find secrets in them.
  package var withoutRenderings: LogEvent {
    if case .header(var header) = self {
      header.rendersOpaqueValues = false
      return .header(header)
    }
    let line = line
    let mayRender = line.withUnsafeBufferPointer { UncomparedValues.mayStand(in: $0) }
    guard mayRender, let json = try? JSON(parsing: line),
      let event = try? LogEvent(json: json.withoutRenderings)
    else { return self }
    return event
  }
}

extension JSON {
  fileprivate var withoutRenderings: JSON {
    switch self {
    case .array(let elements): return .array(elements.map(\.withoutRenderings))
    case .object(var object):
      guard opaqueType == nil else {
        object["shown"] = nil
        return .object(object)
      }
      return .object(
        JSON.Object(members: object.map { ($0.key, $0.value.withoutRenderings) })
      )
    default: return self
    }
  }
}
