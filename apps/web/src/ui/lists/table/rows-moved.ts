/**
 * Number of positions by which the visible rows have moved: the median of those that still exist, because a single changed row may have moved far.
 */
export function rowsMoved(
  before: readonly { id: string }[],
  after: readonly { id: string }[],
  seen: { startIndex: number; endIndex: number },
): number {
  const places = new Map(after.map(({ id }, index) => [id, index]))
  const moves = before
    .slice(seen.startIndex, seen.endIndex + 1)
    .flatMap(({ id }, at) => {
      const now = places.get(id)
      return now === undefined ? [] : [now - seen.startIndex - at]
    })
    .sort((a, b) => a - b)
  return moves[moves.length >> 1] ?? 0
}
