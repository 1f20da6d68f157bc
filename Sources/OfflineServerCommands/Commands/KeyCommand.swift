internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

/// `key`: the keys of an asset.
struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract:
            "List an asset's keys, add one that you have, exchange keys between stores, give up a lost store key.",
        subcommands: [List.self, Add.self, Public.self, Certificate.self, GiveUp.self])

    /// `key list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List an asset's keys. The keys themselves are not shown.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
        var token: String

        func run() throws {
            let token = try TokenArgument.sole(token)
            let reader = try global.reader()
            try reader.requireProgress(of: token)
            try KeyCommand.show(token, reader, global: global)
        }
    }

    /// `key add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract:
                "Add a key by its ID in `key list`, or by the identifier that the media have for it (KID).",
            discussion:
                "A key that is added by its KID is used only for media with this KID. After a revocation, adding a key makes a new license, unless a key of the asset was fetched: then use `license renew`."
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The asset.", valueName: "token"))
        var token: String

        // Any number of texts: the parser prints a value that it refuses, and keys are secret.
        @Argument(help: ArgumentHelp("ID or KID, and the key in hexadecimal digits.", valueName: "id:key"))
        var key: [String]

        func validate() throws { _ = try pair() }

        private func pair() throws -> KeyPair {
            guard key.count == 1, let pair = KeyPair(key[0]) else {
                throw ValidationError(
                    "Name one key as ID:KEY: an ID of `key list` or a KID of 32 hexadecimal digits, a colon, and 32 or 64 hexadecimal digits."
                )
            }
            return pair
        }

        func run() async throws {
            let key = try pair()
            let token = try TokenArgument.sole(token)
            try global.reader().requireProgress(of: token)
            let session = try await EngineSession.open(global, startsDownloads: false)
            try await session.closing {
                try await session.addKey(key, to: token)
                let reader = try session.reader()
                try KeyCommand.show(token, reader, global: global)
                // The key IDs of media that are not stored yet are unknown.
                let asset = try reader.requireProgress(of: token)
                guard asset.state == .complete else { return }
                if try !reader.takesKeys(token) {
                    global.note("nothing of \(asset.name) is encrypted, so that it plays without this key")
                } else if let problem = asset.health.problems.first(where: { $0.kind == .keyMissing }) {
                    let advice = HealthReport.advice(problem, of: asset).map { "; \($0)" } ?? ""
                    global.note("\(HealthReport.detail(problem, in: asset))\(advice)")
                }
            }
        }
    }

    private static func show(_ token: AssetToken, _ reader: StoreReader, global: GlobalOptions) throws {
        let keys = try reader.keyOutlines(of: token)
        guard !global.json else {
            return Console.result(JSONValue.array(keys.map(LicenseDocument.json)).pretty)
        }
        guard !keys.isEmpty else { return global.note("no keys: none of its playlists names one") }
        var table = Table("ID", "STORED", "FORMAT", "FROM")
        for key in keys {
            let stored = key.isStored ? key.isUsable ? "yes" : "yes, can't be opened" : "no"
            table.add(key.id, stored, key.format ?? "identity", key.place)
        }
        for line in table.lines { Console.result(line) }
        let identifiers = reader.keyIdentifiers(of: token)
        guard !identifiers.isEmpty else { return }
        global.note("its media have the KID \(identifiers.joined(separator: ", "))")
    }
}
