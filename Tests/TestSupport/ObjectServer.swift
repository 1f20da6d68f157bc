import Foundation

/// A real S3 server of this machine, with a bucket, and perhaps a relay before it that does to requests what networks do.
/// Sendable because its programs are started by the initializer and ended with it; nobody touches them in between.
public final class ObjectServer: @unchecked Sendable {
    /// The servers that can be had.
    public enum Engine: String, CaseIterable, Sendable {
        /// moto, in memory.
        case moto
        /// OpenStack Swift.
        case swift

        /// Whether tests with it run: moto when it is installed, and in CI always, so that a missing one is a failure; Swift,
        /// which takes its time, with `S3_SWIFT` set.
        public var runs: Bool {
            switch self {
            case .moto: ObjectServer.hasMoto || ProcessInfo.processInfo.environment["CI"] != nil
            case .swift: ProcessInfo.processInfo.environment["S3_SWIFT"] != nil
            }
        }
    }

    /// The URL that S3 is spoken at.
    public let endpoint: String
    /// The access key.
    public let accessKey: String
    /// The secret behind the access key.
    public let secretKey: String
    /// A bucket that is there.
    public let bucket: String
    private let folder: TemporaryDirectory
    private let server: ChildProcess
    private let relay: ChildProcess?
    /// The endpoint without the relay.
    public let directEndpoint: String

    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("S3").path
    private static let hasMoto: Bool = {
        if FileManager.default.isExecutableFile(atPath: "\(scripts)/venv/bin/python3") { return true }
        return (try? ChildProcess("/usr/bin/env", ["python3", "-c", "import moto.server"]).wait()) == 0
    }()

    /// Starts one and waits until it answers.
    ///
    /// - Parameters:
    ///   - certificate: a certificate and its key, for TLS; moto alone has that.
    ///   - faults: the share of requests that the relay does something to, and after how many it stops; `nil` without relay.
    public init(
        _ engine: Engine = .moto, certificate: (file: String, key: String)? = nil,
        faults: (share: Double, count: Int)? = nil
    ) throws {
        folder = try TemporaryDirectory()
        var arguments = [engine.rawValue, folder.path]
        if let certificate { arguments += ["--certificate", certificate.file, "--key", certificate.key] }
        server = try ChildProcess("\(Self.scripts)/server", arguments)
        let facts = try Self.facts("server.json", in: folder, of: server)
        let direct = facts["endpoint"] ?? ""
        directEndpoint = direct
        (accessKey, secretKey) = (facts["access_key"] ?? "", facts["secret_key"] ?? "")
        bucket = facts["bucket"] ?? ""
        guard let faults else {
            (endpoint, self.relay) = (direct, nil)
            return
        }
        let relay = try ChildProcess(
            "\(Self.scripts)/relay",
            [folder.path, direct, "--share", String(faults.share), "--stop", String(faults.count)])
        self.relay = relay
        endpoint = try Self.facts("relay.json", in: folder, of: relay)["endpoint"] ?? ""
    }

    /// What the relay has done so far, and how often.
    public func faultCounts() throws -> [String: Int] { try askRelay("") }

    /// Has the relay do these faults to a share of the requests from now on: `away`, `all`, or single ones.
    public func setFaults(_ names: String, share: Double) throws {
        _ = try askRelay("?share=\(share)&only=\(names.replacingOccurrences(of: " ", with: "+"))")
    }

    private func askRelay(_ query: String) throws -> [String: Int] {
        guard relay != nil, let port = URL(string: endpoint)?.port else { return [:] }
        let client = try RawHTTPClient(port: UInt16(port))
        client.send("GET /_relay\(query) HTTP/1.1\r\n\r\n")
        return try JSONDecoder().decode([String: Int].self, from: Data(client.readResponse().body))
    }

    private static func facts(
        _ name: String, in folder: TemporaryDirectory, of child: ChildProcess
    ) throws -> [String: String] {
        while !FileManager.default.fileExists(atPath: folder.file(name)) {
            guard !child.hasEnded else { throw CocoaError(.executableLoad) }
            usleep(20_000)
        }
        return try JSONDecoder().decode([String: String].self, from: Data(try folder.read(name)))
    }
}
