import Foundation

/// A folder that is gone with the object, with all that is in it then.
final class ScratchFolder {
  let path: String

  init() throws(StreamError) {
    path = NSTemporaryDirectory() + "/tca-replay-\(UUID().uuidString)"
    // Before it is there, so that no signal comes in between.
    Leftovers.add(path)
    guard mkdir(path, 0o700) == 0 else {
      let code = errno
      Leftovers.forget(path)
      throw StreamError(name: path, code: code, isCreation: true)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    Leftovers.forget(path)
  }
}
