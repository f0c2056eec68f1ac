public import ActionLog

/// A request to run a feature live and record it: the steps, and the path of the log.
///
/// ```swift
/// let request = RecordRequest(
///   feature: "Counter", steps: [.send(["incrementButtonTapped": [:]]), .finish], path: "counter.jsonl", timeout: 10)
/// let summary = try await feature.record?(request)
/// ```
public struct RecordRequest: Sendable {
  /// The name of the feature for the log's header.
  public var feature: String
  /// The steps in order.
  public var steps: Steps
  /// The path of the log.
  ///
  /// If the file exists, the recorder uses a free name next to it.
  public var path: String
  /// The time limit in seconds, or `nil` for none.
  public var timeout: Double?
  /// Whether the log includes the calls that effects make to dependency clients.
  ///
  /// ```swift
  /// request.recordsCalls = true  // {"kind":"call","id":"1.0","key":"APIClient.fetch",…}
  /// ```
  public var recordsCalls = false
  /// A closure that receives the effects that a step waits for, if the wait is long.
  public var didWait: (@MainActor @Sendable (Waiting) -> Void)?
  /// The position in a log from which the feature resumes, or `nil` to start with its initial state.
  public var start: Start?
  /// A closure that receives the effects that were alive at the start position, and whether they were restarted.
  public var didResume: (@MainActor @Sendable (Resumed) -> Void)?
  /// A closure that receives the path of the log whenever events have been written to it.
  package var didWrite: (@Sendable (_ path: String) -> Void)?
  /// A closure that is called before the recording waits for an arriving step.
  package var willWait: (@MainActor @Sendable () async -> Void)?
  /// A closure that receives a step that can't be performed.
  ///
  /// Without it, such a step ends the recording.
  ///
  /// ```swift
  /// request.didRefuse = { error in print("step \(error.index): \(error.problem)") }
  /// ```
  public var didRefuse: (@MainActor @Sendable (StepError) -> Void)?

  /// A step of the script.
  ///
  /// ```swift
  /// let steps: [RecordRequest.Step] = [.send(["timerButtonTapped": [:]]), .wait(1.5), .finish]
  /// ```
  public enum Step: Sendable, Equatable {
    /// Sends an action, as a view does.
    case send(JSON)
    /// Waits for a number of seconds.
    case wait(Double)
    /// Waits until all running effects of the feature itself have ended.
    case finish
  }

  /// A position in a log from which a feature resumes.
  ///
  /// ```swift
  /// request.start = RecordRequest.Start(.file("bug.jsonl"), through: 12)
  /// ```
  public struct Start: Sendable, Equatable {
    /// The log.
    public var log: RecordedLog
    /// The number of the action after which the feature resumes, or `nil` for the last completed one.
    public var seq: Int?

    /// Creates a position in a log.
    public init(_ log: RecordedLog, through seq: Int? = nil) {
      self.log = log
      self.seq = seq
    }
  }

  /// The position from which a feature has resumed.
  ///
  /// ```swift
  /// request.didResume = { resumed in
  ///   for effect in resumed.left { print("\(effect.id) does not run") }
  /// }
  /// ```
  public struct Resumed: Sendable, Equatable {
    /// The number of the action after which the feature resumed.
    public let seq: Int
    /// The effects that were restarted.
    public let restarted: [RunningEffect]
    /// The effects that were alive but were not restarted.
    public let left: [RunningEffect]

    /// Creates a position with its effects.
    public init(seq: Int, restarted: [RunningEffect], left: [RunningEffect]) {
      self.seq = seq
      self.restarted = restarted
      self.left = left
    }
  }

  /// A sequence of steps that are read on demand, so that their number is not limited.
  ///
  /// ```swift
  /// RecordRequest.Steps {
  ///   var rest = 1_000
  ///   return {
  ///     rest -= 1
  ///     return rest < 0 ? nil : .send(["incrementButtonTapped": [:]])
  ///   }
  /// }
  /// ```
  public struct Steps: Sendable {
    /// A function that returns the next step, or `nil` after the last one.
    public typealias Reader = () throws -> Step?

    private let open: @Sendable () throws -> Reader
    /// The steps that arrive while the feature runs, or `nil` if all steps are available from the start.
    package let arriving: AsyncThrowingStream<Step, any Error>?

    /// Creates steps that are opened for each pass.
    ///
    /// A recording validates all of them before it starts.
    public init(_ open: @escaping @Sendable () throws -> Reader) {
      self.open = open
      arriving = nil
    }

    /// Creates steps that arrive while the feature runs, for example when a user types them.
    ///
    /// Each is performed on arrival.
    public init(arriving: AsyncThrowingStream<Step, any Error>) {
      open = { { nil } }
      self.arriving = arriving
    }

    /// Creates steps from an array.
    public init(_ steps: [Step]) {
      open = {
        var rest = steps.makeIterator()
        return { rest.next() }
      }
      arriving = nil
    }

    /// Starts a pass over the steps.
    ///
    /// ```swift
    /// let next = try request.steps.makeReader()
    /// while let step = try next() { print(step) }
    /// ```
    ///
    /// - Throws: An error if the steps can't be read.
    public func makeReader() throws -> Reader { try open() }
  }

  /// An effect that has not ended.
  ///
  /// ```swift
  /// let names = waiting.effects.map { $0.name ?? $0.id.description }  // ["tick"]
  /// ```
  public struct RunningEffect: Sendable, Equatable {
    /// The ID of the effect in the log.
    public let id: EffectID
    /// The name that the feature has given to the effect.
    public let name: String?
    /// The source location, such as `App/Todos.swift:88`.
    public let source: String?
    /// The action that started the effect.
    public let action: JSON?

    /// Creates the description of an effect.
    public init(id: EffectID, name: String? = nil, source: String? = nil, action: JSON? = nil) {
      self.id = id
      self.name = name
      self.source = source
      self.action = action
    }
  }

  /// A step that waits for effects.
  ///
  /// ```swift
  /// request.didWait = { waiting in
  ///   print("step \(waiting.index) waits for \(waiting.effects.count) effects")
  /// }
  /// ```
  public struct Waiting: Sendable, Equatable {
    /// The index of the step, from 0.
    public let index: Int
    /// The effects that have not ended, in the order of their start.
    public let effects: [RunningEffect]

    /// Creates the description of a waiting step.
    public init(index: Int, effects: [RunningEffect]) {
      self.index = index
      self.effects = effects
    }
  }

  /// An error that reports that the time limit was reached before the last step was completed.
  ///
  /// The log is closed and contains the actions up to then.
  ///
  /// ```swift
  /// do { _ = try await record(request) } catch let error as RecordRequest.TimeoutError {
  ///   print("step \(error.waiting.index) waited until \(error.seconds) s were over; see \(error.summary.path)")
  /// }
  /// ```
  public struct TimeoutError: Error {
    /// The time limit in seconds.
    public let seconds: Double
    /// The step that was waiting, and the effects that it waited for.
    public let waiting: Waiting
    /// The summary of the recording.
    public let summary: RecordSummary

    /// Creates the error.
    public init(seconds: Double, waiting: Waiting, summary: RecordSummary) {
      self.seconds = seconds
      self.waiting = waiting
      self.summary = summary
    }
  }

  /// An error about a step that can't be performed, for example because the feature has no such action.
  ///
  /// ```swift
  /// do { _ = try await record(request) } catch let error as RecordRequest.StepError {
  ///   print("step \(error.index): \(error.problem)")
  /// }
  /// ```
  public struct StepError: Error {
    /// The index of the step, from 0.
    public let index: Int
    /// The reason.
    public let problem: any Error

    /// Creates the error.
    public init(index: Int, problem: any Error) {
      self.index = index
      self.problem = problem
    }
  }

  /// Creates a request with an array of steps.
  public init(feature: String, steps: [Step], path: String, timeout: Double? = nil) {
    self.init(feature: feature, steps: Steps(steps), path: path, timeout: timeout)
  }

  /// Creates a request.
  public init(feature: String, steps: Steps, path: String, timeout: Double? = nil) {
    self.feature = feature
    self.steps = steps
    self.path = path
    self.timeout = timeout
  }
}

/// The result of a recording.
///
/// ```swift
/// let summary = try await record(request)
/// print("\(summary.actions) actions in \(summary.path)")  // 3 actions in counter-2.jsonl
/// ```
public struct RecordSummary: Sendable, Equatable {
  /// The path of the log.
  public var path: String
  /// The number of actions in the log, including those that effects sent.
  public var actions: Int

  /// Creates a summary.
  public init(path: String, actions: Int) {
    self.path = path
    self.actions = actions
  }
}
