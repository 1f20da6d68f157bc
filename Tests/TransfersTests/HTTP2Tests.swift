import Foundation
import TestSupport
import Testing

@testable import Transfers

/// nginx with a certificate of its own; it needs no rights beyond the person's.
private final class SecureOrigin {
    static let isInstalled = ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let folder: TemporaryDirectory
    let port: UInt16
    private let server: ChildProcess

    init() throws {
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

    var certificate: String { folder.file("certificate.pem") }

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

@Suite(
    "HTTP/2 over TLS", .enabled(if: SecureOrigin.isInstalled, "needs nginx and openssl"), .serialized,
    .timeLimit(.minutes(2)))
struct HTTP2Tests {
    private let origin: SecureOrigin
    private let loop: TransferLoop

    init() throws {
        origin = try SecureOrigin()
        loop = try TransferLoop()
    }

    private func request(_ path: String) -> TransferRequest {
        var request = TransferRequest(url: "https://127.0.0.1:\(origin.port)\(path)")
        request.allowsPrivateAddresses = true
        request.certificateAuthorityFile = origin.certificate
        return request
    }

    @Test("a hundred transfers share one connection")
    func multiplexed() async throws {
        let bytes = OriginResource.pattern(100_000)
        try origin.folder.write(bytes, to: "a.ts")
        let (request, loop) = (request("/a.ts"), loop)
        let results = try await withThrowingTaskGroup(of: (TransferResult, [UInt8]).self) { group in
            for _ in 0..<100 { group.addTask { try await loop.fetch(request) } }
            var results: [TransferResult] = []
            for try await (result, body) in group {
                #expect(body == bytes)
                results.append(result)
            }
            return results
        }
        #expect(results.allSatisfy { $0.response.version == .http2 && $0.response.lengthIsKnown })
        #expect(results.count { !$0.connectionReused } == 1)
    }

    @Test("a range comes over HTTP/2 as over HTTP/1.1")
    func range() async throws {
        try origin.folder.write(OriginResource.pattern(1_000), to: "a.ts")
        var request = request("/a.ts")
        request.range = TransferRange(offset: 10, length: 5)
        #expect(try await loop.fetch(request).1 == Array(OriginResource.pattern(1_000)[10..<15]))
    }

    @Test("a certificate nobody trusts is refused")
    func untrusted() async throws {
        var request = request("/a.ts")
        request.certificateAuthorityFile = nil
        let error = await #expect(throws: TransferError.self) { try await loop.fetch(request) }
        #expect(error?.code == .tls)
        #expect(error?.isRetryable == false)
    }

    @Test("a redirect from https to http is refused")
    func downgrade() async throws {
        let error = await #expect(throws: TransferError.self) { try await loop.fetch(request("/down")) }
        #expect(error?.code == .redirectRefused)
    }
}
