import { daysAfter } from '../../lib/clock.ts'
import type { Tx } from '../../store/change/change.ts'
import {
  changeTime,
  type EmptiedTables,
  ERASED,
  emptyRows,
  erasedText,
  nextNumber,
} from '../../store/change/empty-rows.ts'
import { sweep } from '../../store/change/sweep.ts'
import type { Store } from '../../store/store.ts'
import type { ContactValue } from '../contact-gate/contact-gate.ts'
import { systemActor } from '../identity/identity.ts'
import { normalizeIdentifier } from '../normalization/normalization.ts'
import type { ErasedTables, Upkeep } from '../room.ts'
import { selectByContact, selectFilled } from './requests.queries.ts'
import { limits } from './requests.schema.ts'

/** A request that lost the data of the person. Its kind, days, outcome and acts remain as the proof that it was answered. */
const emptied = {
  requester_name: ERASED,
  requester_contact: null,
  contact_kind: null,
  contact_normalized: null,
  identity_check: erasedText,
  extension_reason: erasedText,
  answer: erasedText,
  emptied_at: changeTime,
  version: nextNumber,
} as const

const emptiedTables: EmptiedTables = { subject_requests: { set: emptied } }

/** What an erasure of a prospect empties: the requests about it. */
export const erasedTables: ErasedTables = { subject_requests: { set: emptied, counts: 'subjectRequests' } }

/** Empties, for an erasure, the requests from one of the erased values that are not about the erased businesses. Returns their number. */
export async function emptyRequestsFrom(
  tx: Tx,
  businessIds: readonly string[],
  values: readonly ContactValue[],
): Promise<number> {
  const contacts = values.flatMap(
    ({ kind, value, region = null }) => normalizeIdentifier(kind, value, region).normalized ?? [],
  )
  const ids = await selectByContact(tx.db, { tenantId: tx.actor.tenantId, businessIds, contacts })
  await emptyRows(tx, emptiedTables, { of: 'subject_requests', ids })
  return ids.length
}

/** Empties answered requests after their period. */
export const emptyAnsweredRequests: Upkeep<{ store: Store }> = {
  name: 'empty answered subject requests',
  everyMs: 3_600_000,
  limit: 100,
  forTenant: (context) =>
    sweep(context, {
      actor: systemActor('requests', context.tenantId),
      action: 'subject_request.empty',
      due: (db, { tenantId, now, limit }) =>
        selectFilled(db, { tenantId, answeredBefore: daysAfter(now, -limits.keptDays), limit }),
      apply: async (tx, ids) => {
        await emptyRows(tx, emptiedTables, { of: 'subject_requests', ids })
        for (const id of ids) await tx.record({ subject: { type: 'subject_request', id }, after: { emptied: true } })
      },
    }),
}
