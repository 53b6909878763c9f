import Glibc

/// Strings as C passes them to a program: pointers, the last one nil.
@safe struct CStrings: ~Copyable {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [String]) {
        unsafe pointers = strings.map { unsafe strdup($0) } + [nil]
    }

    deinit {
        unsafe pointers.forEach { unsafe free($0) }
    }
}
