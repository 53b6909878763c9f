import DeferredLoading
import GalleryCatalogue
import GalleryFiles
import Testing

@testable import GalleryKit

/// The metrics, as Prometheus reads them, and who may.
struct MetricsTests {
    /// The values of the samples, by what is in front of them; all lines are well-formed.
    private func metrics(_ web: WebBench) -> [String: Double] {
        let answer = web.ask("/metrics")
        #expect(answer.status == 200 && answer.header("content-type") == MetricsPage.contentType)
        var values: [String: Double] = [:]
        var (families, family): (Set<Substring>, Substring) = ([], "")
        for line in answer.bodyText.split(separator: "\n") {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) [^\\]+/) {
                family = help.1
                #expect(families.insert(family).inserted, "\(line)")
            } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge)/) {
                #expect(type.1 == family && (type.2 == "counter") == family.hasSuffix("_total"))
            } else if let sample = line.wholeMatch(
                of: /(([a-z_]+)(?:\{[a-z]+="[^"\\]+"(?:,[a-z]+="[^"\\]+")*\})?) ([-+.e0-9]+)/)
            {
                #expect(sample.2 == family, "\(line)")
                let value = Double(sample.3) ?? .nan
                #expect(values.updateValue(value, forKey: String(sample.1)) == nil, "\(line)")
            } else {
                Issue.record("\(line)")
            }
        }
        return values
    }

    @Test func `the loop, its queues, the loader and the web server tell what they have counted`()
        throws
    {
        let web = try WebBench()
        let key = web.gallery.catalogue.entry(atPosition: 0).key.text
        #expect(web.ask("/thumbnails/\(key)").status == 200)
        #expect(web.ask("/nothing").status == 404)
        let told = metrics(web)
        let made = #"lull_queue_jobs_total{loop="gallery",queue="pictures",outcome="done"}"#
        let counted: [(name: String, value: Double)] = [
            ("gallery_rows", 3), ("gallery_pictures_made_total", 1), (made, 1),
            ("gallery_pictures_unfetched", 0),
            (#"lull_queue_accepted_total{loop="gallery",queue="pictures"}"#, 1),
            (#"lull_queue_waiting{loop="gallery",queue="reports"}"#, 0),
            (#"gallery_web_replies_total{status="2xx"}"#, 1),
            (#"gallery_web_replies_total{status="4xx"}"#, 1), ("gallery_web_accepted_total", 3),
        ]
        for (name, value) in counted { #expect(told[name] == value, "\(name)") }
        #expect(told["gallery_kept_bytes"] == Double(web.gallery.loader.byteCount))
        #expect(told[#"lull_loop_turns_total{loop="gallery"}"#] ?? 0 > 0)
    }

    @Test func `how the program runs isn't there for strangers`() throws {
        let web = try WebBench()
        web.showsMetrics = false
        let answer = web.ask("/metrics")
        #expect(answer.status == 404 && answer.bodyText == web.ask("/nothing").bodyText)
        #expect(web.ask("/healthz").status == 200)
    }

    @Test func `no address in a page or script begins at the root, as it may be below a path`()
        throws
    {
        let web = try WebBench()
        let addresses = #/["'`]\/\w/#
        for path in ["/"] + PageFiles.files.keys.filter({ $0.hasPrefix("/scripts") }) {
            let text = web.ask(path).bodyText
            #expect(!text.isEmpty && text.firstMatch(of: addresses) == nil, "\(path)")
        }
    }
}
