import IdleLoop
import ImageLoading
import Workloads

/// A row of the list that is loaded in D7: its picture, and what that is expected to cost.
struct ListRow {
    let path: String
    /// From the file's header; nothing if it can't be read.
    let cost: Duration

    static let targetSize = PixelSize(width: 160, height: 160)

    init(_ picture: TestPicture) {
        path = picture.path
        let header = try? PictureHeader.read(.file(picture.path))
        cost = header.map { $0.estimatedTime(fitting: Self.targetSize) } ?? .zero
    }

    var decoder: PictureJob { PictureJob(.file(path), fitting: Self.targetSize) }

    /// Mixed pictures in the order of the rows, the same in every run: mostly small photos.
    static func mixed(_ count: Int, of pictures: TestPictures) -> [ListRow] {
        let shares = [
            "j2_base": 70, "j2_prog": 18, "j12_prog": 2, "j12_base": 20, "j12_exif": 20,
            "p2_rgb": 20, "p2_ui": 10, "p2_adam7": 10, "w2_lossy": 10, "w2_lossless": 10, "g2": 10,
        ]
        let rows = pictures.all.flatMap { picture in
            Array(repeating: ListRow(picture), count: shares[picture.name] ?? 0)
        }
        var random = SplitMix64(seed: 7)
        return (0..<count).map { _ in rows[Int.random(in: rows.indices, using: &random)] }
    }
}
