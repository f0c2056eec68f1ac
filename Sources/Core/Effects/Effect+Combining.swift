extension Effect {
  /// Returns an effect that runs the given effects concurrently.
  public static func merge(_ effects: Effect...) -> Effect {
    merge(effects)
  }

  /// Returns an effect that runs the effects of a sequence concurrently.
  public static func merge(_ effects: some Sequence<Effect>) -> Effect {
    var parts: [Effect] = []
    for effect in effects {
      switch effect.operation {
      case .none: continue
      // Flattens nested merges. Otherwise, merging many effects one by one would create a tree of the same depth.
      case .merge(let inner): parts += inner
      default: parts.append(effect)
      }
    }
    return parts.count > 1 ? Effect(operation: .merge(parts)) : parts.first ?? .none
  }

  /// Returns an effect that runs this effect and another one concurrently.
  public func merge(with other: Effect) -> Effect {
    if isNone { return other }
    if other.isNone { return self }
    return .merge([self, other])
  }

  /// Returns an effect that runs the given effects in order, each one after the previous one has ended.
  @available(iOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(macOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(tvOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(watchOS, deprecated: 9999, message: "Await one after the other in one run.")
  public static func concatenate(_ effects: Effect...) -> Effect {
    concatenate(effects)
  }

  /// Returns an effect that runs the effects of a sequence in order, each one after the previous one has ended.
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

  /// Returns an effect that runs another effect after this one has ended.
  @available(iOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(macOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(tvOS, deprecated: 9999, message: "Await one after the other in one run.")
  @available(watchOS, deprecated: 9999, message: "Await one after the other in one run.")
  public func concatenate(with other: Effect) -> Effect {
    .concatenate([self, other])
  }
}

extension Effect {
  /// Returns an effect that does the same work, and sends the actions to which a closure maps this effect's actions.
  @available(iOS, deprecated: 9999, message: "Compose the reducer that makes the effect.")
  @available(macOS, deprecated: 9999, message: "Compose the reducer that makes the effect.")
  @available(tvOS, deprecated: 9999, message: "Compose the reducer that makes the effect.")
  @available(watchOS, deprecated: 9999, message: "Compose the reducer that makes the effect.")
  public func map<Other>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    switch operation {
    case .none:
      .none
    case .send(let sent, let leaf):
      Effect<Other>(operation: .send(SentAction(action: transform(sent.action)), leaf))
    case .run(let run):
      Effect<Other>(operation: .run(run.map(transform)))
    case .merge(let effects):
      Effect<Other>(operation: .merge(effects.map { $0.map(transform) }))
    case .concatenate(let effects):
      Effect<Other>(operation: .concatenate(effects.map { $0.map(transform) }))
    case .cancellable(let effect, let id, let cancelInFlight):
      Effect<Other>(
        operation: .cancellable(effect.map(transform), id, cancelInFlight: cancelInFlight)
      )
    case .cancel(let id, let location):
      Effect<Other>(operation: .cancel(id, location))
    }
  }

  /// Returns the effect after a closure has changed all of its leaves, in depth-first order.
  package func mapLeaves(_ change: (inout EffectLeaf) -> Void) -> Effect {
    mapParts { part in
      switch part {
      case .send(let sent, var leaf):
        change(&leaf)
        part = .send(sent, leaf)
      case .run(var run):
        change(&run.leaf)
        part = .run(run)
      default: break
      }
    }
  }

  /// Returns the effect after a closure has changed all of its asynchronous operations.
  package func mapRuns(_ change: (inout Run) -> Void) -> Effect {
    mapParts { part in
      guard case .run(var run) = part else { return }
      change(&run)
      part = .run(run)
    }
  }

  /// Returns the effect after a closure has changed all of its nodes that have no children.
  private func mapParts(_ change: (inout EffectOperation) -> Void) -> Effect {
    switch operation {
    case .none, .cancel, .send, .run:
      var part = operation
      change(&part)
      return Effect(operation: part)
    case .merge(let effects):
      return Effect(operation: .merge(effects.map { $0.mapParts(change) }))
    case .concatenate(let effects):
      return Effect(operation: .concatenate(effects.map { $0.mapParts(change) }))
    case .cancellable(let effect, let id, let cancelInFlight):
      return Effect(
        operation: .cancellable(effect.mapParts(change), id, cancelInFlight: cancelInFlight)
      )
    }
  }
}

extension Effect.Run {
  fileprivate func map<Other>(
    _ transform: @escaping @Sendable (Action) -> Other
  ) -> Effect<Other>.Run {
    let operation = operation
    var mappedHandler: (@Sendable (any Error, Send<Other>) async -> Void)?
    if let handler {
      mappedHandler = { error, send in await handler(error, send.pulledBack(by: transform)) }
    }
    var mappedOnLaunch: (@MainActor @Sendable (@escaping Effect<Other>.Deliver) -> Void)?
    if let onLaunch {
      mappedOnLaunch = { deliver in onLaunch { deliver(transform($0), $1) } }
    }
    return Effect<Other>.Run(
      leaf: leaf,
      priority: priority,
      input: input,
      operation: { send in try await operation(send.pulledBack(by: transform)) },
      handler: mappedHandler,
      onLaunch: mappedOnLaunch,
      standingChild: standingChild
    )
  }
}
