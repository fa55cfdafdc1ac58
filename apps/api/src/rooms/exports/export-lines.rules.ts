import { addressFacts, addressOf, columnOf, nounOf, ownFacts, ownFactsOf } from '../businesses/businesses.ts'
import type { ExportRecord } from '../prospect-list/prospect-list.ts'
import { type Report, totalColumn } from '../reports/reports.ts'
import { type Cell, type CsvFormat, csvHead, csvLine } from './csv-format.rules.ts'

/* The content of an export, as CSV or as JSON lines with lists as arrays. Pure: the same records give the same bytes. */

/** Separator of several values in one cell. */
const BETWEEN = '; '

const prospectColumns = [
  'id',
  ...(['name', ...ownFacts] as const).map(nounOf),
  'email',
  'more emails',
  'phone',
  'more phones',
  'domain',
  'more domains',
  ...addressFacts.map(nounOf),
  'tags',
  'assignee',
  'pipeline state',
  'do not contact',
  'has evidence',
  'score',
  'score at most',
  'priority',
  'could reach',
  'eligibility',
  'score is',
  'scoring version',
  'created at',
  'updated at',
] as const

/** Further columns of a file for a spreadsheet. */
const spreadsheetColumns = ['follow-up', 'last interaction'] as const

/** Returns the start of a file of prospects. A spreadsheet shows times without their zone, so the names of its columns contain it. */
export function prospectHead(csv: CsvFormat): string {
  if (csv.zone === null) return csvHead(prospectColumns, csv)
  const local = (column: string) => (/ at$|^last interaction$/.test(column) ? `${column} (${csv.zone})` : column)
  return csvHead([...prospectColumns, ...spreadsheetColumns].map(local), csv)
}

/** Formats a record as a CSV line. `isSuppressed`: the record is marked, and its contact values are omitted. */
export function prospectCsv(record: ExportRecord, isSuppressed: boolean, csv: CsvFormat): string {
  const values = (kind: ExportRecord['identifiers'][number]['kind']) => {
    const [first, ...more] = shownIdentifiers(record, isSuppressed).flatMap((one) =>
      one.kind === kind ? [kind === 'phone' ? csv.phone(one.value, one.region ?? null) : one.value] : [],
    )
    return [first ?? null, more.length === 0 ? null : more.join(BETWEEN)]
  }
  return csvLine(
    [
      record.id,
      record.name,
      ...ownFacts.map((field) => record[columnOf(field)]),
      ...values('email'),
      ...values('phone'),
      ...values('domain'),
      ...addressFacts.map((field) => record[columnOf(field)]),
      record.tags.length === 0 ? null : record.tags.join(BETWEEN),
      record.assignee,
      record.pipeline_state,
      isSuppressed ? 'yes' : 'no',
      record.has_evidence === 1 ? 'yes' : 'no',
      ...scoreCells(record, isSuppressed),
      csv.time(record.created_at),
      csv.time(record.updated_at),
      ...(csv.zone === null ? [] : [record.follow_up_on, csv.time(record.last_interaction_at)]),
    ],
    csv,
  )
}

/** Returns the score of a record. If the gate forbids contact, the score is empty, even if one is stored. */
function scoreOf({ score }: ExportRecord, isSuppressed: boolean): ExportRecord['score'] {
  if (!isSuppressed) return score
  const none = { low: null, high: null, priority: null, reachable: null, completeness: null, holdsUntil: null }
  return { ...score, status: 'blocked', reason: 'do_not_contact', eligibility: 'blocked', ...none }
}

function scoreCells(record: ExportRecord, isSuppressed: boolean): Cell[] {
  const { low, high, priority, reachable, eligibility, status, version } = scoreOf(record, isSuppressed)
  return [low, high, priority, reachable, eligibility, status, version]
}

export function prospectJson(record: ExportRecord, isSuppressed: boolean): string {
  const shown = shownIdentifiers(record, isSuppressed)
  const values = (kind: ExportRecord['identifiers'][number]['kind']) =>
    shown.flatMap((one) => (one.kind === kind ? [{ value: one.value, label: one.label }] : []))
  return jsonLine({
    id: record.id,
    name: record.name,
    ...ownFactsOf(record),
    emails: values('email'),
    phones: shown.flatMap(({ kind, value, label, region = null }) =>
      kind === 'phone' ? [{ value, label, region }] : [],
    ),
    domains: values('domain'),
    address: addressOf(record),
    tags: record.tags,
    assignee: record.assignee,
    pipelineState: record.pipeline_state,
    doNotContact: isSuppressed,
    hasEvidence: record.has_evidence === 1,
    score: scoreOf(record, isSuppressed),
    createdAt: record.created_at,
    updatedAt: record.updated_at,
  })
}

function shownIdentifiers({ identifiers }: ExportRecord, isSuppressed: boolean): ExportRecord['identifiers'] {
  return isSuppressed ? [] : identifiers
}

export const figureColumns = [
  'report',
  'from',
  'to',
  'time zone',
  'as of',
  'filter',
  'figures version',
  'made at',
  'figure',
  'semantics',
  'row',
  'column',
  'value',
  'counts',
] as const

/**
 * Formats a report with one line per number or text of a figure, so that figures of any shape fit one table; the total is a separate line. Each line
 * contains the parameters, because a number without its interval has no meaning.
 */
export function reportCsv({ name, from, to, timeZone, asOf, filter, result }: Report, csv: CsvFormat): string[] {
  if (result === null) return []
  const narrowed = Object.keys(filter).length === 0 ? null : JSON.stringify(filter)
  const asked = [name, from, to, timeZone, csv.time(asOf), narrowed, result.figuresVersion, csv.time(result.computedAt)]
  return result.figures.flatMap((figure) => {
    const { title, semantics, columns, rows, total, counts } = figure
    const line = (row: number | string, column: string, value: Cell) =>
      csvLine([...asked, title, semantics, row, column, value, counts], csv)
    return [
      ...rows.flatMap((row, index) => columns.map((column, place) => line(index + 1, column, row[place] ?? null))),
      ...(total === null ? [] : [line('total', totalColumn(figure), total)]),
    ]
  })
}

/** Formats a report as JSON lines: the parameters first, then one line per figure. */
export function reportJson({ result, ...question }: Report): string[] {
  const { id, name, from, to, timeZone, startsAt, endsAt, asOf, filter, filterStandsAsOf } = question
  const asked = { id, name, from, to, timeZone, startsAt, endsAt, asOf, filter, filterStandsAsOf }
  if (result === null) return []
  const { figures, ...made } = result
  return [jsonLine({ report: asked, ...made }), ...figures.map((figure) => jsonLine({ figure }))]
}

function jsonLine(value: Record<string, unknown>): string {
  return `${JSON.stringify(value)}\n`
}
