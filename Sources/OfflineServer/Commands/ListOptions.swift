internal import ArgumentParser
internal import Foundation

/// What is to be downloaded: addresses on the command line, and in a list.
struct ListOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("Addresses of HLS playlists, or tokens.", valueName: "url"))
    var urls: [String] = []

    @Option(
        help: ArgumentHelp(
            "A list with an address on each line; - reads standard input. Lines that begin with # are skipped.",
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
    func all() throws -> [String] {
        guard let input else { return urls }
        let bytes = try InputFile.bytes(input, limit: 64 << 20)
        return urls + Self.addresses(in: String(decoding: bytes, as: UTF8.self))
    }

    /// The addresses in a list.
    static func addresses(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
