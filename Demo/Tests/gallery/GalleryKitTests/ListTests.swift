import GalleryCatalogue
import IdleLoop
import ReplayText
import ScrollModel
import Testing

@testable import GalleryKit

/// The list as browsers fetch it, with a script and without one.
struct ListTests {
    // MARK: - Without a script

    @Test func `names are escaped`() throws {
        let bench = try GalleryBench(rows: 0, title: "T & <T>") { files in
            files.makeFolder("a & b")
            try files.write("a & b/<i>\"x\" & 'y'.png")
        }
        let text = bench.plainPage(1)
        #expect(text.contains("<title>T &amp; &lt;T&gt;</title>"))
        #expect(text.contains("<h2>a &amp; b</h2>"))
        #expect(text.contains("&lt;i&gt;&quot;x&quot; &amp; &#39;y&#39;.png"))
        #expect(!text.contains("<i>"))
        #expect(text.contains("8 × 8"))
    }

    @Test func `pages that aren't there are the nearest that are`() throws {
        let bench = try GalleryBench(rows: 130)
        func text(_ page: Int) -> String { bench.plainPage(page) }
        let (first, last) = (text(1), text(3))
        for page in [0, -1, .min] { #expect(text(page) == first) }
        for page in [4, .max] { #expect(text(page) == last) }
        #expect(first.contains("1 of 3") && first.contains("href=\"?page=2\""))
        #expect(!first.contains("rel=\"prev\"") && !last.contains("rel=\"next\""))
        #expect(first.ranges(of: "<li>").count == 60 && last.ranges(of: "<li>").count == 10)
        #expect(last.contains("<b>129.png</b>") && !last.contains("<b>119.png</b>"))
    }

    @Test func `the folder itself is called as the gallery is`() throws {
        let bench = try GalleryBench(rows: 1, title: "Holidays")
        #expect(bench.plainPage(1).contains("<h2>Holidays</h2>"))
        #expect(try list(bench, from: 0).text.contains(#""sections":[["Holidays",0,1]]"#))
    }

    @Test func `a gallery without pictures says so`() throws {
        let bench = try GalleryBench(rows: 0)
        let text = bench.plainPage(1)
        #expect(text.contains("There are no pictures.") && !text.contains(" of "))
        #expect(try list(bench, from: 0).next == nil)
    }

    // MARK: - In parts

    /// A part of the list, what is in it, and where the next begins.
    private func list(
        _ bench: GalleryBench, from first: Int
    ) throws -> (text: String, ratios: [Int], sections: Int, next: Int?) {
        let text = bench.gallery.listPages.list(by: .name, from: first).rendered
        func part(_ start: String, _ end: String) throws -> Substring {
            let from = try #require(text.firstRange(of: start)).upperBound
            let to = try #require(text[from...].firstRange(of: end)).lowerBound
            return text[from..<to]
        }
        let ratios = try part(#""ratios":["#, "]").split(separator: ",").compactMap { Int($0) }
        let sections = try part(#""sections":["#, #","ratios""#).count { $0 == "[" }
        return (text, ratios, sections, Int(try part(#""next":"#, ",")))
    }

    @Test func `parts join to the whole list, and long names bound their size`() throws {
        let bench = try GalleryBench(rows: 3) { files in
            for number in 0..<450 {
                let folder = String(repeating: "x", count: 245) + "\(number)"
                files.makeFolder(folder)
                files.write([1], to: "\(folder)/0.png")
                files.write([1], to: "\(folder)/1.png")
            }
        }
        var ratios: [Int] = []
        var (sections, parts) = (0, 0)
        var next: Int? = 0
        while let first = next {
            let part = try list(bench, from: first)
            #expect(part.text.utf8.count <= 200 << 10)
            ratios += part.ratios
            sections += part.sections
            parts += 1
            next = part.next
            #expect(next == nil || next == ratios.count)
        }
        let layout = bench.gallery.catalogue.layout(by: .name)
        #expect(ratios == (0..<903).map { Int(layout.extent(ofRowAt: $0).height * 64) })
        #expect(sections == 451 && parts == 2)
    }

    @Test func `a part from nowhere is an empty one`() throws {
        let bench = try GalleryBench(rows: 5)
        for first in [5, 6, .max] {
            let part = try list(bench, from: first)
            #expect(part.ratios == [] && part.next == nil && part.sections == 0)
        }
        #expect(try list(bench, from: .min).ratios.count == 5)
    }

    @Test func `rows are told so many at a time`() throws {
        let bench = try GalleryBench(rows: 300)
        let pages = bench.gallery.listPages
        #expect(pages.rows(0..<300).rendered.ranges(of: ".png").count == 256)
        #expect(pages.rows(290..<1000).rendered.ranges(of: ".png").count == 10)
        let row = pages.rows(7..<8).rendered
        #expect(row.contains(#""from":7,"rows":[["#) && row.contains(#""7.png",8,8,"#))
        #expect(pages.rows(400..<500).rendered.hasSuffix(#""rows":[]}"#))
    }
}
