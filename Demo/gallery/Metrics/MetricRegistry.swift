/// All families, with a limit on the number of series in them.
struct MetricRegistry: Sendable {
    private let configuration: PrometheusConfiguration
    private var families: [String: MetricFamily] = [:]
    private var taken: Set<String> = []
    private var seriesCount = 0
    private let refused = CounterSeries()

    init(_ configuration: PrometheusConfiguration) {
        precondition(configuration.series > 0, "there is a series that counts what is refused")
        self.configuration = configuration
        let refused = refused
        _ = series(.counter, "metrics_refused", []) { refused }
    }

    /// Returns the series of a metric, which is created if it doesn't exist; a rejected one isn't
    /// registered.
    mutating func series<Series: MetricSeries>(
        _ kind: MetricKind, _ label: String, _ dimensions: [(String, String)],
        _ make: () -> Series
    ) -> Series {
        let name = kind.family(of: label)
        let labels = SeriesLabels(dimensions, longest: configuration.labelLength)
        if families[name]?.kind == kind, let series = families[name]?.series[labels] as? Series {
            return series
        }
        let series = make()
        if seriesCount < configuration.series, makeFamily(name, kind, label) {
            families[name]?.series[labels] = series
            seriesCount += 1
        } else {
            refused.increment(by: 1.0)
        }
        return series
    }

    /// Removes a series, and its family if it was the last.
    mutating func remove(_ series: any MetricSeries) {
        guard series !== refused else { return }
        for (name, family) in families {
            guard let labels = family.series.first(where: { $0.value === series })?.key
            else { continue }
            families[name]?.series[labels] = nil
            seriesCount -= 1
            guard families[name]?.series.isEmpty == true else { return }
            families[name] = nil
            taken.subtract(family.kind.names(of: name))
            return
        }
    }

    /// The text of all families.
    var text: String {
        var text = ExpositionText()
        for (_, family) in families.sorted(by: { $0.key < $1.key }) { family.write(to: &text) }
        return text.text
    }

    /// Returns whether there is a family of this name and kind, which is created if the name is
    /// free.
    private mutating func makeFamily(_ name: String, _ kind: MetricKind, _ label: String) -> Bool {
        if let family = families[name] { return family.kind == kind }
        let names = kind.names(of: name)
        guard taken.isDisjoint(with: names) else { return false }
        taken.formUnion(names)
        let help = configuration.help[label] ?? MetricHelp.known[label]
        families[name] = MetricFamily(name: name, kind: kind, help: help)
        return true
    }
}
