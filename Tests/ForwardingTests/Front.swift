import Forwarding
import Foundation
import HTTPDaemon
import HTTPTypes
import Locking
import SystemPackage
import TestSupport

/// A server that passes all requests on to an origin, and shares the answers below `/shared`.
final class Front: Sendable {
    private struct Responder: HTTPResponder {
        let forwarder: RequestForwarder
        let address: Lock<String>
        let prepared: Lock<[Bool]>

        func respond(to request: Request) -> Answer {
            let address = address.withLock(\.self)
            guard request.path.hasPrefix("/shared") else {
                return .later(deadline: .seconds(30)) { await passedOn($0, address) }
            }
            if let kept = forwarder.keptAnswer(to: request) {
                let isPrepared = if case .prepared = kept { true } else { false }
                prepared.withLock { $0.append(isPrepared) }
                return kept
            }
            return .later(deadline: .seconds(30)) { request in
                let shared = await forwarder.sharedResponse(to: request, at: address, fields: [:])
                if let shared { return shared }
                return await passedOn(request, address)
            }
        }

        private func passedOn(_ request: Request, _ address: String) async -> Response {
            do throws(ForwardingError) {
                return try await forwarder.forward(request, to: address, fields: [.via: "1.1 front"])
            } catch {
                return Response(status: .serviceUnavailable, body: .bytes(Array("\(error)".utf8)))
            }
        }
    }

    let folder: TemporaryDirectory
    let forwarder: RequestForwarder
    private let daemon: HTTPDaemon
    private let address: Lock<String>
    private let prepared = Lock<[Bool]>([])

    /// Whether the answers from kept files were prepared ones, in order.
    var arePrepared: [Bool] { prepared.withLock(\.self) }

    /// - Parameter address: the origin.
    init(
        _ address: String, size: UInt64 = 1 << 24, validity: Duration = .seconds(600),
        bucket: (any ObjectSource)? = nil
    ) throws {
        folder = try TemporaryDirectory()
        forwarder = try RequestForwarder(
            folder: FilePath(folder.file("kept")), size: size, validity: validity,
            bucket: bucket)
        self.address = Lock(address)
        daemon = try HTTPDaemon(
            configuration: HTTPDaemonConfiguration(),
            responder: Responder(forwarder: forwarder, address: self.address, prepared: prepared))
    }

    /// Passes requests on to another origin from now on.
    func go(to other: String) { address.withLock { $0 = other } }

    func client() throws -> RawHTTPClient { try RawHTTPClient(port: daemon.port) }

    /// Sends a request on a connection of its own.
    func exchange(
        _ path: String, method: String = "GET", fields: [String] = [], body: String = ""
    ) async throws -> Reply {
        let client = try client()
        return try await blocking {
            let content = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
            let lines = ["\(method) \(path) HTTP/1.1", "Host: films.example", "Connection: close"]
            client.send((lines + fields + content).joined(separator: "\r\n") + "\r\n\r\n" + body)
            return Reply(client.readToEnd())
        }
    }

    /// The sizes of the kept files.
    var kept: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.file("kept"))) ?? []
        return names.map { name in (try? folder.read("kept/\(name)").count) ?? 0 }
    }

    func stop() async {
        await daemon.stop()
        await forwarder.stop()
    }
}

/// A response until the end of its connection.
struct Reply: Sendable {
    let head: String
    let body: [UInt8]

    init(_ bytes: [UInt8]) {
        let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) ?? bytes.count..<bytes.count
        head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        body = Array(bytes[end.upperBound...])
    }

    var status: Int { Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the body is this. A comparison in an expectation would look for the differences, which takes minutes.
    func has(_ bytes: [UInt8]) -> Bool { body == bytes }

    /// The value of a field.
    subscript(_ name: String) -> String? {
        head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }.map {
            $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }
}
