package import StoreReading

/// The members of bodies that select renditions of a stream, read and written in one way.
package protocol SelectionMembers {
    var maxBitrate: Int? { get set }
    var minBitrate: Int? { get set }
    var maxHeight: Int? { get set }
    var allVariants: Bool? { get set }
    var audio: DownloadBody.Languages? { get set }
    var subtitles: DownloadBody.Languages? { get set }
    var trickPlay: Bool? { get set }
}

extension SelectionMembers {
    /// The selection that they describe.
    package var chosen: Selection {
        var selection = Selection()
        (selection.maximumBitrate, selection.minimumBitrate) = (maxBitrate, minBitrate)
        (selection.maximumHeight, selection.allVariants) = (maxHeight, allVariants ?? false)
        selection.audio = audio?.value ?? .automatic
        selection.subtitles = subtitles?.value ?? .automatic
        selection.trickPlay = trickPlay ?? false
        return selection
    }

    /// Says the same as a selection.
    mutating func choose(_ selection: Selection) {
        (maxBitrate, minBitrate, maxHeight) = (
            selection.maximumBitrate, selection.minimumBitrate, selection.maximumHeight
        )
        (allVariants, trickPlay) = (selection.allVariants ? true : nil, selection.trickPlay ? true : nil)
        (audio, subtitles) = (.init(selection.audio), .init(selection.subtitles))
    }
}

extension Selection {
    /// Whether its limits are possible numbers and do not exclude each other.
    package var isSound: Bool {
        [maximumBitrate, minimumBitrate, maximumHeight].allSatisfy { $0 ?? 1 > 0 }
            && (maximumBitrate == nil || minimumBitrate == nil)
            && (start ?? 0) >= 0 && (end ?? .infinity) > start ?? 0
    }
}
