import type { Kysely } from 'kysely'
import type { Database } from '../../store/database.ts'
import { countPart, findPart, type Wanted } from './figures.queries.ts'
import { addCounts, type Counts, type Figure, figuresOf, noCounts } from './figures.rules.ts'

/** Businesses per batch. A batch takes some hundredths of a second on the background reader, so that searches can run between batches. */
const PART = 2_000

export type Computed = { figures: Figure[]; businesses: number }

type Options = {
  /** called with the number of businesses processed so far */
  onPart?: (done: number) => Promise<void>
  partSize?: number
}

/**
 * Counts the tenant's history of the interval as of a time, in batches. The same parameters give the same figures at any later time and with any
 * batch size.
 */
export async function computeReport(
  db: Kysely<Database>,
  wanted: Wanted,
  { onPart, partSize = PART }: Options = {},
): Promise<Computed> {
  let counts: Counts = noCounts
  let done = 0
  let part = await findPart(db, wanted, '', partSize)
  while (part !== undefined) {
    counts = addCounts(counts, await countPart(db, wanted, part))
    done += part.businesses
    await onPart?.(done)
    part = part.businesses < partSize ? undefined : await findPart(db, wanted, part.upTo, partSize)
  }
  return { figures: figuresOf(counts), businesses: counts.businesses }
}
