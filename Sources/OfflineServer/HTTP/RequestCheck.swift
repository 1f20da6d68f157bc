internal import HTTPDaemon
internal import HTTPTypes

/// The checks that RFC 9110 requires for every request.
enum RequestCheck {
    private static let methods: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]

    /// Known methods that no resource supports. QUERY is a GET with content.
    private static let others = [HTTPRequest.Method.trace, HTTPRequest.Method("QUERY")]

    /// Methods that some resource supports.
    static let allowed = methods.map(\.rawValue).joined(separator: ", ")

    /// The problem of a request that contradicts itself or HTTP; `nil` for a good one.
    static func refusal(of request: Request) -> Problem? {
        guard methods.contains(request.method) || others.contains(request.method) else {
            return Problem(
                status: .notImplemented, type: "method-unknown",
                detail: "The server knows no such method; it takes \(allowed).")
        }
        // Content with another coding would be stored or read wrongly (section 8.4).
        if let coding = request.header(.contentEncoding), coding.lowercased() != "identity" {
            return Problem(
                status: .unsupportedMediaType, type: "content-coding",
                detail: "Send the content without a content coding.", acceptedCoding: "identity")
        }
        // A part of the content must not be stored as the whole (section 14.5).
        if request.header(.contentRange) != nil {
            return Problem(
                status: .badRequest, type: "partial-content",
                detail: "Send the whole content: this server takes no partial content.")
        }
        return nil
    }
}
