import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A text read as XML.
struct XML {
    let isWellFormed: Bool
    /// The number of elements of each name.
    let counts: [String: Int]

    init(_ text: String) {
        let counter = Counter()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = counter
        isWellFormed = parser.parse()
        counts = counter.counts
    }

    private final class Counter: NSObject, XMLParserDelegate {
        var counts: [String: Int] = [:]

        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) {
            counts[elementName, default: 0] += 1
        }
    }
}
