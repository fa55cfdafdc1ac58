import type { z } from 'zod'
import { createBreather } from '../../../lib/event-loop.ts'
import type { Store } from '../../../store/store.ts'
import { type ContactValue, gate, recordKeysOf } from '../../contact-gate/contact-gate.ts'
import { getSuppression } from '../suppression.queries.ts'
import type { checkAnswerSchema, Suppression } from '../suppression.schema.ts'

/** Returns for each value whether it is suppressed, by which entries, and which part of it each entry matches. Writes nothing. */
export async function checkValues(
  store: Store,
  tenantId: string,
  values: readonly ContactValue[],
): Promise<z.infer<typeof checkAnswerSchema>> {
  const breathe = createBreather()
  const keys: string[][] = []
  for (const value of values) {
    keys.push(recordKeysOf(value))
    await breathe()
  }
  const matches = await gate({ db: store.reader, keys: store.keys }, tenantId, values, keys)
  const at = store.clock().toISOString()
  const entries = new Map<string, Suppression>()
  for (const id of new Set(matches.map(({ suppressionId }) => suppressionId)))
    entries.set(id, await getSuppression(store.reader, tenantId, id, at))
  return {
    items: values.map(({ kind, value }, index) => {
      const own = matches.filter((match) => match.index === index)
      const ids = new Set(own.map(({ suppressionId }) => suppressionId))
      const suppressions = [...ids].flatMap((id) => entries.get(id) ?? [])
      const found = own.map(({ suppressionId, text, read }) => ({ suppressionId, text, read }))
      return { kind, value, suppressed: ids.size > 0, suppressions, found }
    }),
  }
}
