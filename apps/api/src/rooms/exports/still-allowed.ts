import { AppError } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import type { Store } from '../../store/store.ts'
import { gate, hasLiveEntries } from '../contact-gate/contact-gate.ts'
import { findWithdrawn } from '../prospect-list/prospect-list.ts'
import type { ExportRow } from './exports.queries.ts'
import { openWhole } from './open-whole.ts'
import { ASKED_AT_ONCE, type HeldValues, readHeldValues } from './write-export.ts'

/**
 * Checks every record whose contact values are in a file: the gate checks the values, and the store shows if the record is do not contact or erased.
 * A single match rejects the whole file, and so does an altered file of values. Errors: `export_outdated`, `export_gone`.
 */
export async function requireStillAllowed(
  store: Store,
  { tenant_id: tenantId, values_sha256 }: Pick<ExportRow, 'tenant_id' | 'values_sha256'>,
  valuesFile: string,
): Promise<void> {
  const breathe = createBreather()
  const hasEntries = await hasLiveEntries(store.backgroundOf(tenantId), tenantId)
  let lines: HeldValues[] = []
  const ask = async () => {
    const withdrawn = await findWithdrawn(
      store,
      tenantId,
      lines.map(([id]) => id),
    )
    if (withdrawn.length > 0) throw outdated()
    if (hasEntries) {
      const values = lines.flatMap(([, held]) => held.map(([kind, value, region]) => ({ kind, value, region })))
      const matches = await gate({ db: store.backgroundOf(tenantId), keys: store.keys }, tenantId, values)
      if (matches.length > 0) throw outdated()
    }
    lines = []
    await breathe()
  }
  const handle = await openWhole(valuesFile, values_sha256)
  try {
    for await (const line of handle.readLines({ start: 0, autoClose: false })) {
      lines.push(readHeldValues(line))
      if (lines.length === ASKED_AT_ONCE) await ask()
    }
    await ask()
  } finally {
    await handle.close()
  }
}

function outdated(): AppError {
  return new AppError(
    'export_outdated',
    'A prospect in this file was later erased or marked do not contact. Create a new export.',
  )
}
