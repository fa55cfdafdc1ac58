import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { counted } from '../../../lib/numeral.ts'
import type { Hash } from '../../../lib/text-filter.ts'
import type { Database } from '../../../store/database.ts'
import { identityOf } from '../../normalization/normalization.ts'
import {
  type Analysis,
  type AnalysisOptions,
  type Duplicate,
  type KeptRow,
  keptLimits,
  type LineEndName,
  type MalformedLine,
  type Match,
} from './analysis.ts'
import type { CellValue } from './cell-values.rules.ts'
import { type CheckedRow, type ContactCell, createRowCheck } from './check-row.rules.ts'
import { CsvFault, type Fault, type Quote } from './dialect.ts'
import { createDuplicateFinder, type DuplicateFinder } from './duplicates-in-file.ts'
import { type FoundForm, findForm } from './find-form.ts'
import { mix } from './hash.ts'
import { addDuplicate, copied, createKeptRows } from './keep-rows.ts'
import { type KnownValues, readKnownValues } from './known-values.ts'
import { createRecordReader, type LineEnds } from './record-reader.ts'
import type { SuppressionCheck } from './suppressed-values.ts'
import { spoiltFault, textPieces } from './text-pieces.ts'

const identifierKinds = ['email', 'phone', 'domain'] as const
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
    delimiter: found.dialect.delimiter,
    phoneRegion: options.phoneRegion,
  })
  let isGateAnswering = true
  let bytes = 0
  let nextPreparation = 0
  const headerLine = found.dialect.headerLine ?? 0
  /** rows of the current piece of text, by row number, that need a lookup or will be part of the preview */
  const open = new Map<number, OpenRow>()
  /** malformed lines of the current piece of text that will be part of the preview */
  let openMalformed: MalformedLine[] = []

  const reader = createRecordReader(
    { ...found.dialect, width: found.columns.length },
    {
      row: (cells, line, isOverLines) => {
        if (line === 1 && found.dialect.hasDelimiterLine) return
        if (line > headerLine) readRow(cells, line, isOverLines)
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

  function readRow(cells: string[], line: number, isOverLines: boolean): void {
    counts.rows += 1
    const row = counts.rows
    const checked = check(cells, isOverLines)
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
    for (const at of (await ask(asked)) ?? []) {
      const row = rowOf[at]
      const one = asked[at]
      if (row !== undefined && one !== undefined) found.set(row, [...(found.get(row) ?? []), one.column])
    }
    return isGateAnswering ? found : null
  }

  /** Returns the indexes of the suppressed cells, or null after the suppression check has failed. */
  async function ask(cells: readonly ContactCell[]): Promise<ReadonlySet<number> | null> {
    if (!isGateAnswering) return null
    if (cells.length === 0) return new Set()
    try {
      return await suppression.suppressed(cells)
    } catch {
      // The preview and the audit report these rows as unknown. The rest of the preview stays valid.
      isGateAnswering = false
      return null
    }
  }

  /** Like `ask`, for texts that may contain values of every kind. */
  async function suppressedTexts(texts: readonly string[]): Promise<ReadonlySet<number> | null> {
    const cells = texts.flatMap((value) =>
      identifierKinds.map((kind) => ({
        column: 0,
        kind,
        value,
        region: options.phoneRegion,
        normalized: null,
        within: [],
      })),
    )
    const found = await ask(cells)
    return found === null ? null : new Set([...found].map((index) => Math.floor(index / identifierKinds.length)))
  }

  async function settleOpen(): Promise<void> {
    const suppressed = await suppressedOf(open)
    const holders = holdersOnce(known)
    for (const [row, { line, checked, duplicates: shared, isFlagged: wasFlagged }] of open) {
      const matches: Match[] = []
      for (const [{ column, kind }, { text, normalized }] of identifiersOf(checked.contacts)) {
        if (identityOf(kind, text, normalized) !== normalized || !known.mayHold(mix(kind, normalized))) continue
        for (const { id, name, doNotContact } of await holders(kind, normalized))
          matches.push({ column, kind, businessId: id, name, doNotContact })
      }
      const columns = suppressed?.get(row) ?? []
      const { said } = checked
      const isBlocked = said === 'yes' || columns.length > 0 || matches.some((match) => match.doNotContact)
      const isUnchecked = !isBlocked && suppressed === null && checked.contacts.length > 0
      const doNotContact = isUnchecked || (said === 'unclear' && !isBlocked) ? null : isBlocked
      if (matches.length > 0) counts.matchingRows += 1
      if (isBlocked) counts.doNotContactRows += 1
      if (isUnchecked) counts.unknownRows += 1
      const isFlagged = wasFlagged || matches.length > 0 || isBlocked
      if (!kept.hasRoom(isFlagged)) continue
      const { cells, problems, notes } = checked
      const values = valuesWithin(checked)
      const marks = { values, suppressed: columns, said, doNotContact }
      kept.keep({ row, line, cells, problems, notes, duplicates: shared, matches, ...marks })
    }
    open.clear()
    await settleMalformed()
  }

  /** Checks the text of each malformed line as a whole, because it has no cells, and truncates it. */
  async function settleMalformed(): Promise<void> {
    const settled = openMalformed
    openMalformed = []
    const suppressed = await suppressedTexts(settled.map(({ text }) => text))
    for (const [index, { text, ...defect }] of settled.entries()) {
      const isCut = text.length > keptLimits.malformedCharacters
      const shown = copied(text.slice(0, keptLimits.malformedCharacters))
      counts.malformed.push({ ...defect, text: shown, isCut, doNotContact: suppressed?.has(index) ?? null })
    }
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
    doubts: { ...found.doubts, quote: quoteDoubt(found.dialect.quote, counts.malformedRows) },
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
function outliving({ line, checked, duplicates, isFlagged }: OpenRow): OpenRow {
  const { cells, problems, notes, contacts, numbers, said } = checked
  const copy = {
    cells,
    problems: [...problems],
    notes: [...notes],
    contacts: contacts.map((one) => ({ ...one })),
    numbers: [...numbers],
    said,
  }
  return { line, checked: copy, duplicates: [...duplicates], isFlagged }
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

/** Returns the values of each cell, with their texts. */
function identifiersOf(contacts: readonly ContactCell[]): [ContactCell, CellValue][] {
  return contacts.flatMap((contact) => {
    const { value, normalized, within } = contact
    const values = normalized === null ? within : [{ text: value, normalized }]
    return values.map((one): [ContactCell, CellValue] => [contact, one])
  })
}

/** Returns the texts of the values within cells, copied, because the preview keeps them. */
function valuesWithin({ contacts, numbers }: CheckedRow): KeptRow['values'] {
  const ofContacts = contacts.flatMap(({ column, kind, within }) =>
    within.length === 0 ? [] : [{ column, kind, texts: within.map(({ text }) => copied(text)) }],
  )
  return [...ofContacts, ...numbers.map(({ column, text }) => ({ column, kind: 'number' as const, texts: [text] }))]
}

function quoteDoubt(quote: Quote | null, malformedRows: number): string | null {
  if (quote === null || malformedRows === 0) return null
  return `${counted(malformedRows, 'line has', 'lines have')} a quote that is no CSV quote, such as inches. Without quotes, every line is read as written.`
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
