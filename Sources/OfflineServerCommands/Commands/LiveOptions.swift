internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// How a live stream is recorded.
struct LiveOptions: ParsableArguments {
    @Flag(help: "Record a live stream until it ends, or until an interrupt (Ctrl-C).")
    var live = false

    @Flag(help: "Begin the recording with the oldest segment that is listed.")
    var fromStart = false

    @Option(help: ArgumentHelp("End the recording after this time (90s, 2h).", valueName: "d"))
    var duration: TimeSpan?

    func validate() throws {
        guard live || (!fromStart && duration == nil) else {
            throw ValidationError("--from-start and --duration need --live.")
        }
    }

    /// The recording that the flags describe; `nil` without such flags.
    var recording: Selection.Recording? {
        guard live else { return nil }
        var recording = Selection.Recording()
        recording.fromStart = fromStart
        recording.duration = duration.map { Double($0.seconds) }
        return recording
    }
}
