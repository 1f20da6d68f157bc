package import HLSPlaylist

extension MediaPlaylist {
    /// Whether the origin's present playlist is of the same stream as an earlier one: the same segments by number,
    /// length, byte range, discontinuity, initialization section and key, and the same count. Addresses are ignored,
    /// since they may be signed anew each time. Pure.
    ///
    /// - Parameter isPart: whether only a part of the stream was stored.
    package func isSameStream(as stored: MediaPlaylist, isPart: Bool) -> Bool {
        guard continues(stored), ServedKeys.isAlike(self, stored) else { return false }
        guard isPart || !hasEndList || segments.count == stored.segments.count else { return false }
        let first = stored.segments.first?.mediaSequence
        let offset = segments.firstIndex { $0.mediaSequence == first } ?? 0
        return zip(segments.dropFirst(offset), stored.segments).enumerated().allSatisfy { number, pair in
            let (now, before) = pair
            // The facts before the first segment of a part are unknown.
            let isFirst = isPart && number == 0
            return now.byteRange == before.byteRange && now.isGap == before.isGap
                && (isFirst || now.isDiscontinuity == before.isDiscontinuity)
                && (now.initializationSection == nil) == (before.initializationSection == nil)
        }
    }
}

/// The result of a look at some stored units. Pure.
package struct DriftEvidence: Sendable, Equatable {
    /// Units that are still the same at the origin.
    package var same = 0
    /// Units that differ at the origin.
    package var different = 0

    package init(same: Int = 0, different: Int = 0) {
        self.same = same
        self.different = different
    }

    package enum Verdict: Sendable, Equatable {
        /// Nothing indicates a different stream.
        case same
        /// The origin has a different stream now.
        case changed
        /// Some stored segments are of another version than the others.
        case mixed
    }

    package var verdict: Verdict {
        if different == 0 { return .same }
        return same == 0 ? .changed : .mixed
    }
}
