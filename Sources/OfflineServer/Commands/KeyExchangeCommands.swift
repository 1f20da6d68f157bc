internal import ArgumentParser
internal import AssetStore

extension KeyCommand {
    /// `key public`.
    struct Public: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "public",
            abstract: "Print what others seal keys with for this store (export --keys-for).")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let key = try global.reader().publicKey().description
            Console.result(global.json ? (["public_key": .string(key)] as JSONValue).text : key)
        }
    }

    /// `key certificate`.
    struct Certificate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "certificate",
            abstract:
                "Get the application certificate of a key provider of the settings ahead of its first use.",
            discussion:
                "It is kept until the provider's settings name another one, or this command is run again.")

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The provider's name in config.json.", valueName: "name"))
        var name: String

        func run() async throws {
            let size = try await AssetStore.loadCertificate(of: name, in: global.root)
            guard let size else { throw ValidationError("no key provider named \(name) has a certificate") }
            let document: JSONValue = ["provider": .string(name), "bytes": JSONValue(size)]
            Console.result(global.json ? document.text : "\(name): \(size) bytes")
        }
    }
}
