internal import ArgumentParser
internal import Glibc
internal import ImageLoading

/// The options in effect: those of the command line, and for the others those of the configuration
/// file, which may have changed when it is read again.
struct Configuration {
    let command: GalleryCommand
    /// The values in the file that the command line doesn't replace, by option.
    private let values: [String: [String]]

    /// The options that may be given several times.
    static let lists: Set = ["listen", "host", "trusted-proxy"]
    /// The options that change when the file is read again.
    static let reloadable: Set = [
        "host", "connections", "connections-per-address", "clients", "clients-per-address",
        "trusted-proxy", "request-log", "log-level",
    ]

    /// Parses arguments, and reads the file that they or the service manager name.
    init(_ arguments: [String]) throws {
        let own = try GalleryCommand.parse(arguments)
        var command = own
        var values: [String: [String]] = [:]
        if let path = own.configurationFile {
            let file = try ConfigurationFile(path)
            try Self.check(file)
            let words = arguments.prefix { $0 != "--" }
            let settings = file.settings.filter { setting in
                !words.contains { "\($0)=".hasPrefix("--\(setting.name)=") }
                    && (setting.name != "folder" || own.folder == nil)
            }
            do {
                let words = settings.filter { $0.name != "folder" }.map(\.argument)
                command = try GalleryCommand.parse(words + arguments)
            } catch {
                throw ConfigurationError(path, nil, GalleryCommand.message(for: error))
            }
            values = Dictionary(grouping: settings, by: \.name).mapValues { $0.map(\.value) }
            command.folder = command.folder ?? values["folder"]?.first
        }
        guard command.folder != nil else {
            throw ValidationError("Missing expected argument '<folder>'")
        }
        self.command = command
        self.values = values
    }

    /// Returns the options that differ from those that the program started with, and can't change
    /// before it starts anew.
    func changesForRestart(since start: Configuration) -> [String] {
        Set(values.keys).union(start.values.keys).subtracting(Self.reloadable)
            .filter { values[$0] != start.values[$0] }.sorted()
    }

    /// Checks each line as if it were the only argument.
    private static func check(_ file: ConfigurationFile) throws(ConfigurationError) {
        var found: Set<String> = []
        for setting in file.settings {
            var reason: String?
            if !found.insert(setting.name).inserted, !lists.contains(setting.name) {
                reason = "'\(setting.name)' is set already"
            } else if setting.name != "folder" {
                do {
                    _ = try GalleryCommand.parse([setting.argument])
                    if setting.name == "config" { throw CleanExit.message("") }
                } catch  where GalleryCommand.exitCode(for: error) == .success {
                    reason = "'\(setting.name)' is for the command line only"
                } catch {
                    reason = GalleryCommand.message(for: error)
                }
            }
            if let reason { throw ConfigurationError(file.path, setting.line, reason) }
        }
    }
}

extension ConfigurationFile.Setting {
    /// The setting on a command line.
    fileprivate var argument: String { "--\(name)=\(value)" }
}
