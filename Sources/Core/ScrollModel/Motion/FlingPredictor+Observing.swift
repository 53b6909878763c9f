extension FlingPredictor {
    /// Processes the list's offset, in px, at a frame; returns the forecast.
    ///
    /// Nil as soon as a frame shows that the fling is over: it was caught, reversed, or has come to
    /// rest. If the list moves much faster than before, a new path is predicted; if it deviates a
    /// little from its path, the path is corrected. While a finger is down there is no forecast;
    /// nor for a target that the host reported without a fling, since no path shows whether it is
    /// still valid.
    ///
    /// - Precondition: `offset` is finite. Times that don't increase are ignored.
    /// - Complexity: two flings and about twenty evaluations of one.
    @discardableResult
    package mutating func observe(
        _ offset: Double, at time: Instant, in viewport: Viewport
    ) -> FlingForecast? {
        precondition(offset.isFinite, "an offset is finite")
        guard drag == nil, watch != nil else {
            forecast = nil
            return nil
        }
        watch?.flight.rebound(to: viewport.minimumOffset...viewport.maximumOffset)
        switch watch?.see(offset, at: time) {
        case .following, .accelerated: foresee(at: max(time, watch?.flight.last.time ?? time))
        case .landed: land()
        case .lost, nil: forecast = nil
        }
        return forecast
    }

    /// Makes the forecast for a moment of the fling.
    mutating func foresee(at time: Instant) {
        guard let watch else { return }
        let flight = watch.flight
        forecast = FlingForecast(
            target: watch.hostTarget ?? flight.target,
            velocity: flight.fling.velocity, path: watch.hostTarget == nil ? flight.fling : nil,
            elapsed: time - flight.start)
    }

    /// Learns from a fling that has come to rest by itself.
    private mutating func land() {
        defer { dropWatch() }
        guard let watch else { return }
        running = nil
        if watch.isFree(watch.flight.last.offset) {
            errors.settle(at: watch.flight.last.offset)
        }
        guard var learner, let seen = watch.observed() else { return }
        self.learner = nil
        let before = learner.scroller
        learner.learn(seen)
        if learner.hasChosen {
            let isOther =
                learner.scroller.name != before.name || learner.count == FlingLearner.fewest
            scroller = (learner.scroller.model, learner.scroller.tracking)
            errors.rewrite(learner.errors, isOther: isOther)
        }
        self.learner = learner
    }

    /// Ends a fling at a touch; if the list had come to rest unnoticed, the fling counts as
    /// completed.
    mutating func endWatch(at offset: Double, _ time: Instant) {
        if let flight = watch?.flight, flight.isResting(at: offset, time) { land() }
        dropWatch()
    }

    /// Discards a fling that is over, and its forecast.
    mutating func dropWatch() {
        watch = nil
        forecast = nil
        errors.drop()
    }
}
