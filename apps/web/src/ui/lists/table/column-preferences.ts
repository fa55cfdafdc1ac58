/** A user's preferences for the columns of one table, as pure functions. Stored preferences are validated when they are read. */

export type Density = 'comfortable' | 'compact'
export type ColumnPreferences = {
  /** All columns of the table in order. Pinned columns are rendered first, whatever their position here. */
  order: string[]
  hidden: string[]
  pinned: string[]
  widths: Record<string, number>
  density: Density
}
/** Defaults that the table defines for a column. */
export type ColumnFacts = {
  id: string
  /** In rem. A width that the user sets is stored in px. */
  width: number
  /** True if the column is hidden by default. */
  isOptional?: boolean
  /** True for the column that names the row, which cannot be hidden. */
  isFixed?: boolean
  isPinned?: boolean
}

export const minWidth = 72
export const maxWidth = 640

export function defaultPreferences(columns: readonly ColumnFacts[]): ColumnPreferences {
  return {
    order: columns.map(({ id }) => id),
    hidden: columns.filter(({ isOptional }) => isOptional === true).map(({ id }) => id),
    pinned: columns.filter(({ isPinned }) => isPinned === true).map(({ id }) => id),
    widths: {},
    density: 'comfortable',
  }
}

/**
 * Stored preferences, adapted to the current columns: unknown columns are dropped, new columns get their default position, and the column that names
 * the row is always visible. Invalid data gives the defaults.
 */
export function readPreferences(kept: unknown, columns: readonly ColumnFacts[]): ColumnPreferences {
  const fallback = defaultPreferences(columns)
  if (typeof kept !== 'object' || kept === null) return fallback
  const known = new Map(columns.map((column) => [column.id, column]))
  const keptOrder = idsIn('order' in kept ? kept.order : null, known)
  if (keptOrder === null) return fallback
  const order = withNewColumns(keptOrder, fallback.order)
  const news = fallback.order.filter((id) => !keptOrder.includes(id))
  const hidden = idsIn('hidden' in kept ? kept.hidden : null, known) ?? fallback.hidden
  const pinned = idsIn('pinned' in kept ? kept.pinned : null, known) ?? fallback.pinned
  return {
    order,
    hidden: [...hidden, ...news.filter((id) => fallback.hidden.includes(id) && !hidden.includes(id))].filter(
      (id) => known.get(id)?.isFixed !== true,
    ),
    pinned,
    widths: widthsIn('widths' in kept ? kept.widths : null, known),
    density: 'density' in kept && kept.density === 'compact' ? 'compact' : 'comfortable',
  }
}

/** Moves a column by one position among the visible columns. At the end it stays. */
export function moveColumn(preferences: ColumnPreferences, id: string, by: -1 | 1): ColumnPreferences {
  const isPinned = preferences.pinned.includes(id)
  const list = isPinned ? preferences.pinned : preferences.order
  const neighbours = list.filter(
    (other) =>
      other === id || (!preferences.hidden.includes(other) && (isPinned || !preferences.pinned.includes(other))),
  )
  const target = neighbours[neighbours.indexOf(id) + by]
  return target === undefined ? preferences : placeColumn(preferences, id, target, by > 0 ? 'after' : 'before')
}

/** Announces the position of a column to screen readers: "Town: column 3 of 7". */
export function placeWords(preferences: ColumnPreferences, { id, label }: { id: string; label: string }): string {
  const { order, pinned, hidden } = preferences
  const listed = [...pinned, ...order.filter((other) => !pinned.includes(other))].filter(
    (other) => other === id || !hidden.includes(other),
  )
  const place = `${label}: column ${listed.indexOf(id) + 1} of ${listed.length}`
  return hidden.includes(id) ? `${place}, not shown` : place
}

/** Places a column before or after another. Dropped on a pinned column it becomes pinned, otherwise unpinned. */
export function placeColumn(
  preferences: ColumnPreferences,
  id: string,
  target: string,
  side: 'before' | 'after',
): ColumnPreferences {
  if (id === target) return preferences
  const isPinned = preferences.pinned.includes(target)
  const rest = preferences.pinned.filter((other) => other !== id)
  return {
    ...preferences,
    order: insertBeside(
      preferences.order.filter((other) => other !== id),
      id,
      target,
      side,
    ),
    pinned: isPinned ? insertBeside(rest, id, target, side) : rest,
  }
}

export function toggleColumn(preferences: ColumnPreferences, id: string): ColumnPreferences {
  const isHidden = preferences.hidden.includes(id)
  return {
    ...preferences,
    hidden: isHidden ? preferences.hidden.filter((other) => other !== id) : [...preferences.hidden, id],
  }
}

export function togglePinned(preferences: ColumnPreferences, id: string): ColumnPreferences {
  const isPinned = preferences.pinned.includes(id)
  return {
    ...preferences,
    pinned: isPinned ? preferences.pinned.filter((other) => other !== id) : [...preferences.pinned, id],
  }
}

export function resizeColumn(preferences: ColumnPreferences, id: string, width: number): ColumnPreferences {
  return { ...preferences, widths: { ...preferences.widths, [id]: clampWidth(width) } }
}

export function clampWidth(width: number): number {
  return Math.round(Math.min(maxWidth, Math.max(minWidth, width)))
}

function insertBeside(list: string[], id: string, target: string, side: 'before' | 'after'): string[] {
  const at = list.indexOf(target) + (side === 'after' ? 1 : 0)
  return [...list.slice(0, at), id, ...list.slice(at)]
}

function withNewColumns(kept: string[], all: string[]): string[] {
  let order = kept
  for (const [index, id] of all.entries()) {
    if (order.includes(id)) continue
    const before = all[index - 1]
    order = before === undefined ? [id, ...order] : insertBeside(order, id, before, 'after')
  }
  return order
}

function idsIn(value: unknown, known: ReadonlyMap<string, unknown>): string[] | null {
  if (!Array.isArray(value)) return null
  return [...new Set(value.filter((id): id is string => typeof id === 'string' && known.has(id)))]
}

function widthsIn(value: unknown, known: ReadonlyMap<string, unknown>): Record<string, number> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, width]) =>
      known.has(id) && typeof width === 'number' && Number.isFinite(width) ? [[id, clampWidth(width)]] : [],
    ),
  )
}
