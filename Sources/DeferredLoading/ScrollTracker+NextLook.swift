package import ScrollModel

extension ScrollTracker {
    /// Returns the time at which a list without new events is to be updated: soon while it may
    /// move, once more when it has rested so long that rules want nothing else from then on, nil
    /// after that.
    ///
    /// `looked` is the time of the last such update.
    package func nextLook(after looked: Instant, at now: Instant) -> Instant? {
        let last = lastEvent ?? .zero
        let isMoving =
            forecast != nil || motion.target != nil
            || !motion.hasRested(for: .milliseconds(150), at: now)
        guard !isMoving else { return max(last, looked) + .milliseconds(160) }
        let rest = max(last, motion.lastMoved ?? .zero) + .milliseconds(3100)
        return rest > looked ? rest : nil
    }
}
