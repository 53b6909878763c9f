import ArgumentParser
import IdleLoop
import LullTesting
import TraceFormats

/// `scroll-replay record`: records the events of a device or a tool as a trace.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Records fingers, wheels and keys as they come.",
        discussion: """
            From an input device of the kernel's (or a file of its events), or with - from what \
            evemu-record, libinput record or getevent -t print. It ends at the end of that, at an \
            interrupt, or after --for. On a touchpad, two fingers scroll and one is no input.

            Examples:
              scroll-replay record /dev/input/event5 -o fling.jsonl
              libinput record /dev/input/event5 | scroll-replay record - --for 10
              adb shell getevent -lt | scroll-replay record - --density 2.625
            """)

    @Argument(help: "The device, or - for a tool's lines on standard input.")
    var source: String

    @Option(name: .customLong("for"), help: "How long to record, in seconds.")
    var seconds: Double?

    @OptionGroup var arguments: ConversionArguments

    func validate() throws {
        try check("--for", seconds ?? 1, 0.001...86_400)
    }

    func run() throws {
        try orExit {
            let device = try InputDevice(source)
            var recorder = TraceRecorder(
                of: source, from: source == "-" ? .text : .kernel,
                options: arguments.options)
            if let axis = device.axis {
                recorder.setAxis(
                    minimum: axis.minimum, maximum: axis.maximum, resolution: axis.resolution,
                    ofSlots: axis.isOfSlots)
            }
            if let (isPointer, isDirect) = device.properties {
                recorder.setProperties(isPointer: isPointer, isDirect: isDirect)
            }
            let session = RecordingSession(device, recorder, try Output(arguments.output))
            try session.run(for: seconds.map { .microseconds(Int64($0 * 1e6)) })
            say("\(source): \(session.statement)")
        }
    }
}
