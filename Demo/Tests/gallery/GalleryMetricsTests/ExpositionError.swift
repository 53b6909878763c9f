/// What is wrong with a text in Prometheus's format.
enum ExpositionError: Error, Equatable {
    case noNewlineAtEnd
    case line(Int, Fault)
    case family(String, Fault)

    /// What is wrong with a line, or with a family as a whole.
    enum Fault: Equatable {
        case badComment
        case badName
        case badLabels
        case badValue
        case badEscape
        case unknownKind
        case noType
        case familyTwice
        case foreignSample
        case sampleTwice
        case noSamples
        case counterFalls
        case counterName
        case bucketsOutOfOrder
        case bucketsFall
        case noLastBucket
        case countDiffers
        case missingSumOrCount
    }
}
