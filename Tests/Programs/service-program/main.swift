// A small service, to be started by systemd or what stands in for it, that says on standard output
// and as its status what it does. It answers on the socket named `web`, keeps 16 pictures and 1,000
// jobs that wait for a list to move, and does what services do on SIGTERM and SIGHUP; on SIGUSR1 one
// of its jobs hangs.
import Glibc

do {
    try Service().run()
} catch {
    print("failed: \(error)")
    exit(EXIT_FAILURE)
}
