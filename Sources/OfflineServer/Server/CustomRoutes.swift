internal import FoundationEssentials
internal import HTTPDaemon
internal import HTTPTypes

/// The routes of the program that has started the server.
struct CustomRoutes: Sendable {
    private let routes: [CustomRoute]
    private static let ownNames: Set<Substring> = [
        "api", "app", "assets", "healthz", "metrics", "readyz", "t", "watch",
    ]

    /// Throws when a path is not valid, is the server's own, or is there twice.
    init(_ routes: [CustomRoute]) throws(PlaybackServerError) {
        var known: Set<String> = []
        for route in routes where !Self.isValid(route.prefix) || !known.insert(route.prefix).inserted {
            throw .invalidRoute(route.prefix)
        }
        self.routes = routes.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
    }

    private static func isValid(_ prefix: String) -> Bool {
        prefix.wholeMatch(of: #/(?:/[A-Za-z0-9_~\-][A-Za-z0-9._~\-]*)+/#) != nil
            && !ownNames.contains(prefix.dropFirst().prefix { $0 != "/" })
    }

    /// The answer to a request; `nil` when no route has its path.
    func answer(_ request: Request) -> Answer? {
        guard let route = routes.first(where: { $0.covers(request.path) }) else { return nil }
        return .later(deadline: MediaResponder.deadline) { request in
            Response(await route.handler(CustomRoute.Request(request)))
        }
    }
}

extension CustomRoute {
    fileprivate func covers(_ path: String) -> Bool {
        guard path.utf8.starts(with: prefix.utf8) else { return false }
        let next = path.utf8.dropFirst(prefix.utf8.count).first
        return next == nil || next == UInt8(ascii: "/")
    }
}

extension CustomRoute.Request {
    fileprivate init(_ request: Request) {
        let items = QueryItems(request.query)
        self.init(
            method: request.method.rawValue, path: request.path,
            query: Dictionary(uniqueKeysWithValues: items.names.map { ($0, items[$0] ?? "") }),
            body: Data(request.body),
            fields: { name in HTTPField.Name(name).flatMap { request.header($0) } })
    }
}

extension Response {
    fileprivate init(_ response: CustomRoute.Response) {
        var fields = HTTPFields()
        for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
            guard let name = HTTPField.Name(name) else { continue }
            fields[name] = value
        }
        let isKnown = (200...599).contains(response.status)
        self.init(
            status: isKnown ? HTTPResponse.Status(code: response.status) : .internalServerError,
            headers: fields, body: .bytes(Array(response.body)))
    }
}
