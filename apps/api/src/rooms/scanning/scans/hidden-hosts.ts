import type { UserActor } from '../../../lib/actor.ts'
import type { Store } from '../../../store/store.ts'
import { isBlockedAbove } from '../../businesses/businesses.ts'
import { gate, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'

type Shown = { id: string; businessId: string; hosts: readonly string[] }

/**
 * Returns the scans whose hosts and words this reader may not see, because the record is do not contact or the host is suppressed. Fails closed: if
 * the gate cannot answer, every scan is hidden.
 */
export async function findHidden(
  store: Store,
  reader: UserActor,
  shown: readonly Shown[],
): Promise<ReadonlySet<string>> {
  if (!hidesValuesFrom(reader, { doNotContact: true })) return new Set()
  const { tenantId } = reader
  const blocked = new Set<string>()
  for (const businessId of new Set(shown.map((one) => one.businessId)))
    if (await isBlockedAbove(store.reader, tenantId, businessId)) blocked.add(businessId)
  const hosts = shown.flatMap(({ id, hosts: of }) => of.map((value) => ({ id, value })))
  const matches = await gate(
    { db: store.reader, keys: store.keys },
    tenantId,
    hosts.map(({ value }) => ({ kind: 'domain', value })),
  )
  return new Set([
    ...shown.filter(({ businessId }) => blocked.has(businessId)).map(({ id }) => id),
    ...matches.flatMap(({ index }) => hosts[index]?.id ?? []),
  ])
}
