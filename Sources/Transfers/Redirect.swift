import HTTPTypes

/// Follows redirects (RFC 9110, 15.4) here instead of in libcurl, so that each hop is checked, and secrets for one
/// origin are not sent to another.
struct Redirect {
    /// The address of the next hop.
    let url: TransferURL
    /// The method of the next hop: a POST becomes a GET, except for 307 and 308; a PUT becomes one for 303.
    let method: TransferRequest.Method

    /// The next hop, nil when the response is no redirect.
    init?(
        _ response: TransferResponse, from url: TransferURL, method: TransferRequest.Method, hops: Int,
        request: TransferRequest
    ) throws(TransferError.Code) {
        guard !request.isPassedOn, [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headerFields[.location]
        else { return nil }
        guard hops < request.maximumRedirects else {
            throw .tooManyRedirects(limit: request.maximumRedirects)
        }
        guard let target = try? url.resolving(location) else { throw .redirectRefused }
        if url.isSecure, !target.isSecure, !request.allowsInsecureRedirects { throw .redirectRefused }
        self.url = target
        self.method =
            switch method {
            case .post where response.status < 307: .get
            case .put where response.status == 303: .get
            default: method
            }
    }

    private static let harmless: Set<HTTPField.Name> = [.accept, .acceptLanguage, .cacheControl, .referer]

    /// The fields of a request that may be sent to another origin, at this address.
    static func fields(of request: TransferRequest, at url: String) -> HTTPFields {
        var fields = request.fieldsElsewhere?(url) ?? HTTPFields()
        for field in request.headerFields where harmless.contains(field.name) && fields[field.name] == nil {
            fields.append(field)
        }
        return fields
    }
}
