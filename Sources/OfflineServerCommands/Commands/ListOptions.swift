internal import ArgumentParser
internal import Foundation

/// The streams to download: addresses on the command line, and in a list.
struct ListOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Addresses of HLS playlists, or tokens.", valueName: "url"))
    var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            "A list with an address, or a download as JSON, on each line; - reads standard input. Lines that begin with # are skipped; a line that can't be done is named, and the others go on.",
            valueName: "file|-"))
    var input: String?

    @Option(
        help: ArgumentHelp(
            "Keep n streams of the list in the store: queue streams that were never in it, from the top of the list, until n are stored or being downloaded.",
            valueName: "n"))
    var next: Int?

    func validate() throws {
        guard next ?? 1 > 0 else { throw ValidationError("--next must be above 0.") }
        guard !urls.isEmpty || input != nil else { throw ValidationError("Name at least one URL.") }
    }

    /// Everything that was named, in order.
    func all() throws -> [ListedDownload] {
        let words = urls.map { ListedDownload(text: $0) }
        guard let input else { return words }
        let bytes = try InputFile.bytes(input, limit: 64 << 20)
        return words + ListedDownload.all(in: String(decoding: bytes, as: UTF8.self), of: input)
    }
}
