internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes
internal import Locking

/// The files of the pages, which come with the library: scripts, the stylesheet, pictures. Each is read at its first use,
/// since most programs that open a store show no page.
final class PageResources: Sendable {
    /// A file with its validator.
    struct File: Sendable {
        var bytes: [UInt8]
        var tag: String
        var type: String

        init(_ bytes: [UInt8], name: String) {
            self.bytes = bytes
            tag = ContentTag.of(bytes)
            type = PageResources.type(of: name)
        }
    }

    /// What was read so far.
    private struct Known {
        var files: [String: File] = [:]
        /// By their tags: the files as gzip, where that is shorter.
        var compressed: [String: [UInt8]] = [:]
        /// By the name of a page: the scripts that it needs.
        var modules: [String: [String]] = [:]
    }

    /// The names of the files in the folder.
    let names: Set<String>
    private let folder: URL?
    private let known = Lock(Known())
    /// The folder whose files are read at each request, for work on the pages.
    private let live: URL?

    /// Looks into the folder that lies beside the program, or where the package was built.
    init() {
        live = Self.override
        folder = live == nil ? Self.folder : nil
        let found = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0.path) }
        names = Set(found ?? [])
    }

    /// The scripts that a page needs for its first picture. Browsers load them at once instead of finding them one by
    /// one.
    func modules(of page: String) -> [String] {
        if let modules = known.withLock({ $0.modules[page] }) { return modules }
        var (found, open): (Set<String>, [String]) = ([], ["main.js", "\(page).js"])
        while let name = open.popLast() {
            guard let file = stored(name), found.insert(name).inserted else { continue }
            open += Self.imports(of: file)
        }
        let modules = found.sorted()
        known.withLock { $0.modules[page] = modules }
        return modules
    }

    /// The files that a script imports.
    private static func imports(of script: File) -> [String] {
        String(decoding: script.bytes, as: UTF8.self).components(separatedBy: " from './").dropFirst()
            .map { String($0.prefix { $0 != "'" }) }
    }

    private func file(_ name: String) -> File? {
        guard let live else { return stored(name) }
        guard let data = try? Data(contentsOf: live.appendingPathComponent(name)) else { return nil }
        return File([UInt8](data), name: name)
    }

    private func stored(_ name: String) -> File? {
        if let file = known.withLock({ $0.files[name] }) { return file }
        guard names.contains(name), let path = folder?.appendingPathComponent(name),
            let data = try? Data(contentsOf: path)
        else { return nil }
        let file = File([UInt8](data), name: name)
        known.withLock { $0.files[name] = file }
        return file
    }

    /// A file as gzip; `nil` if that is not shorter.
    private func compressed(_ file: File) -> [UInt8]? {
        if let compressed = known.withLock({ $0.compressed[file.tag] }) { return compressed }
        let compressed = Gzip.compressed(file.bytes)
        known.withLock { $0.compressed[file.tag] = compressed }
        return compressed
    }

    /// The answer to a request for a file. A file keeps its name when it changes, so browsers revalidate it each
    /// time.
    func response(_ request: Request, _ name: String) -> Response {
        guard let file = file(name) else {
            return Problem.notFound("The pages have no such file; the library is at /.").response
        }
        var headers: HTTPFields = [
            .contentType: file.type, .cacheControl: "no-cache", .vary: "Accept-Encoding",
        ]
        let compressed = Self.takesGzip(request) ? compressed(file) : nil
        let (bytes, isCompressed) = (compressed ?? file.bytes, compressed != nil)
        if isCompressed { headers[.contentEncoding] = "gzip" }
        // Each coding is a representation of its own (RFC 9110, section 8.8.3).
        return Representation(
            size: nil, entityTag: EntityTag(strong: file.tag + (isCompressed ? "-gzip" : ""))
        )
        .response(to: request, headers: headers, now: .now) { _ in .bytes(bytes) }
    }

    /// Whether a client accepts gzip; a weight of 0 means that it does not.
    private static func takesGzip(_ request: Request) -> Bool {
        (request.header(.acceptEncoding) ?? "").lowercased().split(separator: ",").contains { item in
            let parts = item.split(separator: ";").map { $0.filter { $0 != " " } }
            return parts.first == "gzip"
                && !parts.dropFirst().contains { $0.hasPrefix("q=0") && Double($0.dropFirst(2)) == 0 }
        }
    }

    private static let bundle = "offline-server_OfflineServer.resources"

    private static var folder: URL? {
        let program = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let beside = program?.appendingPathComponent(bundle).appendingPathComponent("app")
        return beside.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
    }

    private static var override: URL? {
        #if DEBUG
            ProcessInfo.processInfo.environment["OFFLINE_SERVER_PAGES"].map { URL(fileURLWithPath: $0) }
        #else
            nil
        #endif
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "webmanifest": "application/manifest+json"
        default: "application/octet-stream"
        }
    }
}
