import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { Hash } from '../../../lib/text-filter.ts'
import type { Database } from '../../../store/database.ts'
import { identityOf } from '../../normalization/normalization.ts'
import {
  type Analysis,
  type AnalysisOptions,
  type Duplicate,
  keptLimits,
  type LineEndName,
  type Match,
} from './analysis.ts'
import { type CheckedRow, type ContactCell, createRowCheck } from './check-row.rules.ts'
import { CsvFault, type Fault } from './dialect.ts'
import { createDuplicateFinder, type DuplicateFinder } from './duplicates-in-file.ts'
import { type FoundForm, findForm } from './find-form.ts'
import { mix } from './hash.ts'
import { addDuplicate, createKeptRows } from './keep-rows.ts'
import { type KnownValues, readKnownValues } from './known-values.ts'
import { createRecordReader, type LineEnds } from './record-reader.ts'
import type { SuppressionCheck } from './suppressed-values.ts'
import { spoiltFault, textPieces } from './text-pieces.ts'

/** Number of bytes that are read between two checks for changed suppression entries. */
const PREPARED_EVERY_BYTES = 1_048_576

/** Thrown after the caller cancelled the analysis. */
export class AnalysisCancelled extends Error {}

/**
 * Reads a CSV file once and analyses it: the dialect, possible fields of the columns, and for each row problems, duplicates, known values and
 * suppressions. Data that exceeds the memory limit is written to a temporary file next to it, which is deleted at the end. Memory use is bounded for
 * any file. If a file cannot be read to its end, the function does not throw; the fault is part of the result. Errors: AnalysisCancelled.
 */
export async function analyseFile(
  db: Kysely<Database>,
  suppression: SuppressionCheck,
  options: AnalysisOptions,
): Promise<Analysis> {
  const fd = openSync(options.path, 'r')
  const fileBytes = fstatSync(fd).size
  const duplicates = createDuplicateFinder({ path: `${options.path}.duplicates`, fileBytes })
  try {
    return await analyse(db, suppression, { fd, fileBytes, duplicates }, options)
  } finally {
    duplicates.discard()
    closeSync(fd)
  }
}

async function analyse(
  db: Kysely<Database>,
  suppression: SuppressionCheck,
  { fd, fileBytes, duplicates }: { fd: number; fileBytes: number; duplicates: DuplicateFinder },
  options: AnalysisOptions,
): Promise<Analysis> {
  let found: FoundForm
  try {
    found = findForm(fd, options)
  } catch (error) {
    if (error instanceof CsvFault) return nothingRead(options, error.fault)
    throw error
  }
  const counts = createCounts()
  const kept = createKeptRows()
  const known = await readKnownValues(db, { tenantId: options.tenantId, fileBytes })
  const check = createRowCheck({
    mapping: found.columns.map(({ field }) => field),
    width: found.columns.length,
    phoneRegion: options.phoneRegion,
  })
  let isGateAnswering = true
  let bytes = 0
  let nextPreparation = 0
  let isHeaderDue = found.dialect.hasHeader
  /** rows of the current piece of text, by row number, that need a lookup or will be part of the preview */
  const open = new Map<number, OpenRow>()

  const reader = createRecordReader(found.dialect, {
    row: (cells, line) => {
      if (line === 1 && found.dialect.hasDelimiterLine) return
      if (isHeaderDue) {
        isHeaderDue = false
        return
      }
      readRow(cells, line)
    },
    malformed: (problem) => {
      counts.malformedRows += 1
      if (counts.malformed.length < keptLimits.malformed) counts.malformed.push(problem)
    },
    blankLine: () => {
      counts.blankLines += 1
    },
  })

  function readRow(cells: string[], line: number): void {
    counts.rows += 1
    const row = counts.rows
    const checked = check(cells)
    counts.findings(checked)
    const shared: Duplicate[] = []
    const note = (hash: Hash, kind: Duplicate['kind'], column: number | null) => {
      const first = duplicates.note(hash, row)
      if (first === 0 || first === row) return
      shared.push({ kind, column, row: first })
      const other = { kind, column, row }
      const earlier = open.get(first)
      if (earlier === undefined) kept.flag(first, other)
      else addDuplicate(earlier.duplicates, other)
    }
    let hasIdentifier = false
    let isAsked = !isGateAnswering && checked.contacts.length > 0
    for (const contact of checked.contacts) {
      const { kind, value, normalized, column } = contact
      isAsked ||= suppression.mayMatch(contact)
      if (normalized === null) continue
      // A page on a shared host identifies a business, and the host does not.
      const identity = identityOf(kind, value, normalized)
      if (identity === null) continue
      hasIdentifier = true
      const hash = mix(kind, identity)
      note(hash, kind, column)
      isAsked ||= identity === normalized && known.mayHold(hash)
    }
    if (!hasIdentifier) note(mix('cells', cells.join('\u0000')), 'cells', null)
    // Only rows that need a lookup or may be shown are stored. Nearly all rows of a large file only change the counts, which are complete here.
    const isFlagged = checked.problems.length > 0 || shared.length > 0
    if (isAsked || kept.hasRoom(isFlagged)) open.set(row, outliving({ line, checked, duplicates: shared, isFlagged }))
  }

  /**
   * Returns the suppressed columns by row, or null after the suppression check has failed. Without an answer no row counts as free to contact (fails
   * closed).
   */
  async function suppressedOf(rows: ReadonlyMap<number, OpenRow>): Promise<Map<number, number[]> | null> {
    if (!isGateAnswering) return null
    const asked: ContactCell[] = []
    const rowOf: number[] = []
    for (const [row, { checked }] of rows) {
      for (const contact of checked.contacts) {
        if (!suppression.mayMatch(contact)) continue
        asked.push(contact)
        rowOf.push(row)
      }
    }
    const found = new Map<number, number[]>()
    if (asked.length === 0) return found
    try {
      for (const at of await suppression.suppressed(asked)) {
        const row = rowOf[at]
        const one = asked[at]
        if (row !== undefined && one !== undefined) found.set(row, [...(found.get(row) ?? []), one.column])
      }
    } catch {
      // The preview and the audit report these rows as unknown. The rest of the preview stays valid.
      isGateAnswering = false
      return null
    }
    return found
  }

  async function settleOpen(): Promise<void> {
    const suppressed = await suppressedOf(open)
    const holders = holdersOnce(known)
    for (const [row, { line, checked, duplicates: shared, isFlagged: wasFlagged }] of open) {
      const matches: Match[] = []
      for (const { column, kind, value, normalized } of checked.contacts) {
        if (normalized === null || identityOf(kind, value, normalized) !== normalized) continue
        if (!known.mayHold(mix(kind, normalized))) continue
        for (const { id, name, doNotContact } of await holders(kind, normalized))
          matches.push({ column, kind, businessId: id, name, doNotContact })
      }
      const columns = suppressed?.get(row) ?? []
      const isBlocked = columns.length > 0 || matches.some((match) => match.doNotContact)
      const doNotContact = !isBlocked && suppressed === null && checked.contacts.length > 0 ? null : isBlocked
      if (matches.length > 0) counts.matchingRows += 1
      if (isBlocked) counts.doNotContactRows += 1
      if (doNotContact === null) counts.unknownRows += 1
      const isFlagged = wasFlagged || matches.length > 0 || isBlocked
      if (!kept.hasRoom(isFlagged)) continue
      const { cells, problems, notes } = checked
      kept.keep({ row, line, cells, problems, notes, duplicates: shared, matches, suppressed: columns, doNotContact })
    }
    open.clear()
  }

  async function prepare(): Promise<void> {
    if (!isGateAnswering || bytes < nextPreparation) return
    nextPreparation = bytes + PREPARED_EVERY_BYTES
    try {
      await suppression.prepare()
    } catch {
      isGateAnswering = false
    }
  }

  const readOn = async (read: () => void): Promise<Fault | null> => {
    await prepare()
    try {
      read()
      return null
    } catch (error) {
      if (error instanceof CsvFault) return error.fault
      throw error
    } finally {
      await settleOpen()
    }
  }

  let fault: Fault | null = null
  for (const part of textPieces(fd, found.dialect.encoding)) {
    if (options.isCancelled()) throw new AnalysisCancelled()
    if ('textBefore' in part) {
      fault = (await readOn(() => reader.push(part.textBefore))) ?? spoiltFault(part, reader.position('')).fault
      break
    }
    bytes += part.bytes
    fault = await readOn(() => reader.push(part.text))
    options.progress(bytes)
    if (fault !== null) break
  }
  fault ??= await readOn(() => reader.end())
  const { malformed, findings: _, ...totals } = counts
  return {
    ...found,
    dialect: { ...found.dialect, lineEnds: nameLineEnds(reader.lineEnds) },
    totals: { ...totals, duplicateRows: duplicates.finish() },
    fault,
    malformed,
    firstRows: kept.firstRows,
    flaggedRows: kept.flaggedRows,
  }
}

/** Caches the lookup of each value of a piece of text, because every row of a file can have the same number. */
function holdersOnce(known: KnownValues): KnownValues['holders'] {
  const asked = new Map<string, ReturnType<KnownValues['holders']>>()
  return (kind, normalized) => asked.getOrInsertComputed(`${kind} ${normalized}`, () => known.holders(kind, normalized))
}

/** A row that needs a lookup or will be shown. `isFlagged`: it has a problem, or shares a value with an earlier row. */
type OpenRow = { line: number; checked: CheckedRow; duplicates: Duplicate[]; isFlagged: boolean }

/**
 * Copies a row that outlives its piece of text. Only few rows do. Without the copy V8 would notice that some objects of this code survive and
 * allocate all of them in the old generation, where the garbage of each further row costs half as much again.
 */
function outliving({ line, checked: { cells, problems, notes, contacts }, duplicates, isFlagged }: OpenRow): OpenRow {
  const checked = { cells, problems: [...problems], notes: [...notes], contacts: contacts.map((one) => ({ ...one })) }
  return { line, checked, duplicates: [...duplicates], isFlagged }
}

function createCounts() {
  return {
    rows: 0,
    blankLines: 0,
    malformedRows: 0,
    rowsWithProblems: 0,
    matchingRows: 0,
    doNotContactRows: 0,
    unknownRows: 0,
    problems: {} as Analysis['totals']['problems'],
    notes: {} as Analysis['totals']['notes'],
    malformed: [] as Analysis['malformed'],
    findings({ problems, notes }: CheckedRow) {
      if (problems.length > 0) this.rowsWithProblems += 1
      for (const { code } of problems) this.problems[code] = (this.problems[code] ?? 0) + 1
      for (const { code } of notes) this.notes[code] = (this.notes[code] ?? 0) + 1
    },
  }
}

function nothingRead({ chosen }: AnalysisOptions, fault: Fault): Analysis {
  const { encoding = 'utf-8', delimiter = ',', quote = '"', hasHeader = false } = chosen
  const { malformed, findings: _, ...totals } = createCounts()
  return {
    dialect: {
      encoding,
      delimiter,
      quote,
      hasHeader,
      hasByteOrderMark: false,
      hasDelimiterLine: false,
      lineEnds: 'none',
    },
    doubts: { encoding: null, delimiter: null, header: null },
    columns: [],
    totals: { ...totals, duplicateRows: 0 },
    fault,
    malformed,
    firstRows: [],
    flaggedRows: [],
  }
}

function nameLineEnds({ lf, crlf, cr }: LineEnds): LineEndName {
  const names: LineEndName[] = []
  if (lf > 0) names.push('lf')
  if (crlf > 0) names.push('crlf')
  if (cr > 0) names.push('cr')
  return names.length > 1 ? 'mixed' : (names[0] ?? 'none')
}
