import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { counted } from '../../../lib/numeral.ts'
import type { Hash } from '../../../lib/text-filter.ts'
import type { Database } from '../../../store/database.ts'
import { identityOf } from '../../normalization/normalization.ts'
import { type Analysis, type AnalysisOptions, keptLimits, type LineEndName, type MalformedLine } from './analysis.ts'
import type { CellValue } from './cell-values.rules.ts'
import { type CheckedRow, type ContactCell, createRowCheck } from './check-row.rules.ts'
import { CsvFault, type Fault, type Quote } from './dialect.ts'
import { createDuplicateFinder, type DuplicateFinder } from './duplicates-in-file.ts'
import { type FoundForm, findForm } from './find-form.ts'
import { mix } from './hash.ts'
import { readKnownValues } from './known-values.ts'
import { createLookUps, identifiersOf } from './look-up-rows.ts'
import { readFrom } from './read-at.ts'
import { createRecordReader, type LineEnds } from './record-reader.ts'
import { createRowIndex, type Duplicate } from './row-index.ts'
import type { SuppressionCheck } from './suppressed-values.ts'
import { byteLengthOf, spoiltFault, textPieces } from './text-pieces.ts'

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
    found = findForm(readFrom(fd), options)
  } catch (error) {
    if (error instanceof CsvFault) return nothingRead(options, error.fault)
    throw error
  }
  const counts = createCounts()
  const index = createRowIndex()
  const known = await readKnownValues(db, { tenantId: options.tenantId, fileBytes })
  const check = createRowCheck({
    mapping: found.columns.map(({ field }) => field),
    width: found.columns.length,
    delimiter: found.dialect.delimiter,
    phoneRegion: options.phoneRegion,
  })
  const lookUps = createLookUps(suppression, known)
  let bytes = 0
  let nextPreparation = 0
  const headerLine = found.dialect.headerLine ?? 0
  /** rows of the current piece of text, by row number, that need a lookup */
  const open = new Map<number, CheckedRow>()
  /** malformed lines of the current piece of text that will be part of the preview */
  let openMalformed: MalformedLine[] = []

  const reader = createRecordReader(
    { ...found.dialect, width: found.columns.length },
    {
      row: (cells, line, isOverLines) => {
        if (line === 1 && found.dialect.hasDelimiterLine) return
        if (line > headerLine) readRow(cells, isOverLines)
        else if (line < headerLine) counts.rowsBeforeHeader += 1
      },
      malformed: ({ text, ...defect }) => {
        counts.malformedRows += 1
        if (counts.malformed.length + openMalformed.length >= keptLimits.malformed) return
        openMalformed.push({ ...defect, text, isCut: false, doNotContact: null })
      },
      blankLine: () => {
        counts.blankLines += 1
      },
    },
  )

  function readRow(cells: string[], isOverLines: boolean): void {
    counts.rows += 1
    const row = counts.rows
    const checked = check(cells, isOverLines)
    counts.findings(checked)
    const note = (hash: Hash, kind: Duplicate['kind'], column: number | null) => {
      const first = duplicates.note(hash, row)
      if (first !== 0 && first !== row) index.duplicate(row, { kind, column, row: first })
    }
    let hasIdentifier = false
    let isAsked = !lookUps.isAnswering() && checked.contacts.length > 0
    const identifier = ({ kind, column }: ContactCell, { text, normalized }: CellValue) => {
      // A page on a shared host identifies a business, and the host does not.
      const identity = identityOf(kind, text, normalized)
      if (identity === null) return
      hasIdentifier = true
      const hash = mix(kind, identity)
      note(hash, kind, column)
      isAsked ||= identity === normalized && known.mayHold(hash)
    }
    for (const contact of checked.contacts) isAsked ||= suppression.mayMatch(contact)
    for (const [contact, value] of identifiersOf(checked.contacts)) identifier(contact, value)
    if (!hasIdentifier) note(mix('cells', cells.join('\u0000')), 'cells', null)
    isAsked ||= checked.said === 'yes'
    if (checked.problems.length > 0) index.flag(row)
    // Only rows that need a lookup are stored. Nearly all rows of a large file only change the counts, which are complete here.
    if (isAsked) open.set(row, outliving(checked))
  }

  async function settleOpen(): Promise<void> {
    for (const [row, { matches, isBlocked, isUnchecked }] of await lookUps.find(open)) {
      if (matches.length > 0) counts.matchingRows += 1
      if (isBlocked) counts.doNotContactRows += 1
      if (isUnchecked) counts.unknownRows += 1
      if (matches.length > 0 || isBlocked) index.flag(row)
    }
    open.clear()
    await settleMalformed()
  }

  /** Checks the text of each malformed line as a whole, because it has no cells, and truncates it. */
  async function settleMalformed(): Promise<void> {
    const settled = openMalformed
    openMalformed = []
    const suppressed = await lookUps.suppressedTexts(
      settled.map(({ text }) => text),
      options.phoneRegion,
    )
    for (const [at, { text, ...defect }] of settled.entries()) {
      const isCut = text.length > keptLimits.malformedCharacters
      const shown = copied(text.slice(0, keptLimits.malformedCharacters))
      counts.malformed.push({ ...defect, text: shown, isCut, doNotContact: suppressed?.has(at) ?? null })
    }
  }

  async function prepare(): Promise<void> {
    if (bytes < nextPreparation) return
    nextPreparation = bytes + PREPARED_EVERY_BYTES
    await lookUps.prepare()
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
  for (const part of textPieces(readFrom(fd), found.dialect.encoding)) {
    if (options.isCancelled()) throw new AnalysisCancelled()
    if ('textBefore' in part) {
      fault = (await readOn(() => reader.push(part.textBefore))) ?? spoiltFault(part, reader.position('')).fault
      break
    }
    bytes += part.bytes
    fault = await readOn(() => reader.push(part.text))
    options.progress(bytes)
    if (fault !== null) break
    const { text, line } = reader.pending()
    index.note({ row: counts.rows, line, byte: part.end - byteLengthOf(text, found.dialect.encoding) })
  }
  fault ??= await readOn(() => reader.end())
  const { malformed, findings: _, ...totals } = counts
  return {
    ...found,
    dialect: { ...found.dialect, lineEnds: nameLineEnds(reader.lineEnds) },
    doubts: { ...found.doubts, quote: quoteDoubt(found.dialect.quote, counts.malformedRows) },
    totals: { ...totals, duplicateRows: duplicates.finish() },
    fault,
    malformed,
    index: index.finish(),
  }
}

/**
 * Copies a row that outlives its piece of text. Only few rows do. Without the copy V8 would notice that some objects of this code survive and
 * allocate all of them in the old generation, where the garbage of each further row costs half as much again.
 */
function outliving({ contacts, said }: CheckedRow): CheckedRow {
  return { cells: [], problems: [], notes: [], contacts: contacts.map((one) => ({ ...one })), numbers: [], said }
}

function createCounts() {
  return {
    rows: 0,
    blankLines: 0,
    rowsBeforeHeader: 0,
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

function quoteDoubt(quote: Quote | null, malformedRows: number): string | null {
  if (quote === null || malformedRows === 0) return null
  return `${counted(malformedRows, 'line has', 'lines have')} a quote that is not a CSV quote, such as the sign for inches. If quotes are read as text, every line is read as written.`
}

function nothingRead({ chosen }: AnalysisOptions, fault: Fault): Analysis {
  const { encoding = 'utf-8', delimiter = ',', quote = '"' } = chosen
  const { malformed, findings: _, ...totals } = createCounts()
  return {
    dialect: {
      encoding,
      delimiter,
      quote,
      headerLine: null,
      hasByteOrderMark: false,
      hasDelimiterLine: false,
      lineEnds: 'none',
    },
    doubts: { encoding: null, delimiter: null, quote: null, header: null },
    headerChoices: [],
    columns: [],
    totals: { ...totals, duplicateRows: 0 },
    fault,
    malformed,
    index: createRowIndex().finish(),
  }
}

function nameLineEnds({ lf, crlf, cr }: LineEnds): LineEndName {
  const names: LineEndName[] = []
  if (lf > 0) names.push('lf')
  if (crlf > 0) names.push('crlf')
  if (cr > 0) names.push('cr')
  return names.length > 1 ? 'mixed' : (names[0] ?? 'none')
}

/** Copies a text. A line is a slice of its piece of text, and without a copy it would keep the whole piece in memory. */
function copied(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
