/// An effect in a log: a leaf with an operation, or a group of effects.
///
/// ```json
/// {"id":"1.0","op":"run","name":"save","cancelID":{"type":"CancelID","value":{"save":{}}},"priority":"low"}
/// ```
///
/// ```swift
/// for effect in change.effects.flatMap(\.flattened) where !effect.isInternal {
///   print(effect.operation, effect.name ?? "-", effect.priority ?? "-")  // run save low
/// }
/// ```
public struct EffectDescription: Sendable, Equatable {
  /// The kind of effect: a leaf's operation, or the order in which a group starts its effects.
  public var operation: Operation
  /// The effect's id in the log.
  ///
  /// `nil` for groups, cancellations, and effects that the library added.
  public var id: EffectID?
  /// The name that the app gave the effect, if any.
  public var name: String?
  /// The id under which the effect can be canceled, if any.
  ///
  /// In a `cancel` operation, the id under which it cancels effects.
  public var cancelID: CancelID?
  /// Whether the start of the effect cancels running effects with the same id.
  public var cancelInFlight = false
  /// The action that a `send` effect sends.
  public var action: JSON? {
    get { loggedAction?.json }
    set { loggedAction = newValue.map { JSONText($0) } }
  }
  /// The input values that the app declared for the effect, if any.
  public var input: JSON? {
    get { loggedInput?.json }
    set { loggedInput = newValue.map { JSONText($0) } }
  }
  /// The action, possibly as unparsed text.
  package var loggedAction: JSONText?
  /// The input, possibly as unparsed text.
  package var loggedInput: JSONText?
  /// The priority of the effect's task: `high`, `medium`, `low`, `background`, or a number.
  ///
  /// If `nil`, the task inherits the priority of the code that starts the effect.
  public var priority: String?
  /// The effect's location in the app's source.
  ///
  /// Informational: comparisons ignore it.
  public var source: String?
  /// Whether the library added the effect.
  ///
  /// Comparisons ignore such effects.
  public var isInternal = false
  /// Whether the effect was canceled before the checkpoint that lists it, while its operation had not returned.
  ///
  /// ```swift
  /// let ending = checkpoint.effects.filter(\.isCancelled)  // canceled, but still running
  /// ```
  public var isCancelled = false
  /// The effects in a group.
  public var effects: [EffectDescription] = []
  /// The members that this version doesn't know, kept for encoding.
  public var rest = JSON.Object()

  /// Creates a description that has only an operation.
  public init(_ operation: Operation) { self.operation = operation }

  /// The operation of an effect.
  ///
  /// ```json
  /// {"op":"concatenate","effects":[{"id":"1.0","op":"run"},{"id":"1.1","op":"send","action":{"saved":{}}}]}
  /// ```
  public enum Operation: String, Hashable, Sendable, CaseIterable {
    /// Runs a function of the app.
    case run
    /// Sends an action immediately.
    case send
    /// Cancels the effects under an id.
    case cancel
    /// Starts all of its effects concurrently.
    case merge
    /// Starts each of its effects when the previous one has ended.
    case concatenate
  }
}

extension EffectDescription: LogValue {
  package init(_ text: JSONText) throws(LogEvent.SyntaxError) {
    guard let effect = try EventMembers.effect(text) else {
      throw LogEvent.SyntaxError(
        kind: "change",
        member: "effects",
        expected: "an array of objects",
        found: text.json
      )
    }
    self = effect
  }

  init(_ members: inout EventMembers) throws(LogEvent.SyntaxError) {
    members.kind = Self.kind
    id = try members.optional("id", "a string such as \"1.0\"") { $0.string.flatMap(EffectID.init) }
    operation = try members.required(
      "op",
      "\"run\", \"send\", \"cancel\", \"merge\" or \"concatenate\""
    ) {
      $0.string.flatMap(Operation.init(rawValue:))
    }
    name = try members.optional("name", "a string") { $0.string }
    cancelID = try members.optional("cancelID", "an object with 'type' and 'value'") {
      CancelID(json: $0.json)
    }
    cancelInFlight = try members.optional("cancelInFlight", "a boolean") { $0.bool } ?? false
    loggedAction = members.text("action")?.detached
    loggedInput = members.text("input")?.detached
    priority = try members.optional("priority", "a string") { $0.string }
    source = try members.optional("source", "a string") { $0.string }
    isInternal = try members.optional("internal", "a boolean") { $0.bool } ?? false
    isCancelled = try members.optional("cancelled", "a boolean") { $0.bool } ?? false
    effects = try members.effects()
    rest = members.rest
  }

  /// The name that error messages use for a description.
  private static let kind = "effect description"

  /// Encodes the description as a JSON object.
  ///
  /// Omits properties without a value.
  public func encode(to encoder: inout LogEncoder) {
    encoder.beginObject()
    encoder.field("id", ifPresent: id?.description)
    encoder.field("op", operation.rawValue)
    encoder.field("name", ifPresent: name)
    encoder.field("cancelID", ifPresent: cancelID?.json)
    if cancelInFlight { encoder.field("cancelInFlight", true) }
    encoder.field("action", ifPresent: loggedAction)
    encoder.field("input", ifPresent: loggedInput)
    encoder.field("priority", ifPresent: priority)
    encoder.field("source", ifPresent: source)
    if isInternal { encoder.field("internal", true) }
    if isCancelled { encoder.field("cancelled", true) }
    if !effects.isEmpty { encoder.field("effects", effects) }
    encoder.endEvent(rest)
  }

  /// Decodes a description that `encode(to:)` has encoded.
  ///
  /// - Throws: A `LogEvent.SyntaxError` that names the invalid member.
  public static func decode(
    from decoder: LogDecoder,
    over template: EffectDescription?
  ) throws -> EffectDescription {
    try EffectDescription(JSONText(decoder.json))
  }

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension EffectDescription {
  /// The effect and all effects inside it.
  ///
  /// A group precedes its effects.
  ///
  /// ```swift
  /// let names = change.effects.flatMap(\.flattened).compactMap(\.name)  // ["search", "save"]
  /// ```
  public var flattened: [EffectDescription] {
    var all: [EffectDescription] = []
    appendAll(to: &all)
    return all
  }

  /// Whether a cancellation id or an element of its path has a number above 1, because another one has the same text.
  package var hasAlikeID: Bool {
    flattened.compactMap(\.cancelID).contains { id in
      id.number > 1 || id.path.contains { $0.elementName.number > 1 }
    }
  }

  private func appendAll(to all: inout [EffectDescription]) {
    all.append(self)
    for effect in effects { effect.appendAll(to: &all) }
  }

  /// Whether the library added the effect, either for a child or to end the effects of a removed child.
  package var isOfLibrary: Bool {
    isInternal || operation == .cancel && cancelID?.type == Self.childEffects
  }

  /// The id under which the app cancels the effect.
  ///
  /// `nil` if there is none, or if the library chose the id for effects of child features.
  package var ownCancelID: CancelID? { cancelID?.type == Self.childEffects ? nil : cancelID }

  /// The type name of the ids that the library chooses for effects of child features.
  private static let childEffects = "ChildEffects"

  /// The effects that the app's code returned, without effects, groups, and ids that the library added.
  package var own: [EffectDescription] {
    guard !isOfLibrary else { return [] }
    var effect = self
    effect.cancelID = ownCancelID
    effect.effects = effects.flatMap(\.own)
    let isGroup = operation == .merge || operation == .concatenate
    guard isGroup, effect.cancelID == nil, effect.effects.count <= 1 else { return [effect] }
    return effect.effects
  }

  /// The parts of the description that are equal in two runs of the same code.
  ///
  /// Omits library effects, the source location, and unknown members. Values that are masked by their type have the
  /// same substitute. `nil` if no part is left.
  ///
  /// ```swift
  /// let isSame = recorded.effects.compactMap(\.comparable) == replayed.effects.compactMap(\.comparable)
  /// ```
  public var comparable: EffectDescription? {
    guard !isOfLibrary else { return nil }
    var result = self
    result.source = nil
    result.rest = JSON.Object()
    result.action = action?.ignoringSubstitutes
    result.input = input?.ignoringSubstitutes
    result.cancelID = cancelID?.ignoringSubstitutes
    result.effects = effects.compactMap(\.comparable)
    return result.regrouped(after: effects)
  }

  /// Returns a group from which library effects were removed, as it is described when code returns only what remains.
  ///
  /// - Parameter effects: The effects that the group contained.
  /// - Returns: The group, or its only effect, or `nil` if nothing remains.
  func regrouped(after effects: [EffectDescription]) -> EffectDescription? {
    guard self.effects.count < effects.count else { return self }
    guard self.effects.count == 1, let only = self.effects.first else {
      return self.effects.isEmpty ? nil : self
    }
    return cancelID == nil ? only : only.cancellable(like: self)
  }

  /// Returns this effect with the cancellation id of a group that contains nothing else.
  ///
  /// An effect has one id, so an effect that has one already stays in a group of its own.
  private func cancellable(like group: EffectDescription) -> EffectDescription {
    var result = self
    if operation == .cancel || cancelID != nil {
      result = EffectDescription(.merge)
      result.effects = [self]
    }
    result.cancelID = group.cancelID
    result.cancelInFlight = group.cancelInFlight
    return result
  }
}
