// Preconditions that say what was wrong in release builds, too: those of the standard library then
// end the process without a word. They have its names, and take their place in every file that
// imports this module, as each with a precondition does.

/// Ends the process unless a condition holds, with a line on standard error that says so.
@inlinable @inline(__always)
package func precondition(
    _ condition: @autoclosure () -> Bool, _ text: @autoclosure () -> StaticString,
    file: StaticString = #fileID, line: UInt = #line
) {
    guard !condition() else { return }
    preconditionFailure(text(), file: file, line: line)
}

/// Ends the process, with a line on standard error that says why.
///
/// It isn't inlined: the code around a precondition stays small.
@usableFromInline @inline(never)
package func preconditionFailure(
    _ text: StaticString, file: StaticString = #fileID, line: UInt = #line
) -> Never {
    fatalError("\(text)", file: file, line: line)
}
