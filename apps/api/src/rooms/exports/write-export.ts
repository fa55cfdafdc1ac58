import { z } from 'zod'
import type { UserActor } from '../../lib/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { numeral } from '../../lib/numeral.ts'
import { slicesOf } from '../../lib/slices.ts'
import type { FileBound, FileWriter } from '../../store/files/write-file.ts'
import { jsonColumn } from '../../store/json-column.ts'
import type { Store } from '../../store/store.ts'
import { gate, hasLiveEntries } from '../contact-gate/contact-gate.ts'
import { type Condition, type ExportRecord, readExportRecords } from '../prospect-list/prospect-list.ts'
import type { Report } from '../reports/reports.ts'
import { csvFormat, csvHead } from './csv-format.rules.ts'
import { figureColumns, prospectCsv, prospectHead, prospectJson, reportCsv, reportJson } from './export-lines.rules.ts'
import type { SpreadsheetLayout } from './exports.schema.ts'
import type { ExportTable } from './exports.table.ts'

/** Maximum number of records in one file. */
const MAX_ROWS = 100_000
/** Maximum size of one file. */
const MAX_FILE_BYTES = 100_000_000
export const exportBound: FileBound = {
  maxBytes: MAX_FILE_BYTES,
  subject: 'This export',
  remedy: 'Narrow the filter and export the rest separately.',
}
/** Records per query of the gate. The event loop serves requests between two batches. */
export const ASKED_AT_ONCE = 50

export type Counts = { rows: number; leftOut: number; marked: number }

export type ProspectsWanted = {
  store: Store
  actor: UserActor
  conditions: readonly Condition[]
  format: ExportTable['format']
  /** layout of a CSV file for a spreadsheet; null for programs */
  spreadsheet: SpreadsheetLayout | null
  suppressed: ExportTable['suppressed']
  signal: AbortSignal
  /** called with the number of records processed so far */
  onPart: (done: number) => void
  /** called with the id of each record that is in the file */
  onRecord: (id: string) => void
  maxRows?: number
}

/** Contact values of one record in the file; one line of the values file. The gate checks them again before a download. */
export type HeldValues = z.output<typeof heldValuesSchema>
const heldValuesSchema = z.tuple([
  z.string().describe('the id of the record'),
  z
    .array(z.tuple([z.enum(['email', 'phone', 'domain']), z.string(), z.string().nullable()]))
    .describe('kind, value and region'),
])
export const readHeldValues = jsonColumn(heldValuesSchema)

/**
 * Writes the matching prospects in batches. The gate checks every record when it is written. Do not contact records are omitted, or written without
 * their contact values. An error of the gate ends the export. Errors: `too_large`.
 */
export async function writeProspects(
  wanted: ProspectsWanted,
  files: { content: FileWriter; values: FileWriter },
): Promise<Counts> {
  const {
    store,
    actor,
    conditions,
    format,
    spreadsheet,
    suppressed,
    signal,
    onPart,
    onRecord,
    maxRows = MAX_ROWS,
  } = wanted
  const breathe = createBreather()
  const counts: Counts = { rows: 0, leftOut: 0, marked: 0 }
  let done = 0
  const csv = csvFormat(spreadsheet)
  if (format === 'csv') await files.content.write(prospectHead(csv))
  for await (const part of readExportRecords(store, actor, conditions)) {
    signal.throwIfAborted()
    for (const records of slicesOf(part, ASKED_AT_ONCE)) {
      const held = await heldBack(store, actor.tenantId, records)
      let text = ''
      let values = ''
      for (const [index, record] of records.entries()) {
        const isSuppressed = held.has(index)
        if (isSuppressed && suppressed === 'leave_out') {
          counts.leftOut += 1
          continue
        }
        counts.rows += 1
        onRecord(record.id)
        if (isSuppressed) counts.marked += 1
        else values += valuesLine(record)
        text += format === 'csv' ? prospectCsv(record, isSuppressed, csv) : prospectJson(record, isSuppressed)
      }
      if (counts.rows > maxRows) throw tooManyRows(maxRows)
      await files.content.write(text)
      await files.values.write(values)
      await breathe()
    }
    done += part.length
    onPart(done)
  }
  return counts
}

/** Returns the indexes of do not contact records: those marked in the store, and those for which the gate now finds a suppression. */
async function heldBack(store: Store, tenantId: string, records: readonly ExportRecord[]): Promise<Set<number>> {
  const held = new Set(records.flatMap(({ do_not_contact }, index) => (do_not_contact === 1 ? [index] : [])))
  if (!(await hasLiveEntries(store.backgroundOf(tenantId), tenantId))) return held
  const asked = records.flatMap(({ identifiers }, index) =>
    held.has(index) ? [] : identifiers.map(({ kind, value, region = null }) => ({ kind, value, region, index })),
  )
  for (const match of await gate({ db: store.backgroundOf(tenantId), keys: store.keys }, tenantId, asked)) {
    const one = asked[match.index]
    if (one !== undefined) held.add(one.index)
  }
  return held
}

function valuesLine({ id, identifiers }: ExportRecord): string {
  const line: HeldValues = [id, identifiers.map(({ kind, value, region = null }) => [kind, value, region])]
  return `${JSON.stringify(line)}\n`
}

type ReportFormat = Pick<ProspectsWanted, 'format' | 'spreadsheet'>

/** Writes the stored figures of a report. */
export async function writeReport(
  report: Report,
  { format, spreadsheet }: ReportFormat,
  content: FileWriter,
): Promise<Counts> {
  const csv = csvFormat(spreadsheet)
  const lines = format === 'csv' ? reportCsv(report, csv) : reportJson(report)
  if (format === 'csv') await content.write(csvHead(figureColumns, csv))
  await content.write(lines.join(''))
  return { rows: lines.length, leftOut: 0, marked: 0 }
}

function tooManyRows(maxRows: number): AppError {
  return new AppError(
    'too_large',
    `This export would contain more than ${numeral(maxRows)} prospects. Narrow the filter and export the rest separately.`,
  )
}
