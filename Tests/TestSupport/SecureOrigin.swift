import Foundation

/// nginx with a certificate of its own; it needs no rights beyond the person's.
public final class SecureOrigin {
    private static let isInstalled = ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Whether tests with it run: when the programs that it needs are there, and in CI always, so that a missing one is a
    /// failure.
    public static let runs = isInstalled || ProcessInfo.processInfo.environment["CI"] != nil

    /// What it serves, beside its own files.
    public let folder: TemporaryDirectory
    private let port: UInt16
    private let server: ChildProcess

    /// Starts on a port that was free.
    public init() throws {
        folder = try TemporaryDirectory()
        let certificate = folder.file("certificate.pem")
        try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2",
                "-keyout", folder.file("key.pem"), "-out", certificate, "-subj", "/CN=localhost",
                "-addext", "subjectAltName=IP:127.0.0.1",
            ]
        ).wait()
        (server, port) = try SecureOrigin.start(in: folder)
    }

    /// nginx on a port that was free a moment ago; on another one when somebody was faster.
    private static func start(in folder: TemporaryDirectory) throws -> (ChildProcess, UInt16) {
        while true {
            let port = try OriginServer().port
            try folder.write(Array(configuration(folder: folder, port: port).utf8), to: "nginx.conf")
            let server = try ChildProcess(
                "/usr/sbin/nginx",
                ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", folder.file("errors")])
            // Written once it listens.
            while !FileManager.default.fileExists(atPath: folder.file("pid")), !server.hasEnded {
                usleep(20_000)
            }
            if !server.hasEnded { return (server, port) }
        }
    }

    /// The file with its certificate, which is its own authority.
    public var certificate: String { folder.file("certificate.pem") }

    /// The URL of a path.
    public func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    private static func configuration(folder: TemporaryDirectory, port: UInt16) -> String {
        """
        daemon off; master_process off; pid \(folder.file("pid"));
        events { worker_connections 256; }
        http {
            access_log off;
            client_body_temp_path \(folder.path); proxy_temp_path \(folder.path);
            fastcgi_temp_path \(folder.path); uwsgi_temp_path \(folder.path); scgi_temp_path \(folder.path);
            server {
                listen 127.0.0.1:\(port) ssl http2; root \(folder.path);
                ssl_certificate certificate.pem; ssl_certificate_key key.pem;
                location /down { return 302 http://127.0.0.1:\(port)/a.ts; }
            }
        }
        """
    }
}
