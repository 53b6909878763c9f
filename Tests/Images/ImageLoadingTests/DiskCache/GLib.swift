import Glibc

/// What GLib, which the programs of a desktop share, says of a file's thumbnails.
struct GLib {
    static let program = "/usr/bin/gio"
    static var isInstalled: Bool { unsafe access(program, X_OK) == 0 }

    /// The attributes of each file, in the order of the files.
    static func thumbnails(of files: [String], cacheHome: String) -> [[String: String]] {
        let output = run(
            [program, "info", "-a", "thumbnail::*"] + files,
            environment: ["XDG_CACHE_HOME=\(cacheHome)", "PATH=/usr/bin", "HOME=/nonexistent"])
        var all: [[String: String]] = []
        for line in output.split(separator: "\n") {
            if line.hasPrefix("uri: ") { all.append(["uri": String(line.dropFirst(5))]) }
            let parts = line.drop { $0 == " " }.split(separator: ": ", maxSplits: 1)
            guard parts.count == 2, parts[0].hasPrefix("thumbnail::"), !all.isEmpty else {
                continue
            }
            all[all.count - 1][String(parts[0].dropFirst(11))] = String(parts[1])
        }
        return all
    }

    private static func run(_ command: [String], environment: [String]) -> String {
        var ends: [Int32] = [0, 0]
        unsafe pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var words: [UnsafeMutablePointer<CChar>?] = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var process = pid_t()
        let status = unsafe posix_spawn(&process, command[0], &actions, nil, &words, &variables)
        close(ends[1])
        defer { close(ends[0]) }
        guard status == 0 else { return "" }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = unsafe read(ends[0], &piece, piece.count), count > 0 {
            bytes += piece[..<count]
        }
        var ended: Int32 = 0
        while unsafe waitpid(process, &ended, 0) < 0, errno == EINTR {}
        return String(decoding: bytes, as: UTF8.self)
    }
}
