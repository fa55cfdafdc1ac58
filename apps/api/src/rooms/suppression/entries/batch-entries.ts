import { createBreather } from '../../../lib/event-loop.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { findLiveEntry, recordKeyRanges } from '../../contact-gate/contact-gate.ts'
import type { AddBatch, BatchAnswer, BatchLine, PreviewBatch, PreviewLine } from '../suppression.schema.ts'
import { addOrConfirmEntry, requireProvenance } from './add-entry.ts'
import { isRefused, kindOfLine, type ReadEntry, readEntry } from './entry.rules.ts'
import { countRecords } from './match.queries.ts'

type Line = { line: number; text: string; kind: PreviewLine['kind']; normalized: string | null; message: string | null }
type ReadLine = Line & ({ as: 'entry'; entry: ReadEntry } | { as: 'refused' | 'repeated' | 'empty' })

/**
 * Reads the pasted lines. It yields each line, so that the caller can let other requests run in between. Preview and batch both use it, so that they
 * agree.
 */
function* readLines({ lines, region, domainScope }: PreviewBatch): Generator<ReadLine> {
  const seen = new Map<string, number>()
  for (const [index, pasted] of lines.entries()) {
    const line = index + 1
    const text = pasted.trim()
    if (text === '') {
      yield { line, text, kind: null, normalized: null, message: null, as: 'empty' }
      continue
    }
    const kind = kindOfLine(text)
    const read = readEntry({ kind, value: text, region, scope: kind === 'domain' ? domainScope : 'exact' })
    if (isRefused(read)) {
      const message =
        severalOfAKind.has(read.code) || areSeveral(text, region)
          ? 'This line has several values. Put each on a line of its own.'
          : read.message
      yield { line, text, kind, normalized: null, message, as: 'refused' }
      continue
    }
    const { normalized } = read
    const first = seen.get(read.key)
    if (first !== undefined) {
      yield { line, text, kind, normalized, message: `The same as line ${first}.`, as: 'repeated' }
      continue
    }
    seen.set(read.key, line)
    yield { line, text, kind, normalized, message: null, as: 'entry', entry: read }
  }
}

const severalOfAKind: ReadonlySet<string> = new Set(['several_addresses', 'several_numbers'])

/** True if a line that cannot be read as one value is a list of values that can. */
function areSeveral(line: string, region: PreviewBatch['region']): boolean {
  const parts = line.split(/[;,]/).filter((part) => part.trim() !== '')
  const isEntry = (value: string) => !isRefused(readEntry({ kind: kindOfLine(value), value, region, scope: 'exact' }))
  return parts.length > 1 && parts.every(isEntry)
}

/** Returns the effect that a batch would have, line by line. Writes nothing. */
export async function previewBatch(store: Store, tenantId: string, batch: PreviewBatch): Promise<PreviewLine[]> {
  const breathe = createBreather()
  const answer: PreviewLine[] = []
  for (const read of readLines(batch)) {
    const { line, text, kind, normalized, message } = read
    const shown = { line, text, kind, normalized, message }
    if (read.as === 'entry') {
      const stands = (await findLiveEntry(store.reader, tenantId, read.entry.key)) !== undefined
      const records = await countRecords(store.reader, tenantId, recordKeyRanges(read.entry.key))
      answer.push({ ...shown, outcome: stands ? 'stands_already' : 'would_add', records })
    } else {
      answer.push({ ...shown, outcome: read.as, records: null })
    }
    await breathe()
  }
  return answer
}

/**
 * Adds an entry for every readable line, all in one transaction and with the same provenance. For each other line, the result states why it was
 * skipped. Errors: `invalid_request`.
 */
export async function addBatch(tx: Tx, batch: AddBatch): Promise<BatchAnswer | Unchanged<BatchAnswer>> {
  requireProvenance(tx, batch)
  const breathe = createBreather()
  const items: BatchLine[] = []
  for (const read of readLines(batch)) {
    const { line, text, kind, normalized, message } = read
    const shown = { line, text, kind, normalized, message }
    if (read.as === 'entry') {
      const { id, created, marked } = await addOrConfirmEntry(tx, read.entry, batch)
      items.push({ ...shown, outcome: created ? 'added' : 'stood_already', suppressionId: id, marked })
    } else {
      items.push({ ...shown, outcome: read.as, suppressionId: null, marked: 0 })
    }
    await breathe()
  }
  const answer = {
    items,
    added: items.filter(({ outcome }) => outcome === 'added').length,
    marked: items.reduce((sum, { marked }) => sum + marked, 0),
  }
  return items.some(({ suppressionId }) => suppressionId !== null) ? answer : unchanged(answer)
}
