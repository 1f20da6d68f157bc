import AssetStore
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import APIDocuments
@testable import OfflineServer

/// The facts that an author needs who writes a client from the document alone.
@Suite("A client that knows the description of the API alone", .fewAtOnce, .timeLimit(.minutes(2)))
struct APIDescriptionTests {
    @Test("has a name of its own for every operation")
    func names() {
        let names = APIOperation.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[a-z][A-Za-z]+/) != nil }, "\(names)")
    }

    @Test("finds an example of every body, which the server accepts unchanged")
    func examples() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSample { site, token in
            for operation in APIOperation.all where operation.documentation.body != nil {
                let example = try #require(APIExamples.body(of: operation), "\(operation.name)")
                let body = example.text.replacing(/https:[^"]*/, with: url)
                    .replacing(try #require(APIExamples.token.string), with: token.description)
                let path = operation.template.replacing("{token}", with: token.description)
                let reply = try await site.request(
                    operation.method.rawValue, "/api/v1/\(path)", ["Content-Type": "application/json"],
                    body: body)
                let isTaken = reply.status < 400 || [403, 404, 409].contains(reply.status)
                #expect(isTaken, "\(operation.name): \(reply.text)")
            }
        }
        origin.stop()
    }

    @Test("sends the content of a cookie file, as it is described, and the origin gets the cookies")
    func cookies() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSite { site in
            let description = try await site.get("/api/v1/openapi.json").text
            #expect(description.contains("The content of a cookie file"))
            let cookie = #"127.0.0.1\tFALSE\t/\tFALSE\t0\tgate\topen"#
            let reply = try await site.post(
                "/api/v1/assets", #"{"url": "\#(url)", "cookies": "\#(cookie)"}"#)
            let hasCome = await origin.waitForRequests(1)
            #expect(reply.status == 201 && hasCome)
            #expect(origin.requests.first?.header("Cookie") == "gate=open")
        }
        origin.stop()
    }

    @Test("finds every refusal that has a status of its own, with the problem document's type")
    func refusals() async throws {
        try await withSample { site, token in
            let description = try await Description(site)
            for (method, path, template, body) in [
                ("GET", "assets?limit=x", "/assets", ""), ("POST", "assets", "/assets", "[1]"),
                ("POST", "assets/\(token)/keys", "/assets/{token}/keys", "{}"),
                ("GET", "assets/01ARZ3NDEKTSV4RRFFQ69G5FAV", "/assets/{token}", ""),
                ("POST", "assets/\(token)/cancel", "/assets/{token}/cancel", "{}"),
                ("POST", "import", "/import", #"{"path": "/no/such/folder"}"#),
            ] {
                let reply = try await site.request(
                    method, "/api/v1/\(path)", ["Content-Type": "application/json"], body: body)
                let statuses = description.statuses(template, method.lowercased())
                #expect(
                    reply.status >= 400 && statuses.contains("\(reply.status)"), "\(path): \(reply.status)")
                #expect(reply["Content-Type"] == "application/problem+json")
            }
        }
    }

    @Test("finds every member of every answer described")
    func answers() async throws {
        let origin = try OriginServer()
        let url = SampleStream().publish(on: origin)
        try await withSample { site, token in
            let description = try await Description(site)
            let asset = "/api/v1/assets/\(token)"
            for (method, path, schema, body) in [
                ("GET", asset, "Asset", ""), ("GET", "/api/v1/assets", "AssetList", ""),
                ("GET", "\(asset)/license", "LicenseWithHistory", ""), ("GET", "\(asset)/keys", "Keys", ""),
                ("POST", "\(asset)/verify", "Verification", "{}"), ("GET", "/api/v1/storage", "Storage", ""),
                ("GET", "/api/v1/settings", "Settings", ""),
                ("POST", "/api/v1/storage/prune", "PruneReport", "{}"),
                ("POST", "/api/v1/probe", "Offer", #"{"url": "\#(url)"}"#),
                ("POST", "/api/v1/estimate", "Estimate", #"{"url": "\#(url)"}"#),
                ("POST", "/api/v1/control", "ControlReport", #"{"action": "pause", "all": true}"#),
                ("POST", "\(asset)/remove", "Removed", "{}"),
            ] {
                let reply = try await site.request(
                    method, path, ["Content-Type": "application/json"], body: body)
                #expect(reply.status == 200, "\(path)")
                #expect(description.unknown(in: reply.object, Description.reference(schema)) == [], "\(path)")
            }
        }
        origin.stop()
    }
}

extension JSONValue {
    fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
}

/// The OpenAPI document, as a client reads it.
private struct Description {
    private let paths: [String: [String: Any]]
    private let schemas: [String: [String: Any]]

    init(_ site: Site) async throws {
        let document = try await site.get("/api/v1/openapi.json").object
        let components = document["components"] as? [String: Any]
        schemas = try #require(components?["schemas"] as? [String: [String: Any]])
        paths = try #require(document["paths"] as? [String: [String: Any]])
    }

    static func reference(_ name: String) -> [String: Any] { ["$ref": "#/components/schemas/\(name)"] }

    /// The statuses in the description of an operation.
    func statuses(_ template: String, _ method: String) -> Set<String> {
        let operation = paths[template]?[method] as? [String: Any]
        return Set((operation?["responses"] as? [String: Any] ?? [:]).keys)
    }

    /// The members of a value that its schema does not name.
    func unknown(in value: Any, _ schema: [String: Any]) -> [String] {
        if let list = value as? [Any] {
            let items = parts(of: schema).compactMap { $0["items"] as? [String: Any] }
            return list.flatMap { item in items.first.map { unknown(in: item, $0) } ?? ["[]"] }
        }
        guard let object = value as? [String: Any] else { return [] }
        let own = parts(of: schema)
        let named = own.compactMap { $0["properties"] as? [String: [String: Any]] }
            .reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        let others = own.compactMap { $0["additionalProperties"] as? [String: Any] }.first
        return object.flatMap { name, member in
            (named[name] ?? others).map { unknown(in: member, $0) } ?? [name]
        }
    }

    /// A schema and everything that it is made of.
    private func parts(of schema: [String: Any]) -> [[String: Any]] {
        let name = (schema["$ref"] as? String)?.split(separator: "/").last
        let combined = ["allOf", "anyOf"].flatMap { schema[$0] as? [[String: Any]] ?? [] }
        let referenced = name.flatMap { schemas[String($0)] }.map { [$0] } ?? []
        return [schema] + (combined + referenced).flatMap(parts)
    }
}
