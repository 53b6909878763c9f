import Foundation
import IdleLoop
import ImageLoading
import IsolatedDecoding
import Workloads

/// D9: what a picture costs that another process decodes, from the call to the picture.
struct Isolation {
    private let loop: MainLoop
    private let helper: IsolatedDecoder

    /// The program that decodes, as `run` builds it.
    private static let program = ProcessInfo.processInfo.environment["LULL_PICTURE_HELPER"]
    private static let box = PixelSize(width: 256, height: 256)

    static func decoder(on loop: MainLoop) throws -> IsolatedDecoder {
        guard let program else { exit(69) }
        var configuration = IsolatedDecoder.Configuration()
        configuration.program = program
        return IsolatedDecoder(on: loop, configuration: configuration)
    }

    init() throws {
        loop = try MainLoop()
        helper = try Self.decoder(on: loop)
    }

    func measure(_ pictures: [TestPicture]) throws {
        for picture in pictures {
            var (here, there): ([Double], [Double]) = ([], [])
            for round in 0..<(isQuick ? 5 : 25) {
                if round.isMultiple(of: 2) { here.append(try timeHere(picture)) }
                there.append(try timeThere(picture))
                if !round.isMultiple(of: 2) { here.append(try timeHere(picture)) }
            }
            let (inProcess, isolated) = (percentile(0.5, of: here), percentile(0.5, of: there))
            setContender("lull")
            report("D9", picture.name, "in_process_ms", inProcess)
            report("D9", picture.name, "helper_ms", isolated)
            report("D9", picture.name, "over_ms", isolated - inProcess)
        }
        helper.close()
        loop.close()
    }

    private func timeHere(_ picture: TestPicture) throws -> Double {
        let start = now()
        _ = try PictureJob(path: picture.path, fitting: Self.box).decode()
        return Double(now() - start) / 1e6
    }

    private func timeThere(_ picture: TestPicture) throws -> Double {
        let start = now()
        var outcome: Result<Picture, IsolatedError>?
        helper.decode(.file(picture.path), named: picture.path, fitting: Self.box) { [loop] in
            outcome = $0
            loop.stop()
        }
        while outcome == nil { try loop.run() }
        _ = try outcome?.get()
        return Double(now() - start) / 1e6
    }
}
