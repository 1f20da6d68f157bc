/// A response made once and sent many times, to any number of clients at once: nothing is copied per
/// request. Lives as long as somebody holds it or a client still receives it.
public final class PreparedResponse: Sendable {
    let response: LibraryResponse

    /// Prepares `response`. A stream can't be prepared, since it is read only once: `nil`.
    public init?(_ response: Response) {
        if case .stream = response.body { return nil }
        self.response = LibraryResponse(response, stream: nil)
    }
}
