internal import ArgumentParser
internal import AssetStore
internal import SystemPackage

/// `export`: an asset becomes a plain HLS folder.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copy an asset into a new folder that any web server can serve.",
        discussion: "Content keys stay sealed in the store unless --with-keys puts them beside the segments.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("The folder to make.", valueName: "dir"))
    var folder: String

    @Flag(help: "Write content keys in the clear.")
    var withKeys = false

    func run() throws {
        let token = try TokenArgument.parse(token)
        let reader = try global.reader()
        let asset = try reader.requireAsset(token)
        let place = FilePath(folder)
        let target = place.isAbsolute ? place : FilePath(GlobalOptions.currentFolder).pushing(place)
        let files = try reader.export(token, to: target, withKeys: withKeys)
        if asset.isEncrypted && !withKeys {
            global.note("the content keys stay in the store; without --with-keys the copy can't be played")
        }
        if global.json {
            Console.result((["folder": .string(target.string), "files": JSONValue(files)] as JSONValue).text)
        } else {
            Console.result("\(target.string)/master.m3u8")
        }
    }
}
