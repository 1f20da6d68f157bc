internal import ArgumentParser
internal import AssetStore

/// `estimate`: how many bytes a download would take.
struct Estimate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Estimate how many bytes a download would take.")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var selection: SelectionOptions
    @OptionGroup var access: AccessOptions

    @Argument(help: ArgumentHelp("Address of an HLS playlist.", valueName: "url"))
    var url: String

    func run() async throws {
        let inspector = try StreamInspector(url: url, access: try access.access())
        let preview = try await inspector.preview(selection.selection)
        await inspector.close()
        guard !global.json else { return Console.result(PreviewReport.json(preview.size).text) }
        let size = preview.size
        Console.result(
            "\(HumanUnits.bytes(size.likely)), between \(HumanUnits.bytes(size.low)) and \(HumanUnits.bytes(size.high)) "
                + "(by \(size.method.rawValue))")
    }
}
