internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import SystemPackage

/// `export`: an asset becomes a plain HLS folder, or one file.
struct Export: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an asset into one file, or into a new folder that any web server can serve.",
        discussion: """
            A name that ends in .mp4, .m4a, .ts or .mkv makes a file; any other name makes a folder. A file holds the media \
            unchanged and decrypted, with subtitles, chapters, title and poster. .mkv needs an installed ffmpeg. If an export into \
            a file is interrupted, the same command continues it.

            Into a folder, content keys stay sealed in the store. --keys-for seals them, with their license, for another \
            store, where `import` opens them; --with-keys writes them in the clear beside the segments. Tracks that are not \
            stored completely are left out.
            """)

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
    var token: String

    @Argument(help: ArgumentHelp("The file or folder to make.", valueName: "file|dir"))
    var folder: String

    @OptionGroup var file: FileOptions

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

    private var isFile: Bool { FileExport.source(for: FilePath(folder)) != nil }

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("the file or folder to make needs a name.") }
        if isFile {
            if file.parts, !FileExport.hasParts(FilePath(folder)) {
                throw ValidationError(
                    "--parts is for .mp4, .m4a and .ts.")
            }
            let holdsSubtitles = FileExport.hasText(FilePath(folder))
            if let text = file.captions, text != "none", !holdsSubtitles {
                throw ValidationError("--subtitles is for .mp4 and .mkv; other files hold no subtitles.")
            }
            guard keysFor == nil, !withKeys, !withSource else {
                throw ValidationError(
                    "--keys-for, --with-keys and --with-source are for folders; a file is in the clear.")
            }
        } else if file.options != FileExport.Options() {
            throw ValidationError(
                "--video, --audio, --subtitles, --skip-gaps, --parts and --force are for files: .mp4, .m4a, .ts or .mkv."
            )
        }
    }

    /// Ends like `verify` where stored files have other bytes by now.
    private func copy(
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

    /// Media that are in a bucket come through the engine.
    private func export(
        _ token: AssetToken, of reader: StoreReader, to target: FilePath
    ) async throws -> ExportedAsset {
        guard try reader.mediaPlace() != nil else { return try copy(token, of: reader, to: target) }
        let session = try await EngineSession.open(global, startsDownloads: false)
        return try await session.closing { try copy(token, of: session.mediaReader(), to: target) }
    }

    func run() async throws {
        let token = try TokenArgument.sole(token)
        let reader = try global.reader()
        let asset = try reader.requireProgress(of: token)
        let place = FilePath(folder)
        let target = place.isAbsolute ? place : FilePath(GlobalOptions.currentFolder).pushing(place)
        if isFile { return try await write(token, to: target) }
        if FileExport.isOther(target) {
            global.note("\(folder) will be a folder: the files that can be made are .mp4, .m4a, .ts and .mkv")
        }
        ProcessResources.shareFiles()
        let interruption = await Interruption(.interrupted(exportTo: target), asJSON: global.json)
        let exported = try await export(token, of: reader, to: target)
        interruption.end()
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
            let line: JSONValue = [
                "folder": .string(target.string), "files": JSONValue(exported.files),
                "left_out": .array(exported.leftOut.map { .string($0) }),
            ]
            Console.result(line.text)
        } else {
            Console.result("\(target.string)/master.m3u8")
        }
    }

    private func write(_ token: AssetToken, to target: FilePath) async throws {
        let session = try await EngineSession.open(global, startsDownloads: false)
        ProcessResources.shareFiles()
        let export = FileExport(
            session: session, global: global, token: token, target: target, options: file.options)
        let interruption = await Interruption(.interrupted(export), asJSON: global.json)
        let written = try await session.closing { try await export.run() }
        interruption.end()
        if global.json {
            Console.result(written.json.text)
        } else {
            for path in written.paths { Console.result(path.string) }
        }
    }
}
