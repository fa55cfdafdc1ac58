/** By how many places the rows that were on screen have moved: the middle one of those that are still there. A row that was changed may have gone far. */
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
