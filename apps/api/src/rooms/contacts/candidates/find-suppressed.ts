import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import type { Keys } from '../../../store/files/keys.ts'
import type { ContactKind } from '../contacts.table.ts'
import { askGate } from './ask-gate.ts'
import { spellingsOf } from './spellings.ts'

type Held = { candidateId: string; kind: ContactKind; value: string | null; normalized: string | null }

/** Returns the candidates whose value a live suppression entry matches. Fails closed, as the gate does. */
export async function findSuppressed(
  asker: { db: Kysely<Database>; keys: Keys },
  tenantId: string,
  candidates: readonly Held[],
): Promise<ReadonlySet<string>> {
  const held = candidates.flatMap(({ candidateId, ...one }) =>
    spellingsOf(one).map((value) => ({ candidateId, ...value })),
  )
  const matches = await askGate(asker, tenantId, held)
  return new Set(matches.flatMap(({ index }) => held[index]?.candidateId ?? []))
}
