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

    /// `key give-up`.
    struct GiveUp: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "give-up",
            abstract:
                "Give up what a store.key that is lost for good has sealed, so that the store opens again.",
            discussion: """
                Forgets the content keys that the store.key there does not open, how origins were asked (header fields, \
                cookies, that they are in one's own network), and the assets of requests that were waiting. Then `relink` \
                tells how to ask, and `license renew` gets keys again where their origin gives them.
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(name: .customLong("dry-run"), help: "Say what would be given up, and change nothing.")
        var isTrial = false

        func run() throws {
            let lost = try LostStoreKey.giveUp(in: global.root, isTrial: isTrial)
            let document: JSONValue = [
                "keys": JSONValue(lost.keys), "requests": JSONValue(lost.requests),
                "accesses": JSONValue(lost.accesses),
            ]
            let text =
                "content keys: \(lost.keys), waiting requests: \(lost.requests), assets with header fields or cookies: \(lost.accesses)"
            Console.result(
                global.json ? document.text : (isTrial ? "would be given up: " : "given up: ") + text)
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
