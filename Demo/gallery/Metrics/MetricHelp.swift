/// The help texts of known metrics.
enum MetricHelp {
    /// The help texts of `LoopMetrics` and of this module's own metrics, by their labels.
    static let known: [String: String] = [
        "lull_build_info": "The release of Lull, as labels.",
        "lull_loop_turns": "Rounds of poll, before idle and sleep.",
        "lull_loop_polls": "Polls that did not block.",
        "lull_loop_idle_passes": "Times the loop found nothing ready and called its observers.",
        "lull_loop_busy_passes": "Times a host's loop was asked to call when idle, and wasn't.",
        "lull_loop_sleeps": "Times the loop slept.",
        "lull_loop_dispatched": "Descriptors, signals, batches of posts and alarms dispatched.",
        "lull_loop_timers_fired": "Timers fired.",
        "lull_loop_frames": "Frames begun.",
        "lull_loop_asleep_seconds": "How long the loop slept.",
        "lull_loop_turn": "How long turns took, without the sleep in them.",
        "lull_queue_accepted": "Jobs taken in.",
        "lull_queue_joined": "Requests that joined a job of their key.",
        "lull_queue_rejected": "Requests that a full queue didn't take.",
        "lull_queue_slices": "Runs of jobs: one for a whole job, one for each slice of another.",
        "lull_queue_overruns": "Runs that made a timer or frame late.",
        "lull_queue_held_back": "Times a whole job was held back because it didn't fit.",
        "lull_queue_timed_out": "Jobs that ran because they had waited past their timeout.",
        "lull_queue_deferred": "Runs that came because the loop was never idle for long.",
        "lull_queue_jobs": "Jobs that have ended, by how.",
        "lull_queue_waiting": "Jobs in the queue now.",
        "lull_queue_waiting_most": "The most jobs that ever waited at once.",
        "lull_queue_wait_longest_seconds": "The longest a job waited before it first ran.",
        "lull_queue_run_longest_seconds": "The longest run of a job.",
        "lull_queue_run": "How long runs of jobs took.",
        "metrics_refused": "Metrics that aren't told: too many series, or another kind's name.",
    ]
}
