/// The commands of kitty's graphics in a stream of bytes, put together from their parts.
struct GraphicsStream {
    struct Command: Equatable {
        var keys: [String: String]
        var data: [UInt8]
    }

    struct Broken: Error {
        let why: String
    }

    private(set) var commands: [Command] = []
    /// The longest data of one part.
    private(set) var longestPart = 0

    init(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        var isOpen = false
        while !rest.isEmpty {
            guard rest.starts(with: [0x1B, 0x5F, 0x47]),
                let end = rest.indices.dropFirst(3).first(where: { rest[$0] == 0x1B }),
                end + 1 < rest.endIndex, rest[end + 1] == 0x5C
            else { throw Broken(why: "no whole command") }
            let body = rest[rest.startIndex + 3..<end]
            rest = rest[(end + 2)...]
            let parts = body.split(separator: 0x3B, maxSplits: 1, omittingEmptySubsequences: false)
            var keys: [String: String] = [:]
            for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
                let sides = pair.split(separator: "=").map { String($0) }
                guard sides.count == 2, keys[sides[0]] == nil else { throw Broken(why: "\(pair)") }
                keys[sides[0]] = sides[1]
            }
            let data = parts.count > 1 ? Array(parts[1]) : []
            longestPart = max(longestPart, data.count)
            let isMore = keys.removeValue(forKey: "m")
            if isOpen {
                guard keys.isEmpty else { throw Broken(why: "keys in a later part") }
                commands[commands.count - 1].data += data
            } else {
                commands.append(Command(keys: keys, data: data))
            }
            isOpen = isMore == "1"
            if isOpen, data.count % 4 != 0 { throw Broken(why: "a part that isn't whole") }
        }
        if isOpen { throw Broken(why: "the last part is missing") }
    }
}
