import ImageLoading
import LullTesting
import ReplayText

/// The report on decoding one picture.
struct ThumbnailReport {
    /// The outcome.
    enum Outcome {
        case ok
        case failed(PictureError)
        /// The picture was decoded, but couldn't be written, with the reason.
        case unwritable(String)
    }

    let file: String
    var outcome = Outcome.ok
    /// The header of the file; nil if it isn't valid.
    var header: PictureHeader?
    /// The origin of the pixels.
    var source = PictureJob.Source.picture
    var thumbnail: PixelSize?
    /// The mean red, green and blue of the quarters over white: upper left, upper right, lower
    /// left, lower right.
    var quadrants: [[Int]]?
    var steps = 0
    var longestStep = Duration.zero
    var cpuTime = Duration.zero
    var peakMemoryGrowth: Int64 = 0

    init(file: String) { self.file = file }

    /// The exit status: 65 for an invalid picture, 66 for a file that can't be opened, read or
    /// written.
    var status: Int32 {
        switch outcome {
        case .ok: 0
        case .unwritable: 66
        case .failed(let error):
            switch error.reason {
            case .cannotOpen, .cannotRead, .notARegularFile: 66
            default: 65
            }
        }
    }

    private var result: String {
        switch outcome {
        case .ok: "ok"
        case .unwritable: "fail"
        case .failed(let error):
            switch error.reason {
            case .tooLarge, .tooSlow: "limit"
            case .unsupported: "unsupported"
            default: "fail"
            }
        }
    }

    private var reason: String? {
        switch outcome {
        case .ok: nil
        case .unwritable(let reason): reason
        case .failed(let error): "\(error.reason)"
        }
    }

    /// The report as a JSON object.
    var json: JSON { .members(members) }

    /// The report with a line for each known member.
    var text: String {
        members.compactMap { name, value -> String? in
            if case .digits("null") = value { return nil }
            let label = name.replacing("_", with: " ").padded(to: 24)
            if case .text(let text) = value { return label + printable(text) }
            return label + value.rendered
        }.joined(separator: "\n")
    }

    private var members: [(String, JSON)] {
        func whole(_ value: Int?) -> JSON { value.map { .integer($0) } ?? .null }
        func text(_ value: String?) -> JSON { value.map { .text($0) } ?? .null }
        return [
            ("result", .text(result)),
            ("reason", text(reason)),
            ("format", text(header.map { String($0.format.mediaType.dropFirst("image/".count)) })),
            ("width", whole(header?.size.width)),
            ("height", whole(header?.size.height)),
            ("orientation", whole(header?.orientation.rawValue)),
            ("oriented_width", whole(header?.orientedSize.width)),
            ("oriented_height", whole(header?.orientedSize.height)),
            ("thumbnail_width", whole(thumbnail?.width)),
            ("thumbnail_height", whole(thumbnail?.height)),
            (
                "quadrants",
                quadrants.map { .list($0.map { .list($0.map { .integer($0) }) }) } ?? .null
            ),
            ("steps", .integer(steps)),
            ("longest_step_ns", .nanoseconds(longestStep)),
            ("cpu_ns", .nanoseconds(cpuTime)),
            ("peak_rss_growth_bytes", .integer(peakMemoryGrowth)),
            ("variant", text(header?.format.trait)),
            ("source", source == .embeddedThumbnail ? .text("embedded") : .text("picture")),
            ("file", .text(file)),
        ]
    }
}

extension PictureFormat {
    /// The word before the format's name that describes a special property of the file.
    fileprivate var trait: String? {
        let words = name.split(separator: " ")
        return words.count > 1 ? String(words[0]) : nil
    }
}
