public import ArgumentParser
public import Laboratory
internal import DeferredLoading
public import LullTesting
public import ScrollModel

// Rules are named on the command line like cases of an enumeration.
extension NamedPolicy: ExpressibleByArgument, CaseIterable, RawRepresentable {
    /// All rules.
    public static var allCases: [NamedPolicy] { all }

    /// Creates the rule of a name; nil if there is none.
    public init?(rawValue: String) {
        guard let rule = NamedPolicy.named(rawValue) else { return nil }
        self = rule
    }

    /// The rule's name.
    public var rawValue: String { name }

    /// The text for a default in the help.
    public var defaultValueDescription: String { name }

    /// The values in help and completions.
    public static var allValueStrings: [String] { all.map(\.name) }

    static var visible: NamedPolicy { ofThatName("visible") }
    static var within3: NamedPolicy { ofThatName("within3") }
    static var value: NamedPolicy { ofThatName("value") }

    /// Returns the rule of a name that is known to exist.
    private static func ofThatName(_ name: String) -> NamedPolicy {
        guard let rule = named(name) else { preconditionFailure("a rule is called \(name)") }
        return rule
    }
}

enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
}

extension Scheduling: ExpressibleByArgument {}
extension Setting: @retroactive ExpressibleByArgument {}
extension ReplayOptions.Clock: @retroactive ExpressibleByArgument {}
extension ReplayOptions.Target: @retroactive ExpressibleByArgument {}
extension FlingModelName: @retroactive ExpressibleByArgument {}

/// The options of all commands that play replays.
struct ReplayArguments: ParsableArguments {
    @Option(help: "The clock: virtual (the same figures everywhere) or real.")
    var clock = ReplayOptions.Clock.virtual

    @Option(help: "What loads cost: sets --cost and --latency.")
    var setting = Setting.standard

    @Option(help: "The least that a load costs, in ms; the most is 16 times that.")
    var cost: Double?

    @Option(help: "How long a fetch before each load takes, in ms.")
    var latency: Double?

    @Option(help: "How many fetches run at once.")
    var fetches = 4

    @Option(help: "How many lanes loads run on beside the loop, simulated; 0: on the loop.")
    var lanes = 0

    @Option(
        help: "How many loaded rows the loader keeps; none: all, and nothing unwanted is finished.")
    var memory = LimitChoice(LoaderConfiguration().capacity)

    @Flag(help: "Tell rules what each row's load will cost.")
    var hints = false

    @Flag(help: "Tell the loader which rows cost about the same, so that it learns their costs.")
    var kinds = false

    @Option(
        help: """
            The price of work: auto (measured, as in a program), neutral, or the seconds in view that \
            a second of work must gain.
            """)
    var price = PriceChoice.measured

    @Option(help: "How many loads may wait in the queue, or none for no bound.")
    var queueLimit = LimitChoice(ReplayOptions().queueLimit)

    @Option(help: "What the costs are drawn from.")
    var seed: UInt64 = 1

    @Option(help: "Frames a second (default: the trace's index or itself, else 60).")
    var hz: Int?

    @Flag(help: "Begin with nothing loaded instead of the first screen.")
    var cold = false

    @Option(help: "Where a landing is known from: the trace itself, or the fingers and a model.")
    var target = ReplayOptions.Target.model

    @Option(help: "The model of the list's scroller.")
    var model = FlingModelName.chromium

    @Option(help: "How far in px a finger moves before the list follows, in a trace of fingers.")
    var slop = 0.0

    @OptionGroup var list: ListArguments

    @Option(help: "The height of every row, in px (default 80).")
    var rowHeight: Double?

    @Option(help: "How many rows of that height (default 5000).")
    var rows: Int?

    @Option(help: "How many pictures share a row, side by side, as in a grid.")
    var columns = 1

    @Option(help: "Where the list is at first, in px, if the trace doesn't say.")
    var start = 0.0

    @Option(
        help: "A folder of JPEG, PNG, WebP and GIF pictures to load for the rows.",
        completion: .directory)
    var images: String?

    @Option(help: "How to print the figures.")
    var format = Format.text

    func validate() throws {
        try check("--cost", cost ?? 0, 0...1e6)
        try check("--latency", latency ?? 0, 0...1e6)
        try check("--fetches", Double(fetches), 1...4096)
        try check("--lanes", Double(lanes), 0...64)
        try check("--hz", Double(hz ?? 60), 1...1000)
        try check("--row-height", rowHeight ?? 80, 0.01...1e6)
        try check("--rows", Double(rows ?? 5000), 1...1e9)
        try check("--columns", Double(columns), 1...1000)
        try check("--slop", slop, 0...1e6)
        try check("--start", start, 0...1e12)
        if lanes > 0, clock == .real {
            throw ValidationError("--lanes are simulated, on the virtual clock alone")
        }
        if list.rowHeights != nil, rowHeight != nil || rows != nil {
            throw ValidationError("--row-heights says all that --row-height and --rows do")
        }
    }

    /// Returns the options of a replay from the command line.
    func options(scheduling: Scheduling, hz: Int) -> ReplayOptions {
        var options = ReplayOptions()
        options.schedule(by: scheduling)
        options.clock = clock
        options.cost = cost.map { .microseconds(Int64(($0 * 1000).rounded())) } ?? setting.cost
        options.latency =
            latency.map { .microseconds(Int64(($0 * 1000).rounded())) } ?? setting.latency
        options.fetches = fetches
        options.lanes = lanes
        options.queueLimit = queueLimit.limit
        if let rows = memory.limit {
            options.limits.capacity = rows
        } else {
            options.limits = .model
        }
        options.hasHints = hints
        options.hasKinds = kinds
        options.limits.prices = price.range
        options.seed = seed
        options.hz = hz
        options.isWarm = !cold
        options.target = target
        options.scroller = Scroller(model)
        options.slop = slop
        return options
    }

    /// The heading of the figures.
    var settingName: String {
        cost == nil && latency == nil ? setting.rawValue : "custom"
    }
}
