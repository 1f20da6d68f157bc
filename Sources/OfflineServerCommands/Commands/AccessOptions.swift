internal import APIDocuments
internal import ArgumentParser
internal import AssetStore
internal import Foundation
internal import OfflineServer

/// The options for the access to an origin: header fields, cookies, proxy and certificates.
struct AccessOptions: ParsableArguments {
    @Option(
        name: .customLong("header"),
        help: ArgumentHelp(
            "Request header field; may be repeated. Authorization and Cookie go to the stream's own host only.",
            valueName: "'name: value'"))
    var headers: [String] = []

    @Option(
        name: .customLong("header-for"),
        help: ArgumentHelp(
            "Request header field for the hosts that match a pattern (*.cdn.example), also after a redirect; may be repeated.",
            valueName: "host 'name: value'"))
    var headersFor: [String] = []

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
        for text in headersFor where HostHeaderArgument.field(text) == nil {
            throw ValidationError(
                "--header-for wants HOST 'Name: value'; * in HOST stands for any characters.")
        }
        if let proxy { try Self.checkProxy(proxy) }
        for path in [cookieJar, certificateAuthority].compactMap(\.self)
        where !FileManager.default.isReadableFile(atPath: path) {
            throw ValidationError("The file \(path) can't be read.")
        }
        if let cookieJar, let text = try? String(contentsOfFile: cookieJar, encoding: .utf8),
            !CookieFile.isSound(text)
        {
            throw ValidationError("The file \(cookieJar) has no cookie. \(CookieFile.rule)")
        }
    }

    /// Schemes of proxies that libcurl supports. A proxy without a scheme is an HTTP proxy.
    private static let proxySchemes: Set<String> = [
        "http", "https", "socks4", "socks4a", "socks5", "socks5h",
    ]

    /// Errors quote no part of a proxy's URL: it may hold a password.
    private static func checkProxy(_ text: String) throws {
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let isKnown = parts.count == 1 || proxySchemes.contains(parts[0].lowercased())
        guard isKnown, parts.last?.isEmpty == false else {
            throw ValidationError("--proxy wants HOST:PORT, http://, https:// or socks5://HOST:PORT.")
        }
    }

    /// The access to the origin that the flags describe. This process reads the files: the engine may be in another
    /// one.
    func access() throws -> OriginAccess {
        var access = OriginAccess()
        access.headers = headers.compactMap(HeaderLine.split)
        if !headersFor.isEmpty { access.hostHeaders = headersFor.compactMap(HostHeaderArgument.field) }
        if let cookieJar { access.cookies = try String(contentsOfFile: cookieJar, encoding: .utf8) }
        access.userAgent = userAgent
        access.proxy = proxy
        access.certificateAuthority = certificateAuthority.map { URL(fileURLWithPath: $0).path }
        return access
    }

    /// The changes of an asset's access to its origin that the flags describe.
    func edit() throws -> AccessEdit {
        let access = try access()
        var edit = AccessEdit()
        (edit.headers, edit.hostHeaders) = (access.headers, access.hostHeaders ?? [])
        (edit.cookies, edit.userAgent, edit.proxy) = (access.cookies, access.userAgent, access.proxy)
        edit.certificateAuthority = access.certificateAuthority
        return edit
    }
}

/// The two words that follow `--header-for`: hosts, and a header field for them.
enum HostHeaderArgument {
    static let option = "--header-for"

    /// The words of a command, with both words of the option joined to one: the parser takes one value for an option.
    /// Words that a user has joined already stay as they are.
    static func joined(_ arguments: [String]) -> [String] {
        var rest = arguments[...]
        var joined: [String] = []
        while let word = rest.popFirst() {
            joined.append(word)
            if word == "--" { break }
            guard word == option, let hosts = rest.first, !hosts.contains(" ") else { continue }
            joined.append(rest.prefix(2).joined(separator: " "))
            rest = rest.dropFirst(2)
        }
        return joined + rest
    }

    /// Reads `HOST Name: value`.
    static func field(_ text: String) -> HostHeader? {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, HostPattern.isValid(String(parts[0])),
            let field = HeaderLine.split(String(parts[1]))
        else { return nil }
        return HostHeader(hosts: String(parts[0]), name: field[0], value: field[1])
    }
}
