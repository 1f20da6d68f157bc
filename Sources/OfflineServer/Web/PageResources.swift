internal import AssetStore
internal import Foundation
internal import HTTPDaemon
internal import HTTPTypes

/// The files of the pages, which come with the library: scripts, the stylesheet, pictures. They are read at the first
/// use.
struct PageResources: Sendable {
    /// A file with its validator.
    struct File: Sendable {
        var bytes: [UInt8]
        /// The content as gzip; `nil` if that is not shorter.
        var compressed: [UInt8]?
        var tag: String
        var type: String

        init(_ bytes: [UInt8], name: String) {
            self.bytes = bytes
            compressed = Gzip.compressed(bytes)
            tag = ContentTag.of(bytes)
            type = PageResources.type(of: name)
        }
    }

    private let files: [String: File]
    /// The scripts that the script of a name imports, however indirectly, with itself.
    private let imports: [String: Set<String>]
    /// The folder whose files are read at each request, for work on the pages.
    private let live: URL?

    /// Reads the folder that lies beside the program, or where the package was built.
    init() {
        live = Self.override
        guard live == nil, let folder = Self.folder else {
            (files, imports) = ([:], [:])
            return
        }
        var files: [String: File] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
            guard let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else { continue }
            files[name] = File([UInt8](data), name: name)
        }
        self.files = files
        imports = Self.imports(among: files)
    }

    /// The names of the files.
    var names: [String] { files.keys.sorted() }

    /// The scripts that a page needs for its first picture. Browsers load them at once instead of finding them one by
    /// one.
    func modules(of page: String) -> [String] {
        imports["main.js", default: []].union(imports["\(page).js", default: []]).sorted()
    }

    private static func imports(among files: [String: File]) -> [String: Set<String>] {
        let direct = files.filter { $0.key.hasSuffix(".js") }.mapValues { file in
            String(decoding: file.bytes, as: UTF8.self).matches(of: #/ from '\.\/([^']+)'/#)
                .map { String($0.1) }
        }
        var all: [String: Set<String>] = [:]
        for name in direct.keys {
            var (known, open): (Set<String>, [String]) = ([name], [name])
            while let next = open.popLast() {
                open += direct[next, default: []].filter { known.insert($0).inserted }
            }
            all[name] = known
        }
        return all
    }

    func file(_ name: String) -> File? {
        guard let live else { return files[name] }
        guard let data = try? Data(contentsOf: live.appendingPathComponent(name)) else { return nil }
        return File([UInt8](data), name: name)
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
        let (bytes, isCompressed) =
            if let compressed = file.compressed, Self.takesGzip(request) { (compressed, true) } else {
                (file.bytes, false)
            }
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
