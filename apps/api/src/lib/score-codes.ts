/*
 * Codes of stored scores: small integers, so that a million scores fit into memory and a file. The scoring room writes them, lists of prospects read them
 * in SQL, and the trigger `scores_follow_businesses` repeats them as numbers.
 */

/** Eligibility of a record. The stored code is the position in this list. */
export const eligibilities = ['eligible', 'unknown', 'ineligible', 'blocked'] as const
export type Eligibility = (typeof eligibilities)[number]

/** Returns the code of an eligibility; -1 for another text. */
export function eligibilityCode(value: string): number {
  const known: readonly string[] = eligibilities
  return known.indexOf(value)
}

/** Codes of eligibility. `NOT_SCORED`: the record could not be scored. */
export const BLOCKED: number = eligibilities.indexOf('blocked')
export const NOT_SCORED: number = eligibilities.length

/** Code of the lowest and the highest score of a record without a score. */
export const NO_SCORE = -1
/** Rank of a record without a score. The rank of a score is 100 minus the score, so these records come last. */
export const NO_RANK = 101

/** Codes in place of the index of a band: the priority is unknown, or there is no score. */
export const UNKNOWN_BAND = -1
export const NO_BAND = -2
/** Id of the unknown priority in responses and conditions, for a score range that spans several bands. No band has this id. */
export const UNKNOWN_PRIORITY = 'unknown'

/** Returns the id of a band, `unknown` if the priority is unknown, or null if the record has no score. */
export function bandId(bands: readonly { id: string }[], code: number): string | null {
  if (code === NO_BAND) return null
  return code === UNKNOWN_BAND ? UNKNOWN_PRIORITY : (bands[code]?.id ?? null)
}

/** Returns the code of a band by its id; undefined if no band has it. */
export function bandCode(bands: readonly { id: string }[], id: string): number | undefined {
  if (id === UNKNOWN_PRIORITY) return UNKNOWN_BAND
  const place = bands.findIndex((band) => band.id === id)
  return place === -1 ? undefined : place
}
