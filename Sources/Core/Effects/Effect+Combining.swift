extension Effect {
  /// Does everything at once.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Does everything at once.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    var parts: [Effect] = []
    for effect in effects {
      switch effect.operation {
      case .none: continue
      // Flat, so that effects merged one by one don't make a tree as deep as they are many.
      case .merge(let inner): parts += inner
      default: parts.append(effect)
      }
    }
    return parts.count > 1 ? Effect(operation: .merge(parts)) : parts.first ?? .none
  }

  /// Does this and another effect at once.
  public func merge(with other: Effect) -> Effect {
    if isNone { return other }
    if other.isNone { return self }
    return .merge([self, other])
  }

  /// Does one after the other, each when the one before it has ended.
  @available(iOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(macOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(tvOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(watchOS, deprecated: 9999, message: "Await one after the other in one run.")
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Does one after the other, each when the one before it has ended.
  @available(iOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(macOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(tvOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(watchOS, deprecated: 9999, message: "Await one after the other in one run.")
  public static func concatenate(_ effects: some Sequence<Effect>) -> Effect {
    var parts: [Effect] = []
    for effect in effects {
      switch effect.operation {
      case .none: continue
      case .concatenate(let inner): parts += inner
      default: parts.append(effect)
      }
    }
    return parts.count > 1 ? Effect(operation: .concatenate(parts)) : parts.first ?? .none
  }

  /// Does another effect when this one has ended.
  @available(iOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(macOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(tvOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(watchOS, deprecated: 9999, message: "Await one after the other in one run.")
  public func concatenate(with other: Effect) -> Effect {
    .concatenate([self, other])
  }
}
