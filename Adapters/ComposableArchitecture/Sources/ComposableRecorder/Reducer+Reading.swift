public import ComposableArchitecture

// A key path to a function with a parameter pack does not compile. Separate functions support the usual numbers of
// arguments.
extension Reducer {
  /// Treats an endpoint of a dependency client as a read of this reducer.
  ///
  /// A log has the answers to calls that the reducer itself makes, and not an effect. A replay answers these calls from
  /// the log.
  ///
  /// ```swift
  /// var body: some ReducerOf<Self> {
  ///   Reduce { state, action in
  ///     state.isPro = flags.isPro()
  ///     return .none
  ///   }
  ///   .reading(\.flags.isPro, as: "flags.isPro")
  /// }
  /// ```
  ///
  /// Within a reducer that reads the same name, the outer call is the one that counts.
  ///
  /// - Parameters:
  ///   - endpoint: The path to the endpoint, a closure that does not throw and is not asynchronous.
  ///   - name: The name of the reads in the log.
  /// - Returns: The reducer, whose calls are recorded if it is part of a recorded reducer.
  public func reading<Answer>(
    _ endpoint: any WritableKeyPath<DependencyValues, @Sendable () -> Answer> & Sendable,
    as name: String
  ) -> some Reducer<State, Action> {
    EndpointReader(base: self, name: name, endpoint: endpoint) { calls in
      { calls.answer { $0() } }
    }
  }

  /// Treats an endpoint with one argument as a read of this reducer.
  ///
  /// - Parameters:
  ///   - endpoint: The path to the endpoint, a closure that does not throw and is not asynchronous.
  ///   - name: The name of the reads in the log.
  /// - Returns: The reducer, whose calls are recorded if it is part of a recorded reducer.
  public func reading<First, Answer>(
    _ endpoint: any WritableKeyPath<
      DependencyValues, @Sendable (First) -> Answer
    > & Sendable,
    as name: String
  ) -> some Reducer<State, Action> {
    EndpointReader(base: self, name: name, endpoint: endpoint) { calls in
      { first in calls.answer { $0(first) } }
    }
  }

  /// Treats an endpoint with two arguments as a read of this reducer.
  ///
  /// - Parameters:
  ///   - endpoint: The path to the endpoint, a closure that does not throw and is not asynchronous.
  ///   - name: The name of the reads in the log.
  /// - Returns: The reducer, whose calls are recorded if it is part of a recorded reducer.
  public func reading<First, Second, Answer>(
    _ endpoint: any WritableKeyPath<
      DependencyValues, @Sendable (First, Second) -> Answer
    > & Sendable,
    as name: String
  ) -> some Reducer<State, Action> {
    EndpointReader(base: self, name: name, endpoint: endpoint) { calls in
      { first, second in calls.answer { $0(first, second) } }
    }
  }

  /// Treats an endpoint with three arguments as a read of this reducer.
  ///
  /// - Parameters:
  ///   - endpoint: The path to the endpoint, a closure that does not throw and is not asynchronous.
  ///   - name: The name of the reads in the log.
  /// - Returns: The reducer, whose calls are recorded if it is part of a recorded reducer.
  public func reading<First, Second, Third, Answer>(
    _ endpoint: any WritableKeyPath<
      DependencyValues, @Sendable (First, Second, Third) -> Answer
    > & Sendable,
    as name: String
  ) -> some Reducer<State, Action> {
    EndpointReader(base: self, name: name, endpoint: endpoint) { calls in
      { first, second, third in calls.answer { $0(first, second, third) } }
    }
  }

  /// Treats an endpoint with four arguments as a read of this reducer.
  ///
  /// - Parameters:
  ///   - endpoint: The path to the endpoint, a closure that does not throw and is not asynchronous.
  ///   - name: The name of the reads in the log.
  /// - Returns: The reducer, whose calls are recorded if it is part of a recorded reducer.
  public func reading<First, Second, Third, Fourth, Answer>(
    _ endpoint: any WritableKeyPath<
      DependencyValues, @Sendable (First, Second, Third, Fourth) -> Answer
    > & Sendable,
    as name: String
  ) -> some Reducer<State, Action> {
    EndpointReader(base: self, name: name, endpoint: endpoint) { calls in
      { first, second, third, fourth in calls.answer { $0(first, second, third, fourth) } }
    }
  }
}

/// A reducer whose calls of an endpoint are reads.
private struct EndpointReader<Base: Reducer, Endpoint: Sendable>: Reducer {
  let base: Base
  let name: String
  let endpoint: any WritableKeyPath<DependencyValues, Endpoint> & Sendable
  /// Returns the endpoint with answers from the scope of the reducer.
  let makeAnswered: @Sendable (EndpointCalls<Endpoint>) -> Endpoint

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let current = DependencyValues._current[CurrentScopeKey.self]
    guard let scope = current.scope, !current.endpoints.contains(name) else {
      return base._reduce(into: &state, action: action)
    }
    return withDependencies { values in
      let calls = EndpointCalls(name: name, scope: scope, original: values, endpoint: endpoint)
      values[CurrentScopeKey.self].endpoints.insert(name)
      // Setting an endpoint reads the client without a report, and the library caches the client that it read. A replay
      // therefore calls the live endpoints of a client that has no value for tests.
      withIssueReporters([]) { values[keyPath: endpoint] = makeAnswered(calls) }
    } operation: {
      base._reduce(into: &state, action: action)
    }
  }
}

/// The calls of an endpoint by a reducer.
private struct EndpointCalls<Endpoint>: Sendable {
  let name: String
  let scope: ReducerReadScope
  /// The dependencies with the endpoint itself.
  let original: DependencyValues
  let endpoint: any WritableKeyPath<DependencyValues, Endpoint> & Sendable

  /// Returns the answer to a call: from the log, or from the endpoint itself.
  func answer<Answer>(_ call: (Endpoint) -> Answer) -> Answer {
    func ask() -> Answer { call(original[keyPath: endpoint]) }
    return scope.read(name, standIn: ask(), live: ask)
  }
}
