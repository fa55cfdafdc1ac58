/*
 * Decisions on what a person saw. A response contains a fingerprint with a short hash for each part of the state that the decision depends on. The
 * decision sends the fingerprint back, and an error names the parts that changed in between.
 */
import { AppError, type ErrorCode } from './app-error.ts'
import { fingerprint } from './hashing.ts'

/** Digits of each hash. 12 hex digits detect a change of one record; nobody can gain anything by finding two states with the same digits. */
const PART_LENGTH = 12

/** Returns the fingerprint of a state. The number and the order of the parts are the same at each call. */
export function fingerprintOfParts(parts: readonly unknown[]): string {
  return parts.map((part) => fingerprint(part).slice(0, PART_LENGTH)).join('-')
}

/** Returns the positions of the parts in which two fingerprints differ; undefined if they are about different things. */
export function changedParts(seen: string, now: string): number[] | undefined {
  const [before, after] = [seen.split('-'), now.split('-')]
  if (before.length !== after.length) return undefined
  return after.flatMap((part, at) => (part === before[at] ? [] : [at]))
}

/** `what`: the noun of the thing, such as 'site'. `sentences`: a sentence for a change of each part, in the order of the parts. */
type SeenThing = { code: ErrorCode; what: string; sentences: readonly string[] }

/** Requires that a person decides on the present state. Errors: `code`, with a field error for each changed part. */
export function requireSeen(seen: string, now: string, { code, what, sentences }: SeenThing): void {
  if (seen === now) return
  const changes = changedParts(seen, now)?.map((at) => sentences[at] ?? '') ?? [
    `The fingerprint belongs to another ${what}.`,
  ]
  throw new AppError(code, `Something changed after you opened this ${what}. ${changes.join(' ')}`, {
    errors: changes.map((message) => ({ path: 'fingerprint', code, message })),
  })
}
