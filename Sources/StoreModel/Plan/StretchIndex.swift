/// Finds, among stretches of a line that may overlap, the last one in their order that has a place. Pure.
package struct StretchIndex {
    /// The borders of stretches, in order.
    private let bounds: [Double]
    /// The last stretch that goes from each bound to the next one.
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

    /// The number of the last stretch that has the place, counted from 0; `nil` when none has it.
    package func last(at place: Double) -> Int? {
        let next = bounds.boundary { $0 > place }
        return next > 0 ? owners[next - 1] : nil
    }
}

/// Cells of a line of which each is taken once.
private struct FreeCells {
    /// For each cell one that is not before it, with no free one in between: itself while it is free.
    private var next: [Int]

    /// There is one more, which is never taken.
    init(count: Int) { next = Array(0...count) }

    mutating func take(_ cell: Int) { next[cell] = cell + 1 }

    /// The first free cell that is not before `cell`.
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
    /// The first place from which on something holds, or the end; it must hold for all behind one for which it does.
    package func boundary(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
