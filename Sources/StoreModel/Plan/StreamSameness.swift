package import HLSPlaylist

extension MediaPlaylist {
    /// Whether this playlist, as the origin has it now, is of the stream that an earlier one was of: the same segments by
    /// number, length, byte range, discontinuity, initialization section and key, and as many. Addresses don't matter, since
    /// they may be signed anew each time. Pure.
    ///
    /// - Parameter isPart: whether only a part of the stream was taken.
    package func isSameStream(as stored: MediaPlaylist, isPart: Bool) -> Bool {
        guard continues(stored), ServedKeys.isAlike(self, stored) else { return false }
        guard isPart || !hasEndList || segments.count == stored.segments.count else { return false }
        let first = stored.segments.first?.mediaSequence
        let offset = segments.firstIndex { $0.mediaSequence == first } ?? 0
        return zip(segments.dropFirst(offset), stored.segments).enumerated().allSatisfy { number, pair in
            let (now, before) = pair
            // What is before the first segment of a part is not known of it.
            let isFirst = isPart && number == 0
            return now.byteRange == before.byteRange && now.isGap == before.isGap
                && (isFirst || now.isDiscontinuity == before.isDiscontinuity)
                && (now.initializationSection == nil) == (before.initializationSection == nil)
        }
    }
}

/// The result of a look at some stored units. Pure.
package struct DriftEvidence: Sendable, Equatable {
    /// Units that the origin still has as they are stored.
    package var same = 0
    /// Units in whose place it has something else.
    package var different = 0

    package init(same: Int = 0, different: Int = 0) {
        self.same = same
        self.different = different
    }

    package enum Verdict: Sendable, Equatable {
        /// Nothing speaks against it being the same stream.
        case same
        /// The origin has another one now.
        case changed
        /// Some of what is stored is of another version than the rest.
        case mixed
    }

    package var verdict: Verdict {
        if different == 0 { return .same }
        return same == 0 ? .changed : .mixed
    }
}
