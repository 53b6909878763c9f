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
                throw ConfigurationError(path, nil, Self.line(error))
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

    /// Returns what the parser says of an error, in one line.
    private static func line(_ error: any Error) -> String {
        GalleryCommand.message(for: error).split(separator: "\n").joined(separator: " ")
    }

    /// Checks a file as if it were the only arguments, and if they are wrong, each line to find the
    /// one.
    private static func check(_ file: ConfigurationFile) throws(ConfigurationError) {
        var found: Set<String> = []
        for setting in file.settings {
            let isNew = found.insert(setting.name).inserted || lists.contains(setting.name)
            guard isNew, setting.name != "config" else {
                let reason = isNew ? "is for the command line only" : "is set already"
                throw ConfigurationError(file.path, setting.line, "'\(setting.name)' \(reason)")
            }
        }
        let options = file.settings.filter { $0.name != "folder" }
        guard let reason = reason(against: options) else { return }
        for option in options {
            if let reason = Self.reason(against: [option]) {
                throw ConfigurationError(file.path, option.line, reason)
            }
        }
        throw ConfigurationError(file.path, nil, reason)
    }

    /// Returns why options are wrong; nil if they aren't.
    private static func reason(against options: [ConfigurationFile.Setting]) -> String? {
        do {
            _ = try GalleryCommand.parse(options.map(\.argument))
            return nil
        } catch  where GalleryCommand.exitCode(for: error) == .success {
            return "'\(options.first?.name ?? "")' is for the command line only"
        } catch {
            return line(error)
        }
    }
}

extension ConfigurationFile.Setting {
    /// The setting on a command line.
    fileprivate var argument: String { "--\(name)=\(value)" }
}
