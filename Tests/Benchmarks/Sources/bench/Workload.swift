import ArgumentParser

/// What is measured.
enum Workload: String, CaseIterable, ExpressibleByArgument {
    case m1 = "M1"
    case m2 = "M2"
    case m3 = "M3"
    case m4 = "M4"
    case m5 = "M5"
    case m6 = "M6"
    case m7 = "M7"
    case m8 = "M8"
    case r1 = "R1"
    case r2 = "R2"
    case r3 = "R3"
    case r4 = "R4"
    case r5 = "R5"
    case s1 = "S1"
    case s2 = "S2"
    case s3 = "S3"

    var title: String {
        switch self {
        case .m1: "no-op idle jobs"
        case .m2: "latency of a descriptor beside endless idle jobs"
        case .m3: "a chain of descriptors"
        case .m4: "a million timers"
        case .m5: "round trip from another thread"
        case .m6: "asleep with nothing to do"
        case .m7: "frames beside endless idle jobs of 0.2 to 6 ms"
        case .m8: "a queue of waiting jobs"
        case .r1: "which row is where"
        case .r2: "one row changes, comes or goes"
        case .r3: "building a list of rows"
        case .r4: "the memory of a list of rows"
        case .r5: "a frame of a fling"
        case .s1: "replaying 40 s of scrolling over 100,000 rows"
        case .s2: "every rule over every shipped trace"
        case .s3: "a report of the shipped traces"
        }
    }
}
