import { closeSync, openSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { Database } from '../../../store/database.ts'
import {
  type Analysis,
  type AnalysisOptions,
  type Duplicate,
  keptLimits,
  type LineEndName,
  type Match,
} from './analysis.ts'
import { type CheckedRow, type ContactCell, createRowCheck } from './check-row.rules.ts'
import { CsvFault, type Dialect, type Fault } from './dialect.ts'
import { createDuplicateFinder, type DuplicateFinder } from './duplicates-in-file.ts'
import { type FoundEncoding, findEncoding } from './encoding.ts'
import { findDelimiter, findQuote, sampleRows } from './find-dialect.rules.ts'
import { type Hash, mix } from './hash.ts'
import { createKeptRows } from './keep-rows.ts'
import { createKnownValues } from './known-values.ts'
import { createRecordReader, type LineEnds } from './record-reader.ts'
import { findHeader, suggestMapping } from './suggest-mapping.rules.ts'
import type { SuppressionCheck } from './suppressed-values.ts'
import { spoiltFault, textPieces } from './text-pieces.ts'

/** Rows that a suggestion looks at. */
const SAMPLE_ROWS = 100

/** Whoever wanted the analysis does not any more. */
export class AnalysisCancelled extends Error {}

type Found = Pick<Analysis, 'dialect' | 'doubts' | 'columns'>

/**
 * Reads a CSV file once and says what stands in it: how it is written down, what its columns could be, and row by row what is wrong,
 * double, known already or not to be contacted. Writes nothing but a file beside it for what does not fit into memory, and takes it away.
 * Memory is bounded whatever the file is like. Errors: AnalysisCancelled; a file that cannot be read to its end is no error, its fault is
 * part of the answer.
 */
export async function analyseFile(
  db: Kysely<Database>,
  isSuppressed: SuppressionCheck,
  options: AnalysisOptions,
): Promise<Analysis> {
  const fd = openSync(options.path, 'r')
  const duplicates = createDuplicateFinder({ path: `${options.path}.duplicates` })
  try {
    return await analyse(db, isSuppressed, { fd, duplicates }, options)
  } finally {
    duplicates.discard()
    closeSync(fd)
  }
}

async function analyse(
  db: Kysely<Database>,
  isSuppressed: SuppressionCheck,
  { fd, duplicates }: { fd: number; duplicates: DuplicateFinder },
  options: AnalysisOptions,
): Promise<Analysis> {
  let found: Found
  try {
    found = findForm(fd, options)
  } catch (error) {
    if (error instanceof CsvFault) return nothingRead(options, error.fault)
    throw error
  }
  const counts = createCounts()
  const kept = createKeptRows()
  const known = createKnownValues(db, options.tenantId)
  const check = createRowCheck({
    mapping: found.columns.map(({ field }) => field),
    width: found.columns.length,
    phoneRegion: options.phoneRegion,
  })
  let isGateAnswering = true
  let isHeaderDue = found.dialect.hasHeader
  let piece: PieceRow[] = []

  const reader = createRecordReader(found.dialect, {
    row: (cells, line) => {
      if (isHeaderDue) {
        isHeaderDue = false
        return
      }
      counts.rows += 1
      piece.push(readRow(cells, line))
    },
    malformed: (problem) => {
      counts.malformedRows += 1
      if (counts.malformed.length < keptLimits.malformed) counts.malformed.push(problem)
    },
    blankLine: () => {
      counts.blankLines += 1
    },
  })

  function readRow(cells: string[], line: number): PieceRow {
    const row = counts.rows
    const checked = check(cells)
    counts.findings(checked)
    const shared: Duplicate[] = []
    const hashes: Hash[] = []
    const seen = (text: string, kind: Duplicate['kind'], column: number | null) => {
      const hash = mix(kind, text)
      hashes.push(hash)
      const first = duplicates.note(hash, row)
      if (first === 0 || first === row) return
      shared.push({ kind, column, row: first })
      kept.flag(first, { kind, column, row })
    }
    for (const { kind, normalized, column } of checked.identifiers) seen(normalized, kind, column)
    if (checked.identifiers.length === 0) seen(cells.join('\u0000'), 'cells', null)
    return { row, line, checked, hashes, duplicates: shared }
  }

  /** The suppressed columns by row; null when the gate could not answer, now or before: then no row is clean (fails closed). */
  async function suppressedOf(rows: readonly PieceRow[]): Promise<Map<number, number[]> | null> {
    if (!isGateAnswering) return null
    const asked: ContactCell[] = []
    const rowOf: number[] = []
    for (const { checked, row } of rows) {
      for (const contact of checked.contacts) {
        asked.push(contact)
        rowOf.push(row)
      }
    }
    const found = new Map<number, number[]>()
    try {
      for (const at of await isSuppressed(asked)) {
        const row = rowOf[at]
        const one = asked[at]
        if (row !== undefined && one !== undefined) found.set(row, [...(found.get(row) ?? []), one.column])
      }
    } catch {
      // Told to the person and in the audit as rows that are not known; the rest of the preview is as good as ever.
      isGateAnswering = false
      return null
    }
    return found
  }

  async function settlePiece(): Promise<void> {
    await known.prepare()
    const suppressed = await suppressedOf(piece)
    for (const { row, line, checked, hashes, duplicates: shared } of piece) {
      const matches: Match[] = []
      for (const [at, identifier] of checked.identifiers.entries()) {
        const hash = hashes[at]
        if (hash === undefined || !known.mayHold(hash)) continue
        for (const { id, name, doNotContact } of await known.holders(identifier))
          matches.push({ column: identifier.column, kind: identifier.kind, businessId: id, name, doNotContact })
      }
      const columns = suppressed?.get(row) ?? []
      const isBlocked = columns.length > 0 || matches.some((match) => match.doNotContact)
      const doNotContact = !isBlocked && suppressed === null && checked.contacts.length > 0 ? null : isBlocked
      if (matches.length > 0) counts.matchingRows += 1
      if (isBlocked) counts.doNotContactRows += 1
      if (doNotContact === null) counts.unknownRows += 1
      const isFlagged = checked.problems.length > 0 || shared.length > 0 || matches.length > 0 || isBlocked
      if (!kept.hasRoom(isFlagged)) continue
      const { cells, problems, notes } = checked
      kept.keep({ row, line, cells, problems, notes, duplicates: shared, matches, suppressed: columns, doNotContact })
    }
    piece = []
  }

  const readOn = async (read: () => void): Promise<Fault | null> => {
    try {
      read()
      return null
    } catch (error) {
      if (error instanceof CsvFault) return error.fault
      throw error
    } finally {
      await settlePiece()
    }
  }

  let fault: Fault | null = null
  let bytes = 0
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

/** `hashes`: of its identifiers, in their order. */
type PieceRow = { row: number; line: number; checked: CheckedRow; hashes: Hash[]; duplicates: Duplicate[] }

/** How the file is written down and what its columns could be, from its beginning. */
function findForm(fd: number, { chosen, mapping }: AnalysisOptions): Found {
  const encoding: FoundEncoding =
    chosen.encoding === undefined
      ? findEncoding(fd)
      : { encoding: chosen.encoding, hasByteOrderMark: false, doubt: null }
  const [first] = textPieces(fd, encoding.encoding)
  const sample = first === undefined ? '' : 'text' in first ? first.text : first.textBefore
  const quote = chosen.quote === undefined ? findQuote(sample) : chosen.quote
  const delimiter =
    chosen.delimiter === undefined ? findDelimiter(sample, quote) : { delimiter: chosen.delimiter, doubt: null }
  const rows = sampleRows(sample, delimiter.delimiter, quote).slice(0, SAMPLE_ROWS)
  const header = chosen.hasHeader === undefined ? findHeader(rows) : { hasHeader: chosen.hasHeader, doubt: null }
  const [firstRow = [], ...others] = rows
  const suggestions = suggestMapping(header.hasHeader ? firstRow : null, header.hasHeader ? others : rows)
  const width = header.hasHeader ? firstRow.length : commonWidth(rows)
  const dialect: Dialect = {
    encoding: encoding.encoding,
    delimiter: delimiter.delimiter,
    quote,
    hasHeader: header.hasHeader,
  }
  return {
    dialect: { ...dialect, hasByteOrderMark: encoding.hasByteOrderMark, lineEnds: 'none' },
    doubts: { encoding: encoding.doubt, delimiter: delimiter.doubt, header: header.doubt },
    columns: Array.from({ length: width }, (_, column) => {
      const { field: suggested = null, because = null } = suggestions[column] ?? {}
      return {
        name: header.hasHeader ? (firstRow[column] ?? '').slice(0, keptLimits.cellCharacters) : null,
        suggested,
        because,
        field: mapping === undefined ? suggested : (mapping[column] ?? null),
      }
    }),
  }
}

function commonWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
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
    dialect: { encoding, delimiter, quote, hasHeader, hasByteOrderMark: false, lineEnds: 'none' },
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
