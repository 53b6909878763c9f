// A window whose labels are changed by tasks of the main actor, on GLib's loop. All code here is isolated
// to the main actor, but for what says otherwise.
//
//     main-actor-gtk [--check]
//
// With --check it counts at once, as after a click, prints what the labels show in the end, and stays until
// SIGTERM.

import CGTK
import IdleLoop
import LoopGLib

guard gtk_init_check() != 0 else {
    print("can't open the display")
    exit(69)
}
let main = unsafe g_main_loop_new(nil, 0)
let loop = unsafe try MainLoop(onGLib: nil)
try loop.serveMainQueue()  // the main actor is on this loop: an error if it can't be
let queue = IdleQueue<String>(on: loop)
let last = 2_000_000

let lulls = Label("In lulls of the window's loop: not yet")
let lanes = Label("On another processor: not yet")
let clock = Label("0 seconds")
let button = Button("Count primes") {
    countInLulls()
    Task { await countOnLanes() }
}
let window = unsafe Window(
    "The main actor on GLib's loop", [lulls.widget, lanes.widget, clock.widget, button.widget]
) { unsafe g_main_loop_quit(main) }

/// Counts in slices, which no frame of the window waits for.
func countInLulls() {
    var (number, primes) = (2, 0)
    queue.submit("primes") { slot in
        while number < last, !slot.isOver {
            if isPrime(number) { primes += 1 }
            number += 1
        }
        lulls.text = "In lulls of the window's loop: \(primes) primes below \(number)"
        return number < last ? .again : .done
    }
}

/// Counts on a lane, and shows between its pieces how far it is.
func countOnLanes() async {
    let count = Task(executorPreference: loop.lanes) {
        var primes = 0
        for start in stride(from: 2, to: last, by: 20_000) {
            let end = min(start + 20_000, last)
            for number in start..<end where isPrime(number) { primes += 1 }
            let text = "On another processor: \(primes) primes below \(end)"
            await MainActor.run { lanes.text = text }
        }
        return primes
    }
    lanes.text = "On another processor: \(await count.value) primes below \(last)."
}

nonisolated func isPrime(_ number: Int) -> Bool {
    var divisor = 2
    while divisor * divisor <= number {
        if number % divisor == 0 { return false }
        divisor += 1
    }
    return true
}

Task {
    for second in 1... {
        try await Task.sleep(for: .seconds(1))
        clock.text = second == 1 ? "1 second" : "\(second) seconds"
    }
}

let signal = try loop.watch(signal: SIGTERM) { unsafe g_main_loop_quit(main) }
if CommandLine.arguments.dropFirst().first == "--check" {
    Task {
        button.click()
        while !lanes.text.hasSuffix(".") || queue.count > 0 || clock.text.hasPrefix("0") {
            try await Task.sleep(for: .milliseconds(50))
        }
        try await Task.sleep(for: .milliseconds(100))  // what the labels say is drawn
        for label in [lulls, lanes, clock] { print(label.text) }
        fflush(nil)
    }
}
unsafe g_main_loop_run(main)
loop.close()
