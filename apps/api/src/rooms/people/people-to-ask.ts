import type { Db } from '../../store/database.ts'
import { familiesOf } from '../businesses/businesses.ts'
import { selectFirstOfRecords } from './people.queries.ts'

/** Maximum number of people of a record in a row of a list. */
const SHOWN_PEOPLE = 3

export type ShownPerson = { id: string; businessId: string; name: string; role: string | null }

/** The first people of a record whom a desk can ask for, and the number of further ones. */
export type PeopleToAsk = { shown: ShownPerson[]; further: number }

/**
 * Returns the people at each of these records and at those merged into it who have not left, are not marked do not contact by hand, and are neither erased nor
 * joined with another one, longest recorded first. A record without such a person is absent. It takes one query for all records, and one for each level of merges.
 */
export async function findPeopleToAsk(
  db: Db,
  tenantId: string,
  businessIds: readonly string[],
): Promise<ReadonlyMap<string, PeopleToAsk>> {
  const found = new Map<string, PeopleToAsk>()
  if (businessIds.length === 0) return found
  const families = await familiesOf(db, tenantId, businessIds)
  const records = [...families].flatMap(([root, family]) => family.map((record) => ({ record, root })))
  const rows = await selectFirstOfRecords(db, tenantId, records, SHOWN_PEOPLE)
  const ofMember = Map.groupBy(rows, ({ businessId }) => businessId)
  for (const [id, family] of families) {
    const people = family.flatMap((one) => ofMember.get(one) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1))
    if (people.length === 0) continue
    const total = family.reduce((sum, one) => sum + (ofMember.get(one)?.[0]?.ofRecord ?? 0), 0)
    const shown = people.slice(0, SHOWN_PEOPLE).map(({ ofRecord: _, ...person }) => person)
    found.set(id, { shown, further: total - shown.length })
  }
  return found
}
