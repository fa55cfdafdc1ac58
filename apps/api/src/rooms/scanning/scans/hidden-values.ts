import type { UserActor } from '../../../lib/actor.ts'
import type { Store } from '../../../store/store.ts'
import { findBlockedAbove } from '../../businesses/businesses.ts'
import { findHiddenValues, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'

/** `texts`: whole URLs, hosts and titles. A path, query or title can name another host, address or number than the host of the page. */
type Shown = { id: string; businessId: string; texts: readonly string[] }

/**
 * Returns the ids of scans, sites and extractions whose URLs and words this reader may not see, because the record is do not contact or an entry
 * matches a value in one of the texts. Fails closed: if the gate cannot answer, it throws.
 */
export async function findHidden(
  store: Store,
  reader: UserActor,
  shown: readonly Shown[],
): Promise<ReadonlySet<string>> {
  if (!hidesValuesFrom(reader, { doNotContact: true })) return new Set()
  const { tenantId } = reader
  const blocked = await findBlockedAbove(
    store.reader,
    tenantId,
    shown.map(({ businessId }) => businessId),
  )
  const values = shown.flatMap(({ id, texts }) => texts.map((value) => ({ id, kind: 'domain' as const, value })))
  const hidden = await findHiddenValues({ db: store.reader, keys: store.keys }, reader, values)
  return new Set([
    ...shown.filter(({ businessId }) => blocked.has(businessId)).map(({ id }) => id),
    ...values.filter((_, at) => hidden.has(at)).map(({ id }) => id),
  ])
}
