internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `license`: shows and changes the terms for the keys of an asset.
struct LicenseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "license",
        abstract: "Show, renew and revoke the terms on which an asset's keys may be used.",
        subcommands: [Show.self, Renew.self, Revoke.self])

    /// `license show`.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the license of an asset: its terms, its two clocks and its history.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
        var token: String

        func run() async throws {
            let token = try TokenArgument.sole(token)
            let reader = try global.reader()
            try reader.requireProgress(of: token)
            // The engine counts in memory for a while.
            if reader.engine != nil, let client = try? await EngineClient.find(global.root) {
                await client.countKeys(of: token)
                await client.close()
            }
            try LicenseCommand.show(token, reader, json: global.json)
        }
    }

    /// `license renew`.
    struct Renew: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew",
            abstract: "Get a new license; the network is needed, the media stay as they are.",
            discussion: """
                Without options for terms, the new license has the terms of the last one, and begins now. If you added \
                all keys yourself (key add), no server is asked for them. Options such as --header apply to all later \
                requests; an empty value removes one. To change the stored renditions use add-tracks.
                """)

        @OptionGroup var global: GlobalOptions
        @OptionGroup var license: LicenseOptions
        @OptionGroup var access: AccessOptions

        @Option(
            name: .customLong("via-url"),
            help: ArgumentHelp("A fresh address of the same stream.", valueName: "url"))
        var viaURL: String?

        @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
        var token: String

        func run() async throws {
            let token = try TokenArgument.sole(token)
            try global.reader().requireProgress(of: token)
            let edit = try access.edit()
            let session = try await EngineSession.open(global, startsDownloads: false)
            try await session.closing {
                try await session.renewLicense(token, terms: license.given, via: viaURL, access: edit)
                try LicenseCommand.show(token, try session.reader(), json: global.json)
            }
        }
    }

    /// `license revoke`.
    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke", abstract: "Wipe the keys of an asset; its media stay.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
        var token: String

        func run() async throws {
            let token = try TokenArgument.sole(token)
            try global.reader().requireProgress(of: token)
            let session = try await EngineSession.open(global, startsDownloads: false)
            try await session.closing {
                try await session.revokeLicense(token)
                try LicenseCommand.show(token, try session.reader(), json: global.json)
            }
        }
    }

    private static func show(_ token: AssetToken, _ reader: StoreReader, json: Bool) throws {
        let license = try reader.requireProgress(of: token).license
        guard !json else {
            return Console.result(LicenseDocument(license).json(try reader.licenseEvents(of: token)).pretty)
        }
        for line in LicenseReport(token: token, license: license).lines { Console.result(line) }
    }
}
