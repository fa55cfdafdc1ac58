type Row = { id: string }
/** Position of the keyboard: the active row and its neighbours when the user moved to it. */
export type Place = { id: string; before: string | undefined; after: string | undefined }

const placeAt = (rows: readonly Row[], index: number): Place => ({
  id: rows[index]?.id ?? '',
  before: rows[index - 1]?.id,
  after: rows[index + 1]?.id,
})

/** Position after the rows changed. If a colleague's change moved the active row elsewhere, the old position stays. */
export function keptPlace(rows: readonly Row[], activeId: string | null, place: Place | null): Place | null {
  const index = rows.findIndex(({ id }) => id === activeId)
  if (index === -1) return place?.id === activeId ? place : null
  const now = placeAt(rows, index)
  return place?.id === activeId && isThrown(now, place) ? place : now
}

/** True if the row has moved away: it had neighbours before, and has none of them now. */
const isThrown = (now: Place, then: Place) =>
  (then.before !== undefined || then.after !== undefined) &&
  (now.before === undefined || now.before !== then.before) &&
  (now.after === undefined || now.after !== then.after)

/** The row `by` steps away. If the active row has moved away or was removed, the step starts at its old neighbours. */
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
