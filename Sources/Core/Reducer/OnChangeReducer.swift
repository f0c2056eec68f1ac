extension Reducer {
  /// Returns a reducer that calls a function after this reducer has changed a value.
  ///
  /// ```swift
  /// BindingReducer()
  ///   .onChange(of: \.query) { oldQuery, state in
  ///     .run { ... }
  ///   }
  /// ```
  ///
  /// The function isn't called again for its own changes.
  ///
  /// - Parameters:
  ///   - value: A function that reads the value from the state, called before and after this reducer.
  ///   - respond: A function that receives the old value and the state, and returns an effect.
  /// - Returns: A reducer that runs this one and then calls `respond` if the value has changed.
  @inlinable
  public func onChange<Value: Equatable>(
    of value: @escaping (State) -> Value,
    _ respond: @escaping (_ oldValue: Value, _ state: inout State) -> Effect<Action>
  ) -> some Reducer<State, Action> {
    OnChangeReducer(base: self, value: value, isSame: ==) { old, _, state, _ in respond(old, &state)
    }
  }

  /// Returns a reducer that runs another reducer with the same action after this one has changed a value.
  ///
  /// - Parameters:
  ///   - value: A function that reads the value from the state, called before and after this reducer.
  ///   - reducer: A builder of the other reducer, which receives the old and the new value.
  /// - Returns: A reducer that runs this one, and then the other one if the value has changed.
  @available(iOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @available(macOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @available(tvOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @available(watchOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @inlinable
  public func onChange<Value: Equatable, Response: Reducer<State, Action>>(
    of value: @escaping (State) -> Value,
    @ReducerBuilder<State, Action> _ reducer:
      @escaping (_ oldValue: Value, _ newValue: Value) -> Response
  ) -> some Reducer<State, Action> {
    self.onChange(of: value, removeDuplicates: ==, reducer)
  }

  /// Returns a reducer that runs another reducer with the same action after this one has changed a value.
  ///
  /// - Parameters:
  ///   - value: A function that reads the value from the state, called before and after this reducer.
  ///   - isDuplicate: A function that returns whether two values count as equal.
  ///   - reducer: A builder of the other reducer, which receives the old and the new value.
  /// - Returns: A reducer that runs this one, and then the other one if the value has changed.
  @available(iOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @available(macOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @available(tvOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @available(watchOS, deprecated: 9999, message: "Return an effect in place of a reducer.")
  @inlinable
  public func onChange<Value, Response: Reducer<State, Action>>(
    of value: @escaping (State) -> Value,
    removeDuplicates isDuplicate: @escaping (Value, Value) -> Bool,
    @ReducerBuilder<State, Action> _ reducer:
      @escaping (_ oldValue: Value, _ newValue: Value) -> Response
  ) -> some Reducer<State, Action> {
    OnChangeReducer(base: self, value: value, isSame: isDuplicate) { old, new, state, action in
      reducer(old, new)._reduce(into: &state, action: action)
    }
  }
}

@usableFromInline
struct OnChangeReducer<Base: Reducer, Value>: Reducer {
  @usableFromInline let base: Base
  @usableFromInline let value: (Base.State) -> Value
  @usableFromInline let isSame: (Value, Value) -> Bool
  @usableFromInline let respond:
    (Value, Value, inout Base.State, Base.Action) -> Effect<Base.Action>

  @inlinable
  init(
    base: Base,
    value: @escaping (Base.State) -> Value,
    isSame: @escaping (Value, Value) -> Bool,
    respond: @escaping (Value, Value, inout Base.State, Base.Action) -> Effect<Base.Action>
  ) {
    self.base = base
    self.value = value
    self.isSame = isSame
    self.respond = respond
  }

  @inlinable
  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let old = value(state)
    let effect = base._reduce(into: &state, action: action)
    let new = value(state)
    if isSame(old, new) { return effect }
    return effect.merge(with: respond(old, new, &state, action))
  }
}
