internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes

/// What is served in the clear, for players that can't decrypt it themselves: while the license is valid.
extension MediaResponder {
    /// Answers requests for playlists and segments in the clear; `nil` for anything else.
    func clearAnswer(_ request: Request, _ token: AssetToken, _ resource: AssetResource) -> Answer? {
        guard request.query != nil, QueryItems(request.query).isClear else { return nil }
        switch resource {
        case .mediaPlaylist(let rendition):
            return .later(deadline: Self.deadline) { request in
                await self.attempt(token) { () throws(StoreError) in
                    try self.clearPlaylist(request, token, rendition)
                }
            }
        case .unit(let rendition, let name, let suffix):
            return .later(deadline: Self.deadline) { request in
                await self.clearUnit(request, UnitAddress(token, rendition, name, suffix))
            }
        default: return nil
        }
    }

    private func clearPlaylist(
        _ request: Request, _ token: AssetToken, _ rendition: String
    ) throws(StoreError) -> Response {
        if let refusal = try keys.refusal(token) { return refusal.problem(token).response }
        let query = QueryItems(request.query)
        let playlist =
            query.isAvailableOnly
            ? try reader.availableMediaPlaylist(token, rendition, isClear: true)
            : try clearPlaylist(token, rendition, query.liveView)
        guard let bytes = playlist else { return missing(token) }
        return response(request, bytes, tag: ContentTag.of(bytes), type: MediaType.playlist)
    }

    private func clearPlaylist(
        _ token: AssetToken, _ rendition: String, _ view: LiveView
    ) throws(StoreError) -> [UInt8]? {
        if let bytes = try reader.growingMediaPlaylist(token, rendition, view) { return bytes }
        return try reader.clearMediaPlaylist(token, rendition)
    }

    private func clearUnit(_ request: Request, _ unit: UnitAddress) async -> Response {
        do throws(StoreError) {
            switch try await look(for: unit) {
            case .unknown: return missing(unit.token)
            case .stored(let stored):
                return await attempt(unit.token) { () throws(StoreError) in
                    let bytes = try store.content(of: stored)
                    return try clear(request, unit, bytes, tag: "\(stored.entityTag)-clear")
                }
            case .absent(let absent):
                guard let bytes = try await store.demand(absent)?.whole() else {
                    return Self.notNow(absent, unit.token)
                }
                return await attempt(unit.token) { () throws(StoreError) in
                    try clear(request, unit, bytes, tag: nil)
                }
            }
        } catch {
            return error.problem(unit.token).response
        }
    }

    private func clear(
        _ request: Request, _ unit: UnitAddress, _ bytes: [UInt8], tag: String?
    ) throws(StoreError) -> Response {
        let clear = try store.decrypt(bytes, unit.token, unit.rendition, unit.name)
        return response(request, clear, tag: tag, type: unit.type)
    }

    private func response(_ request: Request, _ bytes: [UInt8], tag: String?, type: String) -> Response {
        Representation(size: UInt64(bytes.count), entityTag: tag.flatMap { EntityTag(strong: $0) })
            .response(to: request, headers: headers(.none, type: type), now: .now) { range in
                .bytes(range.map { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) } ?? bytes)
            }
    }

    private func attempt(
        _ token: AssetToken, _ work: @escaping @Sendable () throws(StoreError) -> Response
    ) async -> Response {
        await Blocking.run {
            do throws(StoreError) { return try work() } catch { return error.problem(token).response }
        }
    }

    /// A license for ClearKey players: a set of JSON Web Keys (W3C Encrypted Media Extensions, section 9.1.3).
    func clearKeyAnswer(_ token: AssetToken) -> Answer {
        .later(deadline: Self.deadline) { request in
            guard let body: ClearKeyRequest = JSONBody.decode(request.body) else {
                return Problem.body("The body must be a ClearKey license request with \"kids\".", token)
                    .response
            }
            return await self.attempt(token) { () throws(StoreError) in
                let keys = try self.keys.clearKeys(token, body.kids.compactMap(Base64URL.bytes))
                return Self.license(keys, type: body.type)
            }
        }
    }

    private static func license(
        _ keys: [(identifier: [UInt8], key: [UInt8])], type: String?
    ) -> Response {
        let set = keys.map { pair -> JSONValue in
            [
                "kty": "oct", "kid": .string(Base64URL.text(pair.identifier)),
                "k": .string(Base64URL.text(pair.key)),
            ]
        }
        return Response(json: ["keys": .array(set), "type": .string(type ?? "temporary")])
    }
}

/// The body of a license request of ClearKey (W3C Encrypted Media Extensions, section 9.1.3).
private struct ClearKeyRequest: Decodable {
    var kids: [String]
    var type: String?
}

/// Base64 with the alphabet of URLs and without padding (RFC 4648, section 5).
enum Base64URL {
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padding = String(repeating: "=", count: (4 - usual.count % 4) % 4)
        return Data(base64Encoded: usual + padding).map { [UInt8]($0) }
    }
}
