// Declarations for the examples of what isn't public; see `Context.swift`.

@testable import DeferredLoading
@testable import IdleLoop
@testable import ImageLoading
@testable import ListCells
@testable import ScrollModel

var predictor: FlingPredictor {
    get { given() }
    set {}
}
enum HashIndexExamples {
    static var index: HashIndex { given() }
    static var keys: [String] { given() }
}
enum FlingLearnerExamples {
    static var fling: ObservedFling { given() }
}
