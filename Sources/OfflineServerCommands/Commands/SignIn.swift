internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import OfflineServer
internal import Transfers

/// `sign-in`: prints a code that signs in a browser of another device.
struct SignIn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Show a QR code and a code that sign a browser in at the running server.",
        discussion:
            "The code works once, within five minutes. On the page, Settings → Devices lists the browsers that have signed in, and signs them out."
    )

    @OptionGroup var global: GlobalOptions

    func run() async throws {
        guard let client = try await EngineClient.find(global.root) else {
            throw CommandFailure(
                message: "no server runs on \(global.root); start one with `offline-server serve --lan`")
        }
        let answer = try await client.change("sessions/codes", .post(body: []))
        await client.close()
        let code = answer["code"] as? String ?? ""
        let urls = answer["urls"] as? [String] ?? []
        guard !global.json else {
            let document: JSONValue = [
                "code": .string(code), "expires_at": JSONValue(answer["expires_at"] as? String),
                "urls": .array(urls.map { .string($0) }),
            ]
            return Console.result(document.text)
        }
        // The first address is that of this machine, which a phone can't open.
        guard urls.count > 1 else {
            return Console.result(SignInNotice(code: code, urls: urls).lineOfThisMachine)
        }
        SignInNotice(code: code, urls: Array(urls.dropFirst())).lines.forEach(Console.result)
    }
}
