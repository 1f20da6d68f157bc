internal import Foundation
internal import HTTPTypes
package import StoreReading

/// The body of `POST /assets`: the options of `download` as JSON. Reading and writing stand side by side.
package struct DownloadBody: Codable, SelectionMembers, AccessMembers {
    package var url: String
    package var name: String?
    var meta: [String: String]?
    var tags: [String]?
    package var artwork: String?
    package var subtitleFiles: [SubtitleSource]?
    package var priority: Int?
    package var maxBitrate: Int?
    package var minBitrate: Int?
    package var maxHeight: Int?
    package var allVariants: Bool?
    package var audio: Languages?
    package var subtitles: Languages?
    package var trickPlay: Bool?
    var interstitials: InterstitialChoice?
    /// Seconds of the presentation.
    var from: Double?
    var to: Double?
    var live: Bool?
    var fromStart: Bool?
    var duration: LicenseBody.Span?
    var preload: Bool?
    package var allowMissingKey: Bool?
    var purchase: Bool?
    var rental: LicenseBody.Span?
    var playWindow: LicenseBody.Span?
    package var headers: [String]?
    package var headersFor: [String: [String]]?
    package var cookies: String?
    package var userAgent: String?
    package var proxy: String?
    package var ca: String?
    package var limitRate: UInt64?
    var schedule: Schedule?
    var meteredOk: Bool?
    /// Whether the stream must have everything that is requested.
    package var strict: Bool?
    /// The client's own ID of the request.
    package var clientId: String?
    /// Whether the download waits for the caller's `resume`, for two seconds at most: time to print the address.
    package var hold: Bool?

    /// Languages, written as `"all"`, `"none"`, `"en,de"` or `["en", "de"]`.
    package struct Languages: Codable {
        var value: Selection.Languages

        init?(_ value: Selection.Languages) {
            guard value != .automatic else { return nil }
            self.value = value
        }

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let list = try? container.decode([String].self) {
                value = .matching(list)
            } else {
                value = Selection.Languages(flag: try container.decode(String.self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .automatic: try container.encodeNil()
            case .all: try container.encode("all")
            case .none: try container.encode("none")
            case .matching(let list): try container.encode(list)
            }
        }
    }

    /// Reads a body; `nil` when it is not a JSON object with at least `url`, or a member has a wrong type or value.
    package init?(_ json: [UInt8]) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let body = try? decoder.decode(DownloadBody.self, from: Data(json)), body.isSound else {
            return nil
        }
        self = body
    }

    /// The fault of a body that is neither a download nor a list of downloads.
    package static func fault(in json: [UInt8]) -> JSONFault {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let body = try? decoder.decode(DownloadBody.self, from: Data(json))
        let list = DownloadList.conflict(in: json)
        return body?.conflict ?? list
            ?? JSONFault(.conflict("the body must be an object with \"url\", or a list of such"), path: [])
    }

    /// Whether it can be carried out: no terms contradict each other, and all header fields are valid.
    package var isSound: Bool {
        (purchase != true || rental == nil) && selection.isSound && name.map(AssetName.isName) != false
            && limitRate?.isByteCount != false && (live != true || (from == nil && to == nil))
            && hasSoundAccess
    }

    /// The body that asks for the same.
    package static func json(_ request: AssetRequest, isHeld: Bool = false) throws -> [UInt8] {
        var body = DownloadBody(request)
        if isHeld { body.hold = true }
        return try JSONBody.encode(body)
    }

    /// The request of the body.
    package var request: AssetRequest {
        var request = AssetRequest(url: url)
        request.name = name
        request.meta = meta ?? [:]
        request.tags = tags
        request.artwork = artwork
        request.subtitleFiles = subtitleFiles ?? []
        request.priority = priority ?? 0
        (request.schedule, request.isMeteredOK) = (schedule, meteredOk ?? false)
        request.selection = selection
        request.access = access
        request.isStrict = strict == true ? true : nil
        request.clientID = clientId
        (request.isPreload, request.allowsMissingKeys) = (preload ?? false, allowMissingKey ?? false)
        request.license = LicenseTerms(rental: rental?.seconds, playWindow: playWindow?.seconds)
        return request
    }

    package var selection: Selection {
        var selection = chosen
        selection.interstitials = interstitials
        (selection.start, selection.end) = (from, to)
        if live == true {
            var recording = Selection.Recording()
            recording.fromStart = fromStart ?? false
            recording.duration = duration.map { Double($0.seconds) }
            selection.recording = recording
        }
        return selection
    }

    package var access: OriginAccess {
        var access = OriginAccess()
        access.headers = (headers ?? []).compactMap(HeaderLine.split)
        access.hostHeaders = hostHeaders.isEmpty ? nil : hostHeaders
        access.cookies = cookies
        access.userAgent = userAgent
        access.proxy = proxy
        access.certificateAuthority = ca
        access.rateLimit = limitRate
        return access
    }

    /// The body that asks for the same.
    package init(_ request: AssetRequest) {
        let (selection, access) = (request.selection, request.access)
        (url, name, artwork) = (request.url, request.name, request.artwork)
        meta = request.meta.isEmpty ? nil : request.meta
        tags = request.tags
        priority = request.priority == 0 ? nil : request.priority
        interstitials = selection.interstitials
        (from, to) = (selection.start, selection.end)
        live = selection.recording.map { _ in true }
        fromStart = selection.recording?.fromStart == true ? true : nil
        duration = LicenseBody.Span(selection.recording?.duration.map { Int64($0) })
        preload = request.isPreload ? true : nil
        allowMissingKey = request.allowsMissingKeys ? true : nil
        (strict, clientId) = (request.isStrict, request.clientID)
        rental = LicenseBody.Span(request.license.rental)
        playWindow = LicenseBody.Span(request.license.playWindow)
        subtitleFiles = request.subtitleFiles.isEmpty ? nil : request.subtitleFiles
        headers = access.headers.isEmpty ? nil : access.headers.map { $0.joined(separator: ": ") }
        headersFor = access.hostHeaders.map(HeaderLine.byHosts)
        (cookies, userAgent, proxy) = (access.cookies, access.userAgent, access.proxy)
        (ca, limitRate) = (access.certificateAuthority, access.rateLimit)
        (schedule, meteredOk) = (request.schedule, request.isMeteredOK ? true : nil)
        choose(selection)
    }
}

extension Selection.Languages {
    /// Reads the value of `--audio` or `--subtitles`; `nil` means the automatic choice.
    package init(flag: String?) {
        switch flag {
        case nil: self = .automatic
        case "all": self = .all
        case "none": self = .none
        case let text?: self = .matching(text.split(separator: ",").map { String($0.drop { $0 == " " }) })
        }
    }
}

/// A header field as a user writes it: `Name: value`, which must be one that can be sent (RFC 9110, section 5).
package enum HeaderLine {
    package static func split(_ line: String) -> [String]? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = String(line[..<colon])
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        guard HTTPField.Name(name) != nil, HTTPField.isValidValue(value) else { return nil }
        return [name, value]
    }
}
