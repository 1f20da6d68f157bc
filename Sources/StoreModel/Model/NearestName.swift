/// The known name that a mistyped one was probably meant to be. Pure.
package enum NearestName {
    /// The most similar known name, if there is one: a third of its letters may be wrong, missing, superfluous or
    /// exchanged.
    package static func of(_ name: String, among known: [String]) -> String? {
        let wanted = Array(name.lowercased().utf8)
        guard wanted.count <= 64 else { return nil }
        let nearest = known.map { (name: $0, distance: distance(wanted, Array($0.lowercased().utf8))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, nearest.name.utf8.count / 3) else { return nil }
        return nearest.distance < wanted.count ? nearest.name : nil
    }

    /// The number of insertions, deletions, replacements and exchanges of neighbors that turn one text into another
    /// (Damerau and Levenshtein, each letter moved once).
    package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var rows = [[Int]](repeating: Array(0...right.count), count: left.count + 1)
        for row in rows.indices { rows[row][0] = row }
        for row in 1..<(left.count + 1) {
            for column in 1..<(right.count + 1) {
                let isSame = left[row - 1] == right[column - 1]
                var best = min(
                    rows[row - 1][column] + 1, rows[row][column - 1] + 1,
                    rows[row - 1][column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1]
                {
                    best = min(best, rows[row - 2][column - 2] + 1)
                }
                rows[row][column] = best
            }
        }
        return rows[left.count][right.count]
    }
}
