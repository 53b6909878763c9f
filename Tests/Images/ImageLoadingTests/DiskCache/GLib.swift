import Glibc
import TestSupport

/// What GLib, which the programs of a desktop share, says of a file's thumbnails.
struct GLib {
    static let program = "/usr/bin/gio"
    static var isInstalled: Bool { unsafe access(program, X_OK) == 0 }

    /// The attributes of each file, in the order of the files.
    static func thumbnails(of files: [String], cacheHome: String) throws -> [[String: String]] {
        let environment = ["XDG_CACHE_HOME=\(cacheHome)", "PATH=/usr/bin", "HOME=/nonexistent"]
        let command =
            ["/usr/bin/env", "-i"] + environment + [program, "info", "-a", "thumbnail::*"]
        let output = try Command(command + files).output
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
}
