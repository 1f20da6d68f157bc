internal import HTTPDaemon

extension Request {
    /// The part in front of paths in the addresses of an answer, without a slash at the end: the name by which the
    /// client knows this server, and the API token if the client has it in its own path. Other clients never learn
    /// the token.
    ///
    /// - Parameter server: is used if the client sends no Host field, as HTTP/1.0 permits.
    func address(orOf server: String) -> String {
        (outerAddress ?? authority.map { "http://\($0)" } ?? server) + prefix
    }
}
