public import ArgumentParser
public import GalleryKit
public import GalleryWeb
public import Logging

extension WebAddress: ExpressibleByArgument {
    /// Parses an argument; nil if it isn't an address.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension BasePath: ExpressibleByArgument {
    /// Parses an argument; nil if it isn't a plain path.
    public init?(argument: String) {
        self.init(argument)
    }

    /// The path, for the default in the help.
    public var defaultValueDescription: String { "/" }
}

extension ThumbnailStrategy: ExpressibleByArgument {}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// The place of metrics.
enum MetricsPlace: ExpressibleByArgument, Equatable {
    /// Nowhere.
    case none
    /// With everything else, for all clients.
    case same
    /// A listener of their own.
    case at(WebAddress)

    init?(argument: String) {
        switch argument {
        case "none": self = .none
        case "same": self = .same
        default:
            guard let address = WebAddress(argument) else { return nil }
            self = .at(address)
        }
    }
}

/// The process that decodes files.
enum DecodingProcess: String, CaseIterable, ExpressibleByArgument {
    /// The server's own process.
    case inProcess = "in-process"
    /// A helper process that can't open files, start programs or access the network.
    case helper
}
