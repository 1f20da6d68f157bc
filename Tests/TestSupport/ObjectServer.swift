public import Foundation

/// A real S3 server of this machine, with a bucket, and perhaps a relay before it that does to requests what networks do.
public final class ObjectServer {
    /// The servers that can be had.
    public enum Engine: String, CaseIterable, Sendable {
        /// moto, in memory.
        case moto
        /// OpenStack Swift.
        case swift

        /// Whether tests with it run: when it is installed; moto in CI always, so that a missing one is a failure.
        public var runs: Bool {
            switch self {
            case .moto: ObjectServer.hasMoto || ProcessInfo.processInfo.environment["CI"] != nil
            case .swift: ObjectServer.hasSwift
            }
        }
    }

    /// The URL that S3 is spoken at.
    public let endpoint: String
    /// The access key, and its secret.
    public let accessKey: String
    public let secretKey: String
    /// A bucket that is there.
    public let bucket: String
    private let folder: TemporaryDirectory
    private let server: ChildProcess
    private var relay: ChildProcess?
    /// The endpoint of the server behind the relay.
    private var direct: String

    private static let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("S3").path
    private static let hasSwift = ["/usr/lib/python3/dist-packages/swift/proxy/server.py", "/usr/bin/memcached"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }
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
        direct = facts["endpoint"] ?? ""
        (accessKey, secretKey) = (facts["access_key"] ?? "", facts["secret_key"] ?? "")
        bucket = facts["bucket"] ?? ""
        guard let faults else {
            endpoint = direct
            return
        }
        let relay = try ChildProcess(
            "\(Self.scripts)/relay",
            [folder.path, direct, "--share", String(faults.share), "--stop", String(faults.count)])
        self.relay = relay
        endpoint = try Self.facts("relay.json", in: folder, of: relay)["endpoint"] ?? ""
    }

    /// The endpoint without the relay.
    public var directEndpoint: String { direct }

    /// What the relay has done so far, and how often.
    public func faultCounts() throws -> [String: Int] { try askRelay("") }

    /// Has the relay do these faults to a share of the requests from now on: `away`, `all`, or single ones.
    public func setFaults(_ names: String, share: Double) throws {
        _ = try askRelay("?share=\(share)&only=\(names.replacingOccurrences(of: " ", with: "+"))")
    }

    private func askRelay(_ query: String) throws -> [String: Int] {
        guard let url = URL(string: "\(endpoint)/_relay\(query)") else { return [:] }
        return try JSONDecoder().decode([String: Int].self, from: try Data(contentsOf: url))
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
