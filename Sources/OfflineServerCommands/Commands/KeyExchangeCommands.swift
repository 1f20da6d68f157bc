internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer

extension KeyCommand {
    /// `key public`.
    struct Public: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "public",
            abstract: """
                Print the public key for which others seal keys for this store (export --keys-for); makes the store if there is none.
                """)

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let key = try StoreReader(root: global.root).publicKey().description
            Console.result(global.json ? (["public_key": .string(key)] as JSONValue).text : key)
        }
    }

    /// `key give-up`.
    struct GiveUp: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "give-up",
            abstract:
                "Forget the items that a lost store.key has sealed, so that the store opens again.",
            discussion: """
                Lists the items that the store's key does not open. With --confirm it forgets them: \
                content keys, and the assets of requests that were waiting. Run it where the key is: \
                with the service's credential or the variable OFFLINE_SERVER_STORE_KEY_FILE, if the \
                key comes from there. A copy, catalog.db.given-up, is kept; delete it when the key \
                will not turn up, since it keeps items that are revoked or removed later. Then \
                `license renew` gets keys again where their origin gives them. Assets that were \
                requested with header fields, cookies, a proxy or from a private network must be \
                downloaded anew. `key public` prints another key then.
                """)

        @OptionGroup var global: GlobalOptions

        @Flag(help: "Forget the items; without this nothing is changed.")
        var confirm = false

        func run() throws {
            let lost = try LostStoreKey.giveUp(in: global.root, isTrial: !confirm)
            let document: JSONValue = [
                "keys": JSONValue(lost.keys), "requests": JSONValue(lost.requests),
                "digests": JSONValue(lost.digests),
                "given_up": .bool(confirm),
            ]
            let text =
                "content keys: \(lost.keys), waiting requests: \(lost.requests), digests of wiped keys: \(lost.digests)"
            let said = confirm ? "given up: \(text)" : "--confirm gives up: \(text)"
            Console.result(global.json ? document.text : said)
        }
    }

    /// `key certificate`.
    struct Certificate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "certificate",
            abstract:
                "Get the application certificate of a key provider of the settings ahead of its first use.",
            discussion:
                "The certificate is kept until the provider's settings name another one, or this command is run again."
        )

        @OptionGroup var global: GlobalOptions

        @Argument(help: ArgumentHelp("The provider's name in config.json.", valueName: "name"))
        var name: String

        func run() async throws {
            let size = try await ProviderCertificate.load(of: name, in: global.root)
            guard let size else {
                throw CommandFailure(
                    message:
                        "no key provider named \(name) has a certificate; key_providers in \(global.root)/config.json names them"
                )
            }
            let document: JSONValue = ["provider": .string(name), "bytes": JSONValue(size)]
            Console.result(global.json ? document.text : "\(name): \(size) bytes")
        }
    }
}
