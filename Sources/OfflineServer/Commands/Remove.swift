internal import ArgumentParser
internal import AssetStore

/// `remove`: deletes assets.
struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete assets with everything they have.")

    @OptionGroup var global: GlobalOptions

    @Argument(help: ArgumentHelp("The assets.", valueName: "token"))
    var tokens: [String] = []

    @Flag(help: "Delete every asset of the store.")
    var all = false

    func validate() throws {
        guard all != !tokens.isEmpty else { throw ValidationError("Name assets, or say --all.") }
    }

    func run() async throws {
        let reader = try global.reader()
        var wanted = try tokens.map { text throws(StoreError) in try TokenArgument.parse(text) }
        if all { wanted = try reader.assets().map(\.token) }
        for token in wanted where try reader.progress(of: token) == nil {
            throw StoreError(.noSuchAsset(token.description))
        }
        let session = try await EngineSession.open(global)
        do {
            for token in wanted { try await session.remove(token) }
        } catch {
            await session.close()
            throw error
        }
        await session.close()
        if global.json {
            Console.result((["removed": .array(wanted.map { .string($0.description) })] as JSONValue).text)
        } else {
            global.note("removed \(wanted.count) \(wanted.count == 1 ? "asset" : "assets")")
        }
    }
}
