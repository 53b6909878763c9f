import ArgumentParser
import DeferredLoading

/// The price of work, as given on the command line.
enum PriceChoice: ExpressibleByArgument, Equatable {
    /// Measured, as in a program.
    case measured
    case fixed(WorkPrice)

    init?(argument: String) {
        switch argument {
        case "auto": self = .measured
        case "neutral": self = .fixed(.neutral)
        default:
            guard let seconds = Double(argument), (0...1e6).contains(seconds) else { return nil }
            self = .fixed(WorkPrice(secondsInView: seconds))
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .measured: "auto"
        case .fixed(.neutral): "neutral"
        case .fixed(let price): "\(price.secondsInView)"
        }
    }

    /// The least and the greatest price.
    var range: ClosedRange<WorkPrice> {
        switch self {
        case .measured: .free ... .highest
        case .fixed(let price): price...price
        }
    }
}
