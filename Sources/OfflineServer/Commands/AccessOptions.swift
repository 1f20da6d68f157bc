internal import ArgumentParser
internal import AssetStore
internal import Foundation

/// How the origin is asked.
struct AccessOptions: ParsableArguments {
    @Option(
        name: .customLong("header"),
        help: ArgumentHelp("Request header field; may be repeated.", valueName: "'name: value'"))
    var headers: [String] = []

    @Option(help: ArgumentHelp("Cookie file in Netscape's format.", valueName: "file"))
    var cookieJar: String?

    @Option(help: ArgumentHelp("User-Agent to send.", valueName: "text"))
    var userAgent: String?

    @Option(help: ArgumentHelp("Proxy to go through.", valueName: "url"))
    var proxy: String?

    @Option(name: .customLong("ca"), help: ArgumentHelp("Certificate authorities in PEM.", valueName: "file"))
    var certificateAuthority: String?

    func validate() throws {
        for header in headers where HeaderLine.split(header) == nil {
            throw ValidationError("--header wants 'Name: value'.")
        }
        if let proxy { try Self.checkProxy(proxy) }
        for path in [cookieJar, certificateAuthority].compactMap(\.self)
        where !FileManager.default.isReadableFile(atPath: path) {
            throw ValidationError("The file \(path) can't be read.")
        }
    }

    /// Schemes of proxies that libcurl goes through; one without a scheme is asked by HTTP.
    private static let proxySchemes: Set<String> = [
        "http", "https", "socks4", "socks4a", "socks5", "socks5h",
    ]

    /// Nothing of a proxy's URL is quoted: it may hold a password.
    private static func checkProxy(_ text: String) throws {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let isKnown = parts.count == 1 || proxySchemes.contains(parts[0].lowercased())
        guard isKnown, parts.last?.isEmpty == false else {
            throw ValidationError("--proxy wants HOST:PORT, http://, https:// or socks5://HOST:PORT.")
        }
    }

    /// What the flags mean. Files are read here: the engine may be another process.
    func access() throws -> OriginAccess {
        var access = OriginAccess()
        access.headers = headers.compactMap(HeaderLine.split)
        if let cookieJar { access.cookies = try String(contentsOfFile: cookieJar, encoding: .utf8) }
        access.userAgent = userAgent
        access.proxy = proxy
        access.certificateAuthority = certificateAuthority.map { URL(fileURLWithPath: $0).path }
        return access
    }
}
