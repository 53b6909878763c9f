#include "frames.h"

#include <errno.h>
#include <math.h>

#include "clock.h"

enum {
    frame_work_ns = 2000000,
    lateness_allowed_ns = 500000,
};

static const struct {
    const char *name;
    int frequency;
} variants[FRAMES_VARIANTS] = {
    {"60 Hz", 60},
    {"120 Hz", 120},
};

// MARK: Jobs

/// Uniform in 0..<1 (SplitMix64: Steele, Lea, Flood, 2014).
static double random_share(struct idle_job_list *list) {
    list->state += 0x9E3779B97F4A7C15;
    uint64_t z = list->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-53;
}

struct idle_job_list idle_job_list_make(void) {
    return (struct idle_job_list){.state = 7};
}

struct idle_job idle_job_list_next(struct idle_job_list *list) {
    double shortest = 200000;
    double longest = 6000000;
    double duration = shortest * pow(longest / shortest, random_share(list));
    double error = 0.8 + 0.4 * random_share(list);
    return (struct idle_job){
        .duration_ns = (uint64_t)duration,
        .cost_hint_ns = (uint64_t)(duration * error),
    };
}

struct idle_job frames_take_job(struct frames *frames) {
    return idle_job_list_next(&frames->jobs);
}

bool frames_run(struct frames *frames, struct idle_job job) {
    uint64_t start = now_ns();
    spin_ns(job.duration_ns);
    uint64_t end = now_ns();
    frames->idle_ns += end - start;
    uint64_t last = frames->start_ns + (uint64_t)frames->due * frames->period_ns;
    return end < last + 500000000;
}

bool frames_run_job(struct frames *frames) {
    return frames_run(frames, frames_take_job(frames));
}

// MARK: Frames

void frames_open(struct frames *frames, int variant) {
    int seconds = is_quick() ? 4 : 20;
    *frames = (struct frames){
        .variant = variants[variant].name,
        .period_ns = 1000000000u / (unsigned)variants[variant].frequency,
        .due = seconds * variants[variant].frequency,
        .jobs = idle_job_list_make(),
    };
    samples_open(&frames->delays_ms, frames->due);
}

void frames_start(struct frames *frames) {
    frames->opened_ns = now_ns();
    frames->start_ns = frames->opened_ns + frames->period_ns;
}

uint64_t frames_next_due_ns(const struct frames *frames) {
    return frames->start_ns + (uint64_t)frames->next * frames->period_ns;
}

/// The latest frame due at `now`, below zero before the first.
static int frame_at(const struct frames *frames, uint64_t now) {
    if (now < frames->start_ns) return -1;
    uint64_t index = (now - frames->start_ns) / frames->period_ns;
    return index < (uint64_t)frames->due ? (int)index : frames->due - 1;
}

bool frames_handle(struct frames *frames) {
    uint64_t now = now_ns();
    int frame = frame_at(frames, now);
    if (frame < frames->next) {
        frames->spurious++;
        return frames->next < frames->due;
    }
    uint64_t delay = now - (frames->start_ns + (uint64_t)frame * frames->period_ns);
    frames->skipped += frame - frames->next;
    if (delay > lateness_allowed_ns) {
        frames->late++;
    } else {
        frames->on_time++;
    }
    samples_add(&frames->delays_ms, (double)delay / 1e6);
    spin_ns(frame_work_ns);
    // Frames that came due meanwhile are left to the timer.
    frames->next = frame + 1;
    frames->end_ns = now_ns();
    return frames->next < frames->due;
}

void frames_report(struct frames *frames) {
    frames->skipped += frames->due - frames->next;
    if (frames->next < frames->due) frames->end_ns = now_ns();
    if (frames->on_time + frames->late + frames->skipped != frames->due) {
        errno = ERANGE;
        die("frames on time, late and skipped are not those that were due");
    }
    report("M7", frames->variant, "frames", frames->due);
    report("M7", frames->variant, "frames_late", frames->late + frames->skipped);
    report("M7", frames->variant, "frames_skipped", frames->skipped);
    report("M7", frames->variant, "mean_delay_ms", samples_mean(&frames->delays_ms));
    report("M7", frames->variant, "p99_delay_ms", samples_percentile(&frames->delays_ms, 0.99));
    double elapsed_ns = (double)(frames->end_ns - frames->opened_ns);
    report("M7", frames->variant, "idle_share", (double)frames->idle_ns / elapsed_ns);
    if (frames->spurious) report("M7", frames->variant, "calls_early", frames->spurious);
    samples_close(&frames->delays_ms);
}
