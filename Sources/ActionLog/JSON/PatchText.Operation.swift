extension PatchText {
  /// An operation of a patch.
  package struct Operation {
    /// Which operation of the patch, counted from 0.
    let index: Int
    let form: Form

    /// How an operation is written.
    enum Form {
      /// As recorders write: a pointer without escapes, and a value, which a removal has not.
      case plain(Kind, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>)
      /// In another way, or another operation: the whole of it.
      case other(UnsafeBufferPointer<UInt8>)
    }

    /// What an operation that recorders write does.
    enum Kind {
      case add, remove, replace

      /// What stands before the path.
      var opening: StaticString {
        switch self {
        case .add: #"{"op":"add","path":""#
        case .remove: #"{"op":"remove","path":""#
        case .replace: #"{"op":"replace","path":""#
        }
      }
    }

    /// What stands between the closing quote of the path and the value.
    static var valueName: StaticString { #","value":"# }
  }
}

extension PatchText.Operation {
  /// The operation as a value.
  package var operation: JSON.Patch.Operation {
    switch form {
    case .plain(.add, let path, let value): .add(Self.pointer(path), Self.json(value))
    case .plain(.remove, let path, _): .remove(Self.pointer(path))
    case .plain(.replace, let path, let value): .replace(Self.pointer(path), Self.json(value))
    case .other(let text): Self.operation(text)
    }
  }

  /// Its path, where it is written as recorders write: without escapes.
  package var path: UnsafeBufferPointer<UInt8>? {
    if case .plain(_, let path, _) = form { path } else { nil }
  }

  /// Its value, where it has one and is written as recorders write.
  package var value: UnsafeBufferPointer<UInt8>? {
    switch form {
    case .plain(.add, _, let value), .plain(.replace, _, let value): value
    case .plain(.remove, _, _), .other: nil
    }
  }

  /// Whether it adds a value.
  package var isAddition: Bool { if case .plain(.add, _, _) = form { true } else { false } }

  private static func pointer(_ text: UnsafeBufferPointer<UInt8>) -> JSON.Pointer {
    guard case .success(let tokens) = JSON.Pointer.tokens(of: text) else { return JSON.Pointer() }
    return JSON.Pointer(tokens)
  }

  /// A value that was skimmed, so that it is one.
  private static func json(_ text: UnsafeBufferPointer<UInt8>) -> JSON {
    (try? JSON(parsing: text)) ?? .null
  }

  /// An operation that was skimmed, so that it is one.
  private static func operation(_ text: UnsafeBufferPointer<UInt8>) -> JSON.Patch.Operation {
    (try? JSON.Patch.Operation(json: json(text))) ?? .test(JSON.Pointer(), .null)
  }

  /// Applies the operation to a value, which is changed where it is when nothing else holds it.
  ///
  /// - Throws: `JSON.Patch.ApplyError`; the value stays as it was.
  package func apply(to json: inout JSON) throws(JSON.Patch.ApplyError) {
    let isDone =
      switch form {
      case .plain(.add, let path, let value): json.put(Self.json(value), at: path, isNew: true)
      case .plain(.replace, let path, let value):
        json.put(Self.json(value), at: path, isNew: false)
      case .plain(.remove, let path, _): json.put(nil, at: path, isNew: false)
      case .other: false
      }
    if isDone { return }
    // The long way, which also finds the words for what is wrong.
    let operation = operation
    do throws(JSON.Patch.ApplyError) { try JSON.Patch([operation]).apply(to: &json) } catch {
      throw JSON.Patch.ApplyError(index: index, operation: operation, problem: error.problem)
    }
  }
}
