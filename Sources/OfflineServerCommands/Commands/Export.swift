internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import SystemPackage

/// `export`: an asset becomes a plain HLS folder.
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Copy an asset into a new folder that any web server can serve.",
        discussion: """
            Content keys stay sealed in the store. --keys-for seals them, with their license, for \
            another store, where `import` opens them; --with-keys writes them in the clear beside \
            the segments. Tracks that are not stored completely are left out.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("The folder to make.", valueName: "dir"))
    var folder: String

    @Option(
        help: ArgumentHelp(
            "Seal the keys for the store whose `key public` prints this.", valueName: "public-key"),
        transform: Self.publicKey)
    var keysFor: StorePublicKey?

    @Flag(help: "Write content keys in the clear.")
    var withKeys = false

    @Flag(
        help:
            "Write the whole address that the asset came from into asset.json, with user information and query."
    )
    var withSource = false

    private static func publicKey(_ text: String) throws -> StorePublicKey {
        guard let key = StorePublicKey(text) else {
            throw ValidationError("a public key has 64 hexadecimal digits")
        }
        return key
    }

    func validate() throws {
        let kinds: Set<String> = ["mp4", "m4a", "m4v", "mov", "mkv", "ts"]
        guard let kind = FilePath(folder).extension?.lowercased(), kinds.contains(kind) else { return }
        throw ValidationError("an export is a folder; it can't be one file such as \(folder) yet")
    }

    /// Ends like `verify` where stored files have other bytes by now.
    private func export(
        _ token: AssetToken, of reader: StoreReader, to target: FilePath
    ) throws -> ExportedAsset {
        do throws(StoreError) {
            return try reader.exporter.export(
                token, to: target, withKeys: withKeys, withSource: withSource, keysFor: keysFor)
        } catch {
            guard case .integrity(.hash) = error.code else { throw error }
            _ = reader.noteDiscoveries()
            throw CommandFailure(message: error.message, status: CommandFailure.no)
        }
    }

    func run() throws {
        let token = try TokenArgument.parse(token)
        let reader = try global.reader()
        let asset = try reader.requireProgress(of: token)
        let place = FilePath(folder)
        let target = place.isAbsolute ? place : FilePath(GlobalOptions.currentFolder).pushing(place)
        ProcessResources.shareFiles()
        let exported = try export(token, of: reader, to: target)
        if !exported.leftOut.isEmpty {
            global.note(
                "left out, since not all of it is stored: \(exported.leftOut.joined(separator: ", "))")
        }
        if !withKeys, keysFor == nil, asset.isEncrypted, try reader.takesKeys(token) {
            global.note(
                "the content keys stay in the store; without --keys-for or --with-keys the copy can't be played"
            )
        }
        if global.json {
            let line: JSONValue = ["folder": .string(target.string), "files": JSONValue(exported.files)]
            Console.result(line.text)
        } else {
            Console.result("\(target.string)/master.m3u8")
        }
    }
}
