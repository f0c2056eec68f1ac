extension Messages {
  static let unknownXCTest = """
    This version of XCTest is not known to TCACore, which cannot learn from it that a test begins. Default values of \
    dependencies stay from one test case to the next. Set the dependencies of each test, or update the package.
    """

  static let unknownSwiftTesting = """
    This version of Swift Testing is not known to TCACore. Issues are written as warnings, and fail no test. Update the \
    package.
    """
}
