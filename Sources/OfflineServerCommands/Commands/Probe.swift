internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `probe`: shows the variants and renditions of a stream.
struct Probe: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Show what a stream offers.",
        discussion: """
            The highest variant comes first; sizes are estimates from bit rates. `download` chooses one variant with \
            --max-bitrate, --min-bitrate or --max-height. It chooses renditions by LANGUAGE or NAME with --audio and \
            --subtitles, for example --audio "English (AD)". --verbose adds the playlist's tags as they are.

            `probe` requests no keys. It names the key providers that `download` and `preload` would ask for the \
            keys of the first variant; `estimate` names those for everything that would be stored.
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var access: AccessOptions

    @Argument(help: ArgumentHelp("Address of an HLS playlist.", valueName: "url"))
    var url: String

    @Flag(help: "Print only the bit rates of the variants, ascending.")
    var bitrates = false

    @Flag(help: "Print only the renditions.")
    var renditions = false

    @Flag(help: "Call a stream downloadable if download takes it with --allow-missing-key.")
    var allowMissingKey = false

    func run() async throws {
        let inspector = try StreamInspector(
            url: url, access: try access.access(), store: global.root, onRetry: global.onRetry)
        let offer = try await inspector.offer(allowsMissingKeys: allowMissingKey)
        await inspector.close()
        let report = OfferReport(offer)
        if bitrates {
            let values = offer.bitrates.map { JSONValue($0) }
            global.json
                ? Console.result(JSONValue.array(values).text) : values.forEach { Console.result($0.text) }
        } else if renditions {
            let values = offer.renditions.map(OfferReport.json)
            global.json
                ? Console.result(JSONValue.array(values).text)
                : report.renditions(isVerbose: global.verbose).forEach(Console.result)
        } else {
            global.json
                ? Console.result(report.json.text)
                : report.text(isVerbose: global.verbose).forEach(Console.result)
        }
        if !offer.isEligible { throw CommandFailure(message: nil, status: CommandFailure.no) }
    }
}
