public import ActionLog

/// A migration step from one version of a feature's schema to the next, which changes the values of older logs.
///
/// ```swift
/// Migration(from: 1) { state in
///   try state.move(from: "/name", to: "/user/name")
/// } action: { action in
///   try action.move(from: "/renamed", to: "/nameChanged")
/// } read: { read in
///   if read.key == "prices.price" { try read.value.wrap("", in: "cents") }
/// }
/// ```
///
/// The closures receive values in the log's JSON format. The header of a log contains the log's version. A log without
/// a version has version 1.
public struct Migration: Sendable {
  /// The version from which the step migrates to the next version.
  public let version: Int
  let state: Change<JSON>
  let action: Change<JSON>
  let read: Change<Read>
  let call: Change<LogEvent.Call>
  let input: Change<Input>
  let cancelID: Change<EffectDescription.CancelID>

  /// A function that converts a value to the next version.
  public typealias Change<Value> = @Sendable (inout Value) throws -> Void

  /// Creates a step from a version to the next one.
  ///
  /// Values for which no closure is given stay unchanged.
  ///
  /// - Parameters:
  ///   - version: The version from which the step migrates.
  ///   - state: A closure that changes a state.
  ///   - action: A closure that changes an action, including the action of a `send` effect.
  ///   - read: A closure that changes the value or the key of a read.
  ///   - call: A closure that changes a call that an effect made to a dependency.
  ///   - input: A closure that changes the input or the name of an effect.
  ///   - cancelID: A closure that changes a cancellation ID.
  public init(
    from version: Int,
    state: @escaping Change<JSON> = { _ in },
    action: @escaping Change<JSON> = { _ in },
    read: @escaping Change<Read> = { _ in },
    call: @escaping Change<LogEvent.Call> = { _ in },
    input: @escaping Change<Input> = { _ in },
    cancelID: @escaping Change<EffectDescription.CancelID> = { _ in }
  ) {
    self.version = version
    self.state = state
    self.action = action
    self.read = read
    self.call = call
    self.input = input
    self.cancelID = cancelID
  }

  /// A read that a reducer made of a dependency.
  ///
  /// ```swift
  /// Migration(from: 1, read: { read in
  ///   if read.key == "api.user" {
  ///     read.key = "api.name"
  ///     read.add("api.email", value: read.value["email"] ?? "")
  ///     read.value = read.value["name"] ?? ""
  ///   }
  /// })
  /// ```
  public struct Read: Sendable {
    /// The name of the dependency or the endpoint, such as `date` or `prices.price`.
    public var key: String
    /// The value that the dependency returned.
    public var value: JSON
    private(set) var isRemoved = false
    private(set) var added: [Read] = []

    init(key: String, value: JSON) { (self.key, self.value) = (key, value) }

    /// Removes the read from the log, because the code no longer makes it.
    public mutating func remove() { isRemoved = true }

    /// Adds a read after this one, because the code now makes both.
    public mutating func add(_ key: String, value: JSON) {
      added.append(Read(key: key, value: value))
    }
  }

  /// The input of an effect.
  ///
  /// ```swift
  /// Migration(from: 1, input: { input in
  ///   if input.name == "save" { try input.value.move(from: "/title", to: "/name") }
  /// })
  /// ```
  public struct Input: Sendable {
    /// The name that the app has given to the effect, or `nil` if it has none.
    public var name: String?
    /// The input values of the effect, or `null` if it has none.
    public var value: JSON
  }
}
