internal import HTTPDaemon

extension Request {
    /// The prefix of the addresses in an answer, without a slash at the end. It has the name by which the client
    /// reaches this server, and the API token if the client's path has it. Other clients never get the token.
    ///
    /// - Parameter server: is used if the client sends no Host field, as HTTP/1.0 permits.
    func address(orOf server: String) -> String {
        (outerAddress ?? authority.map { "http://\($0)" } ?? server) + prefix
    }
}
