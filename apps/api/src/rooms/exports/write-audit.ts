import { requirePermission, type UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { numeral } from '../../lib/numeral.ts'
import type { FileWriter } from '../../store/files/write-file.ts'
import type { Store } from '../../store/store.ts'
import { type AuditFilter, newestCheckpoint, readAuditEvents, withOwnKeys } from '../audit/audit.ts'
import { eventWithoutValues, recordsOfEvent } from '../businesses/businesses.ts'
import { findWithdrawn } from '../prospect-list/prospect-list.ts'
import { auditCsv, auditHead, auditJson, auditJsonHead, maskedEvent } from './audit-lines.rules.ts'
import { csvFormat } from './csv-format.rules.ts'
import type { SpreadsheetLayout } from './exports.schema.ts'
import type { ExportTable } from './exports.table.ts'
import type { Counts, HeldValues } from './write-export.ts'

/** Maximum number of events in one file. */
const MAX_EVENTS = 100_000

export type AuditWanted = {
  store: Store
  actor: UserActor
  filter: AuditFilter
  format: ExportTable['format']
  spreadsheet: SpreadsheetLayout | null
  signal: AbortSignal
  /** called with the number of events processed so far */
  onPart: (done: number) => void
  maxEvents?: number
}

/**
 * Writes the matching events of the audit in parts, newest first, with the newest signed checkpoint of the chain. No contact value is in the file. The
 * reason of an event is hidden if one of its records is do not contact. The ids of all other records are written beside the file, so that a download is
 * refused once one of them is. Errors: `permission_denied`, `too_large`.
 */
export async function writeAudit(
  { store, actor, filter, format, spreadsheet, signal, onPart, maxEvents = MAX_EVENTS }: AuditWanted,
  files: { content: FileWriter; values: FileWriter },
): Promise<Counts> {
  requirePermission(actor, 'audit.read')
  const { tenantId } = actor
  const breathe = createBreather()
  const csv = csvFormat(spreadsheet)
  const checkpoint = await newestCheckpoint(store, tenantId)
  await files.content.write(format === 'csv' ? auditHead(csv) : auditJsonHead(filter, checkpoint))
  const written = new Set<string>()
  let rows = 0
  for await (const events of readAuditEvents(store, tenantId, filter)) {
    signal.throwIfAborted()
    const records = [...new Set(events.flatMap(recordsOfEvent))]
    const withdrawn = new Set(await findWithdrawn(store, tenantId, records))
    let text = ''
    for (const event of events) {
      const hidesReason = recordsOfEvent(event).some((id) => withdrawn.has(id))
      const shown = maskedEvent(eventWithoutValues(withOwnKeys(actor, event), { hidesReason }))
      text += format === 'csv' ? auditCsv(shown, checkpoint, csv) : auditJson(shown)
      await breathe()
    }
    rows += events.length
    if (rows > maxEvents) throw tooManyEvents(maxEvents)
    await files.content.write(text)
    const further = records.filter((id) => !withdrawn.has(id) && !written.has(id))
    for (const id of further) written.add(id)
    await files.values.write(further.map((id) => `${JSON.stringify([id, []] satisfies HeldValues)}\n`).join(''))
    onPart(rows)
  }
  return { rows, leftOut: 0, marked: 0 }
}

function tooManyEvents(maxEvents: number): AppError {
  return new AppError(
    'too_large',
    `This export would contain more than ${numeral(maxEvents)} events. Narrow the filter, for example to a month, and export the rest separately.`,
  )
}
