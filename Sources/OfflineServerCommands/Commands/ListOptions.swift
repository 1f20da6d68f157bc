internal import ArgumentParser
internal import Foundation

/// The streams to download: addresses on the command line, and in a list.
struct ListOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Addresses of HLS playlists, or tokens.", valueName: "url"))
    var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            "A list with an address, or a download as JSON, on each line; - reads standard input. Lines that begin with # are skipped; one that can't be done keeps no other from it.",
            valueName: "file|-"))
    var input: String?

    @Option(
        help: ArgumentHelp(
            "Download only so many that so many of the list are in the store, the first ones that never were.",
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
