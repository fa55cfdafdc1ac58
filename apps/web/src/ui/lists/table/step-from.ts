type Row = { id: string }
/** Where the keys stand: the active row, and those that it stood between when the person came to it. */
export type Place = { id: string; before: string | undefined; after: string | undefined }

const placeAt = (rows: readonly Row[], index: number): Place => ({
  id: rows[index]?.id ?? '',
  before: rows[index - 1]?.id,
  after: rows[index + 1]?.id,
})

/** The place after the rows have changed: one that a colleague's change threw out of it stays where it was. */
export function keptPlace(rows: readonly Row[], activeId: string | null, place: Place | null): Place | null {
  const index = rows.findIndex(({ id }) => id === activeId)
  if (index === -1) return place?.id === activeId ? place : null
  const now = placeAt(rows, index)
  return place?.id === activeId && isThrown(now, place) ? place : now
}

/** Neither neighbour is one of before, and there was one. */
const isThrown = (now: Place, then: Place) =>
  (then.before !== undefined || then.after !== undefined) &&
  (now.before === undefined || now.before !== then.before) &&
  (now.after === undefined || now.after !== then.after)

/** The row so many steps on. From a row that has gone from its place, to the top of the list or out of it, its neighbours go on. */
export function stepFrom<R extends Row>(rows: readonly R[], place: Place | null, by: number): R | undefined {
  const at = (id: string | undefined) => (id === undefined ? -1 : rows.findIndex((row) => row.id === id))
  const within = (index: number) => rows[Math.min(rows.length - 1, Math.max(0, index))]
  if (place === null) return by < rows.length ? rows[0] : rows.at(-1)
  const index = at(place.id)
  if (index !== -1 && !isThrown(placeAt(rows, index), place)) return within(index + by)
  const [before, after] = [at(place.before), at(place.after)]
  if (by > 0 ? after !== -1 : before === -1 && after !== -1) return within(after + (by > 0 ? by - 1 : by))
  if (before !== -1) return within(before + (by > 0 ? by : by + 1))
  return within(index === -1 ? 0 : index + by)
}
