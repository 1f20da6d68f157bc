extension HTTPDaemon {
    /// Checks whether a daemon could listen at the address and port of a configuration, without listening.
    ///
    /// - Throws: the error that the daemon's start would throw.
    public static func check(_ configuration: HTTPDaemonConfiguration) throws(HTTPDaemonError) {
        try ListeningSocket.check(address: configuration.address, port: configuration.port)
    }
}
