package import HTTPTypes

/// The outcome of a conditional or range request.
public enum PreconditionOutcome: Equatable, Sendable {
    /// All of the representation: 200 for GET and HEAD.
    case proceed
    /// A part of it, not empty: 206.
    case partial(Range<UInt64>)
    /// 304
    case notModified
    /// 412
    case failed
    /// 416
    case rangeNotSatisfiable
}

/// The conditional request fields of one request, RFC 9110 §13.
public struct Preconditions: Equatable, Sendable {
    private let method: HTTPRequest.Method
    private let ifMatch, ifNoneMatch, ifUnmodifiedSince, ifModifiedSince, ifRange, range: String?

    /// The fields of `request`.
    public init(_ request: Request) {
        self.init(method: request.method) { request.header($0) }
    }

    /// The fields that `value` knows, of a request with `method`.
    package init(method: HTTPRequest.Method, value: (HTTPField.Name) -> String?) {
        self.method = method
        ifMatch = value(.ifMatch)
        ifNoneMatch = value(.ifNoneMatch)
        ifUnmodifiedSince = value(.ifUnmodifiedSince)
        ifModifiedSince = value(.ifModifiedSince)
        ifRange = value(.ifRange)
        range = value(.range)
    }

    /// Evaluates in the order of RFC 9110 §13.2.2. `now` reads two-digit years and tells whether a
    /// modification date is old enough to be a strong validator.
    public func evaluate(_ representation: Representation, now: HTTPDate) -> PreconditionOutcome {
        guard mayProceed(representation, now: now) else { return .failed }
        if let ifNoneMatch {
            if matchesNone(ifNoneMatch, representation) { return rangeOutcome(representation, now: now) }
            return isRead ? .notModified : .failed
        }
        if isRead, let date = ifModifiedSince.flatMap({ HTTPDate($0, now: now) }),
            let modified = representation.lastModified, modified <= date
        {
            return .notModified
        }
        return rangeOutcome(representation, now: now)
    }

    private var isRead: Bool { method == .get || method == .head }

    /// Steps 1 and 2.
    private func mayProceed(_ representation: Representation, now: HTTPDate) -> Bool {
        if let ifMatch {
            switch EntityTagCondition(ifMatch) {
            case .any: return true
            case .tags(let tags):
                return representation.entityTag.map { tag in tags.contains { $0.stronglyMatches(tag) } }
                    ?? false
            case nil: return false
            }
        }
        guard let date = ifUnmodifiedSince.flatMap({ HTTPDate($0, now: now) }),
            let modified = representation.lastModified
        else { return true }
        return modified <= date
    }

    /// Step 3. An invalid value matches nothing.
    private func matchesNone(_ value: String, _ representation: Representation) -> Bool {
        switch EntityTagCondition(value) {
        case .any: false
        case .tags(let tags):
            representation.entityTag.map { tag in !tags.contains { $0.weaklyMatches(tag) } } ?? true
        case nil: true
        }
    }

    /// Step 5. Ranges are defined for GET only (RFC 9110 §14.2).
    private func rangeOutcome(_ representation: Representation, now: HTTPDate) -> PreconditionOutcome {
        guard method == .get, let range = range.flatMap({ ByteRangeHeader($0) }),
            let size = representation.size,
            ifRange.map({ isCurrent($0, representation, now: now) }) ?? true
        else { return .proceed }
        switch range.resolve(size: size) {
        case .full: return .proceed
        case .partial(let part): return .partial(part)
        case .unsatisfiable: return .rangeNotSatisfiable
        }
    }

    /// If-Range, RFC 9110 §13.1.5: the same strong validator. A date is one when it is a second old
    /// (§8.8.2.2).
    private func isCurrent(_ validator: String, _ representation: Representation, now: HTTPDate) -> Bool {
        if let tag = EntityTag(validator) {
            return representation.entityTag.map { tag.stronglyMatches($0) } ?? false
        }
        guard let date = HTTPDate(validator, now: now), let modified = representation.lastModified else {
            return false
        }
        return date == modified && modified < now
    }
}
