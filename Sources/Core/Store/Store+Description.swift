import ActionLog

extension Store: CustomDebugStringConvertible {
  /// The type as it would be written: `StoreOf<Feature>`, `StoreOf<Feature?>`, `StackStoreOf<Path>`.
  nonisolated public var debugDescription: String {
    StoreTypeName.of(state: State.self, action: Action.self)
  }
}

/// The shortest name of a store's type.
private enum StoreTypeName {
  static func of(state: Any.Type, action: Any.Type) -> String {
    let (state, action) = (LogTypeName.of(state), LogTypeName.of(action))
    let shapes = [
      ("StoreOf<", ">", "", "", "", ""),
      ("StoreOf<", "?>", "Optional<", ">", "", ""),
      ("PresentationStoreOf<", ">", "PresentationState<", ">", "PresentationAction<", ">"),
    ]
    for (open, close, stateOpen, stateClose, actionOpen, actionClose) in shapes {
      guard
        let inner = state.within(stateOpen, stateClose),
        let feature = inner.within("", ".State"),
        action.within(actionOpen, actionClose) == "\(feature).Action"
      else { continue }
      return open + feature + close
    }
    return collection(state, action) ?? "Store<\(state), \(action)>"
  }

  /// The name of the store of a list or of a stack.
  private static func collection(_ state: String, _ action: String) -> String? {
    if let inner = state.within("StackState<", ">"), let feature = inner.within("", ".State"),
      action == "StackAction<\(feature).State, \(feature).Action>"
    {
      return "StackStoreOf<\(feature)>"
    }
    // The id comes first in both, and is the feature's own.
    guard
      let ids = action.within("IdentifiedAction<", ".Action>"),
      let comma = ids.lastIndex(of: ",")
    else { return nil }
    let feature = ids[ids.index(comma, offsetBy: 2)...]
    return state == "IdentifiedArray<\(ids[..<comma]), \(feature).State>"
      ? "IdentifiedStoreOf<\(feature)>" : nil
  }
}

extension String {
  /// What stands between two texts that begin and end it.
  fileprivate func within(_ open: String, _ close: String) -> String? {
    guard hasPrefix(open), hasSuffix(close), count >= open.count + close.count else { return nil }
    return String(dropFirst(open.count).dropLast(close.count))
  }
}
