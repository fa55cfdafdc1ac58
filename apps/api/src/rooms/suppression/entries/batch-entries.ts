import { createBreather } from '../../../lib/event-loop.ts'
import { newId } from '../../../lib/ids.ts'
import { type Tx, type Unchanged, unchanged } from '../../../store/change/change.ts'
import type { Store } from '../../../store/store.ts'
import { findLiveEntry, type KeyRange, recordKeyRanges } from '../../contact-gate/contact-gate.ts'
import { findEntryBefore } from '../suppression.queries.ts'
import type { AddBatch, BatchAnswer, BatchLine, PreviewBatch, PreviewLine } from '../suppression.schema.ts'
import { addOrConfirmEntry, requireProvenance } from './add-entry.ts'
import type { ReadEntry } from './entry.rules.ts'
import { countRecords } from './match.queries.ts'
import { readPastedLine } from './read-line.rules.ts'

type Line = Pick<PreviewLine, 'line' | 'text' | 'kind' | 'normalized' | 'ignored' | 'code' | 'message'>
type ReadLine = Line & ({ as: 'entry'; entry: ReadEntry } | { as: 'refused' | 'repeated' | 'empty' })

/**
 * Reads the pasted lines. It yields each line, so that the caller can let other requests run in between. Preview and batch both use it, so that they
 * agree.
 */
function* readLines({ lines, region, domainScope, acceptUnknownSuffix }: PreviewBatch): Generator<ReadLine> {
  const seen = new Map<string, number>()
  for (const [index, pasted] of lines.entries()) {
    const line = index + 1
    const text = pasted.trim()
    const unread = { line, text, kind: null, normalized: null, ignored: null, code: null, message: null }
    if (text === '') {
      yield { ...unread, as: 'empty' }
      continue
    }
    const read = readPastedLine(text, { region, domainScope, acceptUnknownSuffix })
    if ('refusal' in read) {
      yield { ...unread, kind: read.kind, ...read.refusal, as: 'refused' }
      continue
    }
    const { entry, ignored } = read
    const found = { ...unread, kind: entry.kind, normalized: entry.normalized, ignored }
    const first = seen.get(entry.key)
    if (first !== undefined) {
      yield { ...found, message: `The same as line ${first}.`, as: 'repeated' }
      continue
    }
    seen.set(entry.key, line)
    yield { ...found, as: 'entry', entry }
  }
}

/** Returns the effect that a batch would have, line by line and in total. Writes nothing. */
export async function previewBatch(
  store: Store,
  tenantId: string,
  batch: PreviewBatch,
): Promise<{ items: PreviewLine[]; records: number }> {
  const breathe = createBreather()
  const items: PreviewLine[] = []
  const ranges: KeyRange[] = []
  for (const read of readLines(batch)) {
    const { line, text, kind, normalized, ignored, code, message } = read
    const shown = { line, text, kind, normalized, ignored, code, message }
    if (read.as === 'entry') {
      const stands = (await findLiveEntry(store.reader, tenantId, read.entry.key)) !== undefined
      const ofLine = recordKeyRanges(read.entry.key)
      const records = await countRecords(store.reader, tenantId, ofLine)
      if (!stands) ranges.push(...ofLine)
      items.push({ ...shown, outcome: stands ? 'stands_already' : 'would_add', records })
    } else {
      items.push({ ...shown, outcome: read.as, records: null })
    }
    await breathe()
  }
  // In the background, because the ranges of a thousand lines take longer than one step.
  const records = await countRecords(store.backgroundOf(tenantId), tenantId, ranges, { onlyFree: true })
  return { items, records }
}

/**
 * A batch, as it is stored with its Idempotency-Key: an id that was created before its entries and one that was created after them. Ids ascend, and
 * changes run one after the other, so the entries between the two are those of the batch.
 */
type StoredBatch = { after: string; before: string }

/** Adds an entry for every readable line, all in one transaction and with the same provenance. Errors: `invalid_request`. */
export async function addBatch(tx: Tx, batch: AddBatch): Promise<StoredBatch | Unchanged<StoredBatch>> {
  requireProvenance(tx, batch)
  const breathe = createBreather()
  const after = newId()
  let entries = 0
  for (const read of readLines(batch)) {
    if (read.as === 'entry') {
      await addOrConfirmEntry(tx, read.entry, batch)
      entries += 1
    }
    await breathe()
  }
  const stored = { after, before: newId() }
  return entries > 0 ? stored : unchanged(stored)
}

/** Returns what a batch did with each line, and for each line that it skipped, the reason. */
export async function getBatch(
  db: Tx['db'],
  tenantId: string,
  { after, before }: StoredBatch,
  batch: AddBatch,
): Promise<BatchAnswer> {
  const breathe = createBreather()
  const items: BatchLine[] = []
  for (const read of readLines(batch)) {
    const { line, text, kind, normalized, ignored, code, message } = read
    const shown = { line, text, kind, normalized, ignored, code, message }
    const found = read.as === 'entry' ? await findEntryBefore(db, { tenantId, key: read.entry.key, before }) : undefined
    if (read.as !== 'entry') {
      items.push({ ...shown, outcome: read.as, suppressionId: null, marked: 0 })
    } else if (found === undefined || found.id < after) {
      items.push({ ...shown, outcome: 'stood_already', suppressionId: found?.id ?? null, marked: 0 })
    } else {
      items.push({ ...shown, outcome: 'added', suppressionId: found.id, marked: found.marked })
    }
    await breathe()
  }
  return {
    items,
    added: items.filter(({ outcome }) => outcome === 'added').length,
    marked: items.reduce((sum, { marked }) => sum + marked, 0),
  }
}
