internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Languages
internal import OfflineServer

/// `subtitles list`: the subtitle tracks of an asset.
struct SubtitlesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the subtitle tracks of an asset.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    func run() throws {
        let reader = try global.reader()
        let token = try TokenArgument.sole(token)
        guard let tracks = try reader.captions.subtitleRenditions(token) else {
            throw StoreError(.noSuchAsset(token.description))
        }
        let server = reader.engine?.url ?? AssetDocument.usualServer
        let document = SubtitleListDocument(token: token, tracks: tracks, server: server)
        guard !global.json else { return Console.result(document.json.text) }
        guard !tracks.isEmpty else {
            return global.note(
                "no subtitles; `offline-server add-tracks \(token) --subtitles all` takes those of the stream, --subtitle-file FILE:LANG adds a file"
            )
        }
        var table = Table("LANG", "NAME", "IN ITSELF", "TITLE", "KIND", "STORED")
        for track in tracks {
            let kinds = [
                track.isForced ? "forced" : nil, track.isSDH ? "sdh" : nil, track.isExternal ? "file" : nil,
            ].compactMap(\.self)
            table.add(
                document.address(of: track), SubtitleListDocument.name(of: track) ?? "-",
                track.language.flatMap(LanguageTag.nativeName) ?? "-", track.title ?? "-",
                kinds.isEmpty ? "-" : kinds.joined(separator: ","), track.isComplete ? "all" : "partly")
        }
        for line in table.lines { Console.result(line) }
    }
}
