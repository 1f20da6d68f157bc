import Foundation

/// nginx with the cache of `packaging/nginx-shield.conf` in front of a server of this machine.
public final class Shield {
    private static let program = "/usr/sbin/nginx"

    /// Whether tests with it run: where nginx is there, and in CI always, so that a missing one is a failure.
    public static let runs =
        FileManager.default.isExecutableFile(atPath: program)
        || ProcessInfo.processInfo.environment["CI"] != nil

    /// The port that it listens on.
    public let port: UInt16
    private let folder: TemporaryDirectory
    private let server: ChildProcess

    /// Starts on a port that was free a moment ago; on another one when somebody was faster.
    public init(before server: UInt16) throws {
        folder = try TemporaryDirectory()
        while true {
            let port = try OriginServer().port
            try folder.write(Array(Self.main(folder).utf8), to: "nginx.conf")
            try folder.write(Array(try Self.shield(folder, port, server).utf8), to: "shield.conf")
            let child = try ChildProcess(
                Self.program,
                ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", folder.file("errors")])
            while !FileManager.default.fileExists(atPath: folder.file("pid")), !child.hasEnded {
                usleep(20_000)
            }
            guard child.hasEnded else {
                (self.port, self.server) = (port, child)
                return
            }
        }
    }

    /// How requests for segments were answered so far, in the order of their ends: `MISS`, `HIT`, …, for a target.
    public func answers(for target: String) -> [String] {
        let log = (try? String(contentsOfFile: folder.file("access"), encoding: .utf8)) ?? ""
        return log.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            return words.first.map(String.init) == target ? words.last.map(String.init) : nil
        }
    }

    private static func main(_ folder: TemporaryDirectory) -> String {
        """
        daemon off; master_process off; pid \(folder.file("pid"));
        events { worker_connections 256; }
        http {
            log_format answers '$request_uri $upstream_cache_status';
            access_log \(folder.file("access")) answers;
            client_body_temp_path \(folder.path); proxy_temp_path \(folder.path);
            fastcgi_temp_path \(folder.path); uwsgi_temp_path \(folder.path); scgi_temp_path \(folder.path);
            include \(folder.file("shield.conf"));
        }
        """
    }

    /// The shipped file, with the addresses and the folder of this test.
    private static func shield(_ folder: TemporaryDirectory, _ port: UInt16, _ server: UInt16) throws
        -> String
    {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let shipped = root.appendingPathComponent("packaging/nginx-shield.conf")
        return try String(contentsOf: shipped, encoding: .utf8)
            .replacingOccurrences(of: "/var/cache/nginx/offline-server", with: folder.file("cache"))
            .replacingOccurrences(of: "127.0.0.1:8090", with: "127.0.0.1:\(server)")
            .replacingOccurrences(of: "listen 8080", with: "listen 127.0.0.1:\(port)")
    }
}
