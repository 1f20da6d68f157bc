internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import SidebandSubtitles

/// The options for a part of a presentation.
struct PartOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Begin at this time of the stream (90, 1:30, 0:01:30.5).", valueName: "t"))
    var from: Moment?

    @Option(help: ArgumentHelp("End at this time; whole segments are taken.", valueName: "t"))
    var to: Moment?

    func validate() throws {
        guard let to, to.seconds <= from?.seconds ?? 0 else { return }
        throw ValidationError("--to must be after --from.")
    }

    /// A place in a presentation.
    struct Moment: ExpressibleByArgument {
        var seconds: Double

        init?(argument: String) {
            guard let time = PlaybackTime(argument)?.time else { return nil }
            seconds = time.seconds
        }
    }

    /// The selection with the part that the options mean.
    func apply(to selection: Selection) -> Selection {
        var part = selection
        (part.start, part.end) = (from?.seconds, to?.seconds)
        return part
    }
}
