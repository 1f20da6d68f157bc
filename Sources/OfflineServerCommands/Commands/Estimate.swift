internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `estimate`: how many bytes a download would take.
struct Estimate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "estimate", abstract: "Estimate how many bytes a download would take.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var part: PartOptions
    @OptionGroup var access: AccessOptions

    @Argument(help: ArgumentHelp("Address of an HLS playlist.", valueName: "url"))
    var url: String

    @Flag(help: "Include media whose keys can't be fetched.")
    var allowMissingKey = false

    func run() async throws {
        let inspector = try StreamInspector(
            url: url, access: try access.access(), store: global.root, onRetry: global.onRetry)
        let preview = try await inspector.preview(
            part.apply(to: selection.selection), allowsMissingKeys: allowMissingKey)
        await inspector.close()
        guard !global.json else { return Console.result(PreviewReport(preview).estimate.text) }
        Console.result(SizeSummary.text(preview.size))
        KeyProviderNames.lines(preview.keyProviders).forEach(Console.result)
    }
}
