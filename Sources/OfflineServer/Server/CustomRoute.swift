public import FoundationEssentials

/// A route by which the app itself answers requests at and below a path of a server.
///
/// The server checks each request before it calls the handler: its Host, the API token where one is demanded, and that
/// it does not come from a page of another origin.
///
/// ```swift
/// var configuration = PlaybackServer.Configuration()
/// configuration.routes = [
///     CustomRoute("/shelf") { request in
///         .text("You asked for \(request.path).")
///     }
/// ]
/// let server = try await PlaybackServer.start(serving: store, configuration)
/// // server.url(forPath: "/shelf") is where it answers.
/// ```
public struct CustomRoute: Sendable {
    /// The path, such as `/shelf` or `/shelf/top`, without a slash at the end.
    public let prefix: String
    let handler: @Sendable (Request) async -> Response

    /// Answers requests at and below a path. Of several routes, the one with the longest path answers.
    ///
    /// - Parameters:
    ///   - prefix: a path of ASCII characters that need no encoding. The server itself uses the paths at and below
    ///     `/api`, `/app`, `/assets`, `/healthz`, `/metrics`, `/readyz`, `/t` and `/watch`.
    ///   - handler: makes the response. Its task is cancelled when the client closes the connection, or after 30
    ///     seconds. After 30 seconds the client gets 503.
    public init(_ prefix: String, handler: @escaping @Sendable (Request) async -> Response) {
        (self.prefix, self.handler) = (prefix, handler)
    }

    /// A request for a custom route.
    public struct Request: Sendable {
        /// The method: `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` or `OPTIONS`.
        public let method: String
        /// The path as it was received, percent-encoded, without the query; it begins with the route's own path.
        public let path: String
        /// The items of the query, percent-decoded; of several with one name the first.
        public let query: [String: String]
        /// The content, at most 1 MiB.
        public let body: Data
        let fields: @Sendable (String) -> String?

        /// The value of a header field, whose name is compared without regard to case; several lines are joined by `,
        /// `.
        public func header(_ name: String) -> String? { fields(name) }
    }

    /// The response of a custom route. Content-Length is made from the body, which a HEAD request does not get.
    public struct Response: Sendable {
        /// The status code, 200 to 599; any other one is sent as 500.
        public var status: Int
        /// Header fields. A field whose name is not valid (RFC 9110, section 5.1) is left out.
        public var headers: [String: String]
        /// The content.
        public var body: Data

        /// A response of these parts.
        public init(status: Int = 200, headers: [String: String] = [:], body: Data = Data()) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }

        /// A text in UTF-8.
        public static func text(
            _ text: String, status: Int = 200, type: String = "text/plain; charset=utf-8"
        ) -> Response {
            Response(status: status, headers: ["Content-Type": type], body: Data(text.utf8))
        }

        /// A JSON document.
        ///
        /// - Throws: the encoder's error.
        public static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
            Response(
                status: status, headers: ["Content-Type": "application/json"],
                body: try JSONEncoder().encode(value))
        }
    }
}
