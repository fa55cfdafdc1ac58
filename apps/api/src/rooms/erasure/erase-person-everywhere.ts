import type { Tx } from '../../store/change/change.ts'
import { overwriteFreedPages } from '../../store/change/overwrite-freed.ts'
import { erasePerson } from '../people/people.ts'
import type { Room } from '../room.ts'
import type { ErasePerson } from './erasure.schema.ts'

/**
 * Erases a person at a prospect. Also deletes all files that may contain this person, which are exports and collections of everything held, and empties
 * conditions of filters on a name or role that no person has any more. Audit events and stored responses contain nothing about people but ids and the names of fields. Texts of the prospect, such as notes and summaries, stay: nobody can
 * find a person in them with certainty. Errors: `not_found`, `conflict` (erased before).
 */
export function erasePersonEverywhere(
  tx: Tx,
  { rooms, dataDir }: { rooms: readonly Room[]; dataDir: string },
  id: string,
  input: ErasePerson,
): Promise<{ id: string }> {
  return overwriteFreedPages(tx, async () => {
    await erasePerson(tx, id, input)
    for (const room of rooms) await room.erasePerson?.(tx, dataDir)
    return { id }
  })
}
