import Glibc

/// Makes a folder of its own for a test, which removes it, and gives its path.
public func makeTemporaryFolder(_ name: String) -> String {
    var template = Array("\(P_tmpdir)/\(name)-XXXXXX".utf8CString)
    return unsafe template.withUnsafeMutableBufferPointer { buffer in
        guard let path = unsafe mkdtemp(buffer.baseAddress!) else {
            preconditionFailure("a test can make a temporary folder")
        }
        return unsafe String(cString: path)
    }
}
