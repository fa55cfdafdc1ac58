const MAX_LENGTH = 32
const rows = [new Uint8Array(MAX_LENGTH + 1), new Uint8Array(MAX_LENGTH + 1), new Uint8Array(MAX_LENGTH + 1)]

/**
 * Returns the number of letters added, dropped, changed or swapped with a neighbour. Returns `most + 1` for any distance above `most`. Words longer
 * than 32 letters are only compared for equality.
 */
export function editDistance(a: string, b: string, most: number): number {
  const over = most + 1
  if (a === b) return 0
  if (a.length > MAX_LENGTH || b.length > MAX_LENGTH || Math.abs(a.length - b.length) > most) return over
  let [before, above, row] = rows as [Uint8Array, Uint8Array, Uint8Array]
  for (let j = 0; j <= b.length; j++) above[j] = j
  for (let i = 1; i <= a.length; i++) {
    row[0] = i
    let least = i
    const letter = a.charCodeAt(i - 1)
    for (let j = 1; j <= b.length; j++) {
      const other = b.charCodeAt(j - 1)
      let best = (above[j - 1] ?? 0) + (letter === other ? 0 : 1)
      const dropped = (above[j] ?? 0) + 1
      const added = (row[j - 1] ?? 0) + 1
      if (dropped < best) best = dropped
      if (added < best) best = added
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other) {
        const swapped = (before[j - 2] ?? 0) + 1
        if (swapped < best) best = swapped
      }
      row[j] = best
      if (best < least) least = best
    }
    if (least > most) return over
    const last = before
    before = above
    above = row
    row = last
  }
  const distance = above[b.length] ?? over
  return distance > most ? over : distance
}

/** Returns the number of slips (letters added, dropped, changed or swapped) that a word of this length may have. */
export function slipsAllowed(length: number): number {
  if (length < 4) return 0
  if (length < 7) return 1
  return length < 11 ? 2 : 3
}

/** Loss of similarity in thousandths if every letter had a slip. The loss is below 1000, because the letters without a slip confirm the word. */
const SLIP_COST = 700

/**
 * Returns the similarity of two words in thousandths: 1000 if they are equal, less for each slip, 800 if one abbreviates the other, 0 if they are
 * different.
 */
export function wordSimilarity(a: string, b: string): number {
  if (a === b) return 1_000
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  const slips = slipsAllowed(long.length)
  if (slips > 0) {
    const distance = editDistance(a, b, slips)
    if (distance <= slips) return 1_000 - Math.floor((distance * SLIP_COST) / long.length)
  }
  return short.length >= 4 && long.startsWith(short) ? 800 : 0
}
