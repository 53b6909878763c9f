/// The velocity of something that got pushes, one for each move.
///
/// A body of mass 1 is pushed to the velocity of each move in turn. A push does the work
/// |v|·(v − what the work so far left), the first one half of that, since it is taken to move
/// already; the velocity in the end is what all the work amounts to. (AOSP,
/// libs/input/VelocityTracker.cpp, ImpulseVelocityTrackerStrategy.)
enum Impulse {
    /// The velocity that these velocities, oldest first, leave behind.
    static func velocity(of moves: [Double]) -> Double {
        var work = 0.0
        for (index, velocity) in moves.enumerated() {
            work += (velocity - left(by: work)) * abs(velocity)
            if index == 0 { work /= 2 }
        }
        return left(by: work)
    }

    private static func left(by work: Double) -> Double {
        let speed = (2 * abs(work)).squareRoot()
        return work < 0 ? -speed : speed
    }
}
