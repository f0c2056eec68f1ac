public import ActionLog

/// A step from one version of a feature's schema to the next, which changes the values of older logs.
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
/// The values are JSON, as a log has them. The header of a log has its version; without one it has version 1.
public struct Migration: Sendable {
  /// The version at which the step begins; it leads to the next number.
  public let version: Int
  let state: Change<JSON>
  let action: Change<JSON>
  let read: Change<Read>
  let call: Change<LogEvent.Call>
  let input: Change<Input>
  let cancelID: Change<EffectDescription.CancelID>

  /// A change of a value to that of the next version.
  public typealias Change<Value> = @Sendable (inout Value) throws -> Void

  /// A step; what it does not change stays.
  ///
  /// - Parameters:
  ///   - version: The version at which it begins.
  ///   - state: Changes a state.
  ///   - action: Changes an action, also one that an effect sends.
  ///   - read: Changes a value that the reducer read, or the name of its dependency.
  ///   - call: Changes a call that an effect made of a dependency.
  ///   - input: Changes the input of an effect, or its name.
  ///   - cancelID: Changes an id by which effects are cancelled.
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

  /// A value that a reducer read.
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
    /// The name of the dependency, or of the endpoint: `date`, `prices.price`.
    public var key: String
    /// The value that it returned.
    public var value: JSON
    private(set) var isRemoved = false
    private(set) var added: [Read] = []

    init(key: String, value: JSON) { (self.key, self.value) = (key, value) }

    /// Takes the read out of the log: the code no longer makes it.
    public mutating func remove() { isRemoved = true }

    /// Adds a read after this one: the code makes it, too.
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
    /// The name that the app gave the effect.
    public var name: String?
    /// The values that the app passed to it; `null` when it passed none.
    public var value: JSON
  }
}
