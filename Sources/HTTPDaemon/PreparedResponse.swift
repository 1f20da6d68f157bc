/// A response that is made once and sent many times, to any number of clients at once, without copying. It lives as
/// long as it has a reference or a client receives it.
public final class PreparedResponse: Sendable {
    let response: LibraryResponse

    /// Prepares `response`. A stream can't be prepared, since it is read only once: `nil`.
    public init?(_ response: Response) {
        if case .stream = response.body { return nil }
        self.response = LibraryResponse(response, stream: nil)
    }
}
