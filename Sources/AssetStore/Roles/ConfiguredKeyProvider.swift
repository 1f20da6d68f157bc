internal import Foundation
internal import HLSPlaylist
internal import HTTPTypes
internal import SystemPackage
internal import Transfers

/// A key provider that a store's settings define: an HTTP service, a program, or a fixed key.
struct ConfiguredKeyProvider: KeyProvider {
    let settings: KeyProviderSettings
    let loop: TransferLoop
    var clock: any WallClock = SystemWallClock()
    var environment = ProcessInfo.processInfo.environment
    static let answerLimit: UInt64 = 1 << 20

    var name: String { settings.name }

    func answers(for request: ContentKeyRequest) -> Bool {
        let reference = URIReference(request.uri)
        let scheme = reference.scheme?.lowercased() ?? ""
        let host = reference.host?.lowercased() ?? ""
        return Self.holds(settings.formats) { $0.lowercased() == request.keyFormat.lowercased() }
            && Self.holds(settings.schemes) { $0.lowercased() == scheme }
            && Self.holds(settings.hosts) { Self.matches(host, $0.lowercased()) }
    }

    private static func holds(_ rule: [String]?, _ test: (String) -> Bool) -> Bool {
        rule.map { $0.contains(where: test) } ?? true
    }

    private static func matches(_ host: String, _ pattern: String) -> Bool {
        pattern.hasPrefix("*.") ? host.hasSuffix(pattern.dropFirst()) : host == pattern
    }

    func contentIdentifier(for request: ContentKeyRequest) -> String {
        guard let template = settings.contentID else { return request.identifier }
        return TextTemplate(template).filled(Self.parts(request), .none)
    }

    private static func parts(_ request: ContentKeyRequest) -> [String: String] {
        let reference = URIReference(request.uri)
        let path = String(reference.path.drop { $0 == "/" })
        return [
            "uri": request.uri, "format": request.keyFormat, "token": request.token?.description ?? "",
            "scheme": reference.scheme ?? "", "host": reference.host ?? "", "path": path,
            "name": path.split(separator: "/").last.map(String.init) ?? "",
        ]
    }

    func key(
        for request: ContentKeyRequest, certificate: [UInt8]?
    ) async throws(StoreError) -> ProvidedKey {
        var values = Self.parts(request)
        values["content_id"] = contentIdentifier(for: request)
        values["certificate"] = certificate.map { Data($0).base64EncodedString() } ?? ""
        var key: ProvidedKey
        if let fixed = settings.key {
            key = ProvidedKey(
                try KeyBytes.read(try bytes(fixed), nil, for: name, length: request.keyLength))
        } else if let command = settings.command {
            key = try answer(try await run(command, values), request)
        } else {
            key = try answer(try await ask(values), request)
        }
        if key.renewAt == nil { key.renewAt = settings.renewAfter.map(clock.now.adding(seconds:)) }
        return key
    }

    private func answer(_ bytes: [UInt8], _ request: ContentKeyRequest) throws(StoreError) -> ProvidedKey {
        try KeyProviderAnswer(
            settings.answer, provider: name, now: clock.now, keyLength: request.keyLength
        ).key(in: bytes)
    }

    private func run(_ command: [String], _ values: [String: String]) async throws(StoreError) -> [UInt8] {
        let question = (try? JSONText.plain(values)) ?? ""
        let environment = ["OFFLINE_SERVER_TOKEN": values["token"] ?? ""]
        let outcome = await ExternalCommand(words: command, environment: environment, endsWithTask: true)
            .run(input: Array(question.utf8))
        guard !Task.isCancelled else { throw StoreError(.stopped(.cancelled)) }
        guard outcome.status == 0 else {
            throw StoreError(
                .service("the key provider \(name)", outcome.status, said: outcome.lastWords))
        }
        return outcome.output
    }

    private func ask(_ values: [String: String]) async throws(StoreError) -> [UInt8] {
        var request = try request(TextTemplate(settings.url ?? "").filled(values, .url))
        if let template = settings.body ?? (settings.method == "POST" ? "" : nil) {
            let type = settings.bodyType ?? "application/json"
            let body = TextTemplate(template).filled(values, type.contains("json") ? .json : .none)
            let bytes = Array(body.utf8)
            request.method = .post(
                body: settings.bodyBase64 == true ? Array(Data(bytes).base64EncodedString().utf8) : bytes)
            request.headerFields[.contentType] = type
        }
        return try await fetch(request)
    }

    private func request(_ url: String) throws(StoreError) -> TransferRequest {
        var request = TransferRequest(url: url)
        for (field, text) in settings.headers ?? [:] {
            guard let field = HTTPField.Name(field) else { continue }
            let value = String(decoding: try bytes(text), as: UTF8.self)
            request.headerFields[field] = value.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        // The user has chosen this address, so it may be in a private network.
        request.allowsPrivateAddresses = true
        request.maximumBodyBytes = Self.answerLimit
        return request
    }

    private func fetch(_ request: TransferRequest) async throws(StoreError) -> [UInt8] {
        let (status, bytes): (Int, [UInt8])
        do throws(TransferError) {
            let (result, body) = try await loop.fetch(request)
            (status, bytes) = (result.response.status, body)
        } catch {
            throw StoreError(error, url: request.url)
        }
        guard (200..<300).contains(status) else {
            throw StoreError(
                .key(.declined(provider: name, status: status)), url: URIReference(request.url).redacted)
        }
        return bytes
    }

    var certificateSource: String? { settings.certificate }

    func certificate() async throws(StoreError) -> [UInt8]? {
        guard let source = settings.certificate else { return nil }
        if TextTemplate.hasFixedHost(source) { return try await fetch(try request(source)) }
        return try bytes(.file(source))
    }

    private func bytes(_ text: SettingsText) throws(StoreError) -> [UInt8] { try text.bytes(environment) }
}
