extension AnyCasePath {
  /// Makes a case path of generated functions.
  ///
  /// These capture nothing but the generic parameters of the enum, so they can go anywhere. The language does not see that
  /// of cases as functions in Swift 5, nor of parameters whose metatypes might be bound to an actor.
  public init(
    _$embed embed: @escaping (Value) -> Root,
    extract: @escaping (Root) -> Value?
  ) {
    nonisolated(unsafe) let embed = embed
    nonisolated(unsafe) let extract = extract
    self.init(embed: { embed($0) }, extract: { extract($0) })
  }
}
