internal import Foundation
package import StoreReading

/// The members of a body that contradict each other. Each alone was checked before (`APIShapes`).
extension SelectionMembers {
    /// The fault of a body with two limits of the bit rate.
    package var bitrateConflict: JSONFault? {
        guard maxBitrate != nil, minBitrate != nil else { return nil }
        return JSONFault(
            .conflict("\"max_bitrate\" and \"min_bitrate\" exclude each other; leave one out"),
            path: ["min_bitrate"])
    }
}

extension DownloadBody {
    /// The contradiction, if there is one.
    package var conflict: JSONFault? {
        bitrateConflict ?? termsConflict ?? partConflict ?? headerFault ?? accessFault
    }

    private var termsConflict: JSONFault? {
        guard purchase == true, rental != nil else { return nil }
        return JSONFault(
            .conflict("\"purchase\" and \"rental\" exclude each other; leave one out"), path: ["rental"])
    }

    private var partConflict: JSONFault? {
        if live == true, from != nil || to != nil {
            return JSONFault(
                .conflict(
                    "\"from\" and \"to\" do not apply to a recording; use \"duration\""),
                path: [from != nil ? "from" : "to"])
        }
        guard let to, to <= from ?? 0 else { return nil }
        return JSONFault(.conflict("\"to\" must be after \"from\""), path: ["to"])
    }

    private var headerFault: JSONFault? {
        let index = (headers ?? []).firstIndex { HeaderLine.split($0) == nil }
        return index.map {
            JSONFault(
                .conflict(
                    "a header must be \"Name: value\", in characters that HTTP allows in a header field"),
                path: ["headers", "\($0)"])
        }
    }
}

extension DownloadList {
    /// The first download whose members contradict each other.
    ///
    /// - Parameter path: the place of the downloads in the body.
    package func conflict(_ path: [String]) -> JSONFault? {
        for (index, item) in assets.enumerated() {
            guard case .body(let body) = item, let fault = body.conflict else { continue }
            let place = path + ["\(index)"] + fault.pointer.split(separator: "/").map(String.init)
            return JSONFault(fault.kind, path: place)
        }
        return nil
    }
}

extension TracksBody {
    /// The contradiction, if there is one.
    package var conflict: JSONFault? {
        guard isEmpty else { return bitrateConflict }
        return JSONFault(
            .conflict(
                "name tracks to add (\"audio\", \"subtitles\", \"max_height\" and the like, \"subtitle_files\") or to \"remove\""
            ), path: [])
    }
}

extension LicenseBody {
    /// The contradiction, if there is one.
    package var conflict: JSONFault? {
        guard purchase == true, rental != nil else { return accessFault }
        return JSONFault(
            .conflict("\"purchase\" and \"rental\" exclude each other; leave one out"), path: ["rental"])
    }
}

extension AccessMembers {
    /// Header fields that can't be sent, or hosts that can't be.
    var accessFault: JSONFault? {
        guard !hasSoundAccess else { return nil }
        return JSONFault(
            .conflict(
                "a header field must be \"Name: value\", and a name in \"headers_for\" must be a host, in which * stands for any characters, with or without a port"
            ), path: [headersFor == nil ? "headers" : "headers_for"])
    }
}
