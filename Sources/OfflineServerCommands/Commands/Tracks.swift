internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `tracks`: the renditions of an asset.
struct Tracks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracks", abstract: "List the renditions of an asset.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Flag(help: "Only renditions that are stored completely.")
    var offline = false

    func run() throws {
        let reader = try global.reader()
        let token = try TokenArgument.sole(token)
        let renditions =
            try offline ? reader.wholeRenditions(of: token) : reader.requireProgress(of: token).renditions
        guard !global.json else {
            return Console.result(JSONValue.array(renditions.map(AssetDocument.json)).text)
        }
        guard !renditions.isEmpty else {
            return global.note(
                offline ? "no rendition is stored completely" : "its playlists have not been read yet")
        }
        let all = offline ? try reader.requireProgress(of: token).renditions : renditions
        var table = Table(
            "ID", "TYPE", "LANGUAGE", "NAME", "BITRATE", "PICTURE", "CODECS", "CHANNELS", "STORED")
        for rendition in renditions {
            table.add(
                rendition.name, rendition.kind.rawValue, RenditionName.language(rendition) ?? "-",
                rendition.title ?? "-",
                rendition.bandwidth.map(HumanUnits.bitrate) ?? "-", rendition.resolution ?? "-",
                rendition.codecs ?? SoundCodecs.text(rendition, among: all) ?? "-", rendition.channels ?? "-",
                rendition.hasPlaylist ? "\(rendition.storedSegments)/\(rendition.segments)" : "in the variant"
            )
        }
        for line in table.lines { Console.result(line) }
    }
}
