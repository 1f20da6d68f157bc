internal import HTTPDaemon

extension Request {
    /// The part in front of the paths of addresses in an answer, without a slash at the end: the name by which the
    /// client knows this server, and the token where the client has put it into its own path. No other request gets
    /// the token told.
    ///
    /// - Parameter server: stands for a name that the client has not said, which it needs not with HTTP/1.0.
    func address(orOf server: String) -> String {
        (outerAddress ?? authority.map { "http://\($0)" } ?? server) + prefix
    }
}
