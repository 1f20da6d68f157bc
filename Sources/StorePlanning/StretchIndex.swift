/// Finds, among stretches of a line that may overlap, the last one in their order that has a place. Pure.
package struct StretchIndex {
    /// The borders of stretches, in order.
    private let bounds: [Double]
    /// The last stretch that covers the interval from each bound to the next one.
    private let owners: [Int?]

    package init(_ stretches: [Range<Double>]) {
        let bounds = stretches.flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
        var cells = FreeCells(count: bounds.count)
        var owners = [Int?](repeating: nil, count: bounds.count)
        for (number, stretch) in stretches.enumerated().reversed() {
            let end = bounds.boundary { $0 >= stretch.upperBound }
            var cell = cells.first(from: bounds.boundary { $0 >= stretch.lowerBound })
            while cell < end {
                owners[cell] = number
                cells.take(cell)
                cell = cells.first(from: cell)
            }
        }
        (self.bounds, self.owners) = (bounds, owners)
    }

    /// The number of the last stretch that contains the place, counted from 0; `nil` without one.
    package func last(at place: Double) -> Int? {
        let next = bounds.boundary { $0 > place }
        return next > 0 ? owners[next - 1] : nil
    }
}

/// A row of cells, each of which is taken once.
private struct FreeCells {
    /// For each cell a later or equal cell with no free one in between; a free cell points to itself.
    private var next: [Int]

    /// The last cell is never taken.
    init(count: Int) { next = Array(0...count) }

    mutating func take(_ cell: Int) { next[cell] = cell + 1 }

    /// The first free cell at or behind `cell`.
    mutating func first(from cell: Int) -> Int {
        var cell = cell
        while next[cell] != cell {
            next[cell] = next[next[cell]]
            cell = next[cell]
        }
        return cell
    }
}

extension Array {
    /// The first index at which the condition holds, or the end; it must hold for all later ones, too.
    package func boundary(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
