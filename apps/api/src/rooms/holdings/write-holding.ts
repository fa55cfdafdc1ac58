import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import { createBreather } from '../../lib/event-loop.ts'
import { newId } from '../../lib/ids.ts'
import { slicesOf } from '../../lib/slices.ts'
import { inList } from '../../store/engine/dialect.ts'
import { syncFolder } from '../../store/files/durable-files.ts'
import { removeDraftsOf } from '../../store/files/named-files.ts'
import { createFileWriter, type FileBound, type FileWriter } from '../../store/files/write-file.ts'
import { type AnyHeldTable, type HeldRow, heldIn, readHeld } from '../../store/held-rows.ts'
import { jsonColumn } from '../../store/json-column.ts'
import { getBusiness, wasErasedSince } from '../businesses/businesses.ts'
import { gate, recordKeysOf } from '../contact-gate/contact-gate.ts'
import type { HeldPart, HoldContext } from '../held.ts'
import { getTenant } from '../identity/identity.ts'
import type { JobContext } from '../jobs/jobs.ts'
import { findSubject, mentionOf, type Subject } from './find-subject.ts'
import {
  type HeldHead,
  htmlEmptyPart,
  htmlEnd,
  htmlHead,
  htmlItem,
  htmlPart,
  jsonEnd,
  jsonHead,
  jsonItem,
  jsonPart,
  jsonPartEnd,
  type MarkedRow,
  type PartHead,
} from './held-file.rules.ts'
import { draftFileOf, fileOf, holdingsFolder } from './holding-files.ts'
import { getHoldingRow, updateHolding } from './holdings.queries.ts'
import { type HoldingFormat, holdingFormats, limits, type StoredFile } from './holdings.schema.ts'
import { findProvenance } from './provenance.ts'

const HOUR_MS = 3_600_000
/** Rows whose texts one query of the gate is about. */
const ASKED_AT_ONCE = 50

const fileBound: FileBound = {
  maxBytes: limits.fileBytes,
  subject: 'This file',
  remedy: 'Collect what is held about each prospect.',
}

type Writers = Record<HoldingFormat, FileWriter>

/**
 * Collects everything held about one prospect or value from all rooms, and writes it in both forms. A part for which the role of the person lacks a
 * permission is left out and named. An interrupted run starts again. The files have temporary names until one change stores their counts. Errors:
 * `not_found`, `too_large`, `holding_outdated`.
 */
export async function writeHolding(context: JobContext, holdingId: string) {
  const { store, tenantId, jobId, effect } = context
  const row = await getHoldingRow(store.reader, tenantId, holdingId)
  const begunAt = store.clock().toISOString()
  const folder = holdingsFolder(store.dataDir)
  const claim = `${jobId}-${newId()}`
  const draft = (format: HoldingFormat) => draftFileOf(store.dataDir, holdingId, format, claim)
  removeDraftsOf(folder, holdingId)
  const writers: Writers = {
    json: await createFileWriter(draft('json'), fileBound),
    html: await createFileWriter(draft('html'), fileBound),
  }
  try {
    const subject = await findSubject(store.backgroundOf(tenantId), context.rooms, row)
    const counts = await writeParts(context, { subject, begunAt }, writers)
    const written = { json: await writers.json.finish(), html: await writers.html.finish() }
    return await effect('file', { action: 'holding.write' }, async (tx) => {
      const current = await getHoldingRow(tx.db, tenantId, holdingId)
      if (current.ended_at !== null || (await wasErasedSince(tx, begunAt)))
        throw new AppError(
          'holding_outdated',
          'A prospect was erased while this was written. Nothing was kept; collect it again.',
        )
      const expiresAt = new Date(Date.parse(tx.at) + limits.fileHours * HOUR_MS).toISOString()
      const file: StoredFile = { ...written, ...counts, writtenAt: tx.at, expiresAt }
      await updateHolding(tx.db, current, { file: JSON.stringify(file) })
      await tx.record({
        subject: { type: 'holding', id: holdingId },
        ...(current.business_id === null ? {} : { businessId: current.business_id }),
        after: { ...counts, ...written, expiresAt },
      })
      // Only the owner of the lease reaches this line, so no file of another run is replaced.
      for (const format of holdingFormats) renameSync(draft(format), fileOf(store.dataDir, holdingId, format))
      syncFolder(folder)
      return { holdingId, records: counts.records, rows: counts.rows }
    })
  } finally {
    for (const format of holdingFormats) {
      await writers[format].close()
      await rm(draft(format), { force: true })
    }
  }
}

type Wanted = { subject: Subject; begunAt: string }

async function writeParts(context: JobContext, { subject, begunAt }: Wanted, writers: Writers) {
  const { store, tenantId, actor, rooms, signal, progress } = context
  const db = store.backgroundOf(tenantId)
  const { value, businessIds } = subject
  const isMeant = value === null ? () => true : mentionOf(value)
  const held: HoldContext = { db, keys: store.keys, tenantId, at: begunAt, businessIds, value }
  const head = await headOf(context, subject)
  const leftOut: string[] = []
  const isRead = ({ title, permission }: Pick<AnyHeldTable, 'title' | 'permission'>) => {
    const has = actor.permissions.has(permission)
    if (!has) leftOut.push(title)
    return has
  }
  const parts = createPartWriter(context, {
    writers,
    timeZone: head.timeZone,
    isMeant: value === null ? null : isMeant,
  })
  await writers.json.write(jsonHead(head))
  await writers.html.write(htmlHead(head))
  const inAdvance = [await findProvenance({ db, tenantId, businessIds }, isMeant)]
  for (const part of inAdvance) if (isRead(part)) await parts.write(part, onePart(part))
  for (const { holds = {}, hold } of rooms) {
    for (const [table, rule] of heldIn(holds)) {
      signal.throwIfAborted()
      if (!isRead(rule)) continue
      await parts.write({ key: table, ...rule }, readHeld(db, { tenantId, businessIds, table, rule }))
    }
    for (const part of (await hold?.(held)) ?? [])
      if (isRead(part)) await parts.write(part, onePart(part), { isWhole: true })
    progress({ done: parts.rows(), total: null, unit: 'rows' })
  }
  await writers.json.write(jsonEnd)
  await writers.html.write(htmlEnd)
  return { records: businessIds.length, rows: parts.rows(), leftOut }
}

async function* onePart({ rows }: HeldPart): AsyncGenerator<readonly HeldRow[]> {
  yield rows
}

async function headOf({ store, tenantId }: JobContext, { businessIds, value, text }: Subject): Promise<HeldHead> {
  const db = store.backgroundOf(tenantId)
  const { name: workspace, timeZone } = await getTenant(db, tenantId)
  const records = []
  for (const id of businessIds) {
    const { name, doNotContact } = await getBusiness(db, tenantId, id)
    records.push({ id, name, doNotContact: doNotContact !== null })
  }
  const asked = value === null ? [] : [{ kind: value.kind, value: value.normalized }]
  const isSuppressed = (await gate({ db, keys: store.keys }, tenantId, asked)).length > 0
  const notes =
    value === null
      ? []
      : [
          'Contains what mentions the value in the records that have it in their contact values, their evidence, or as a contact candidate or a recipient. Texts of other records were not searched.',
        ]
  return { writtenAt: store.clock().toISOString(), timeZone, workspace, about: text, isSuppressed, records, notes }
}

type PartOptions = { writers: Writers; timeZone: string; isMeant: ((text: string) => boolean) | null }

/** Returns a writer of parts. In a collection about a value it leaves out the rows that do not mention the value, except those of whole parts. */
function createPartWriter({ store, tenantId }: JobContext, { writers, timeZone, isMeant }: PartOptions) {
  const db = store.backgroundOf(tenantId)
  const breathe = createBreather()
  const people = new Map<string, string>()
  let parts = 0
  let rows = 0

  async function write(
    part: PartHead & Pick<AnyHeldTable, 'json'>,
    source: AsyncIterable<readonly HeldRow[]>,
    { isWhole = false } = {},
  ): Promise<void> {
    await writers.json.write(jsonPart(part, parts === 0))
    await writers.html.write(htmlPart(part))
    parts += 1
    let items = 0
    for await (const page of source) {
      for (const slice of slicesOf(page, ASKED_AT_ONCE)) {
        const kept: HeldRow[] = []
        for (const row of slice) {
          if (isWhole || isMeant === null || textsIn(part, row).some(([, text]) => isMeant(text))) kept.push(row)
          await breathe()
        }
        for (const one of await marked(part, await readable(kept, part.json ?? []))) {
          await writers.json.write(jsonItem(part, one, items === 0))
          await writers.html.write(htmlItem(part, one, timeZone))
          items += 1
          await breathe()
        }
      }
    }
    if (items === 0) await writers.html.write(htmlEmptyPart)
    await writers.json.write(jsonPartEnd)
    rows += items
  }

  /** Replaces ids of people by their names, and parses columns with JSON. */
  async function readable(page: readonly HeldRow[], json: readonly string[]): Promise<HeldRow[]> {
    await learnNames(page)
    return page.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, readCell(name, cell, json)])),
    )
  }

  function readCell(name: string, cell: unknown, json: readonly string[]): unknown {
    if (typeof cell !== 'string') return cell
    if (json.includes(name)) return readJson(cell)
    return isPerson(name) ? (people.get(cell) ?? cell) : cell
  }

  async function learnNames(page: readonly HeldRow[]): Promise<void> {
    const ids = page.flatMap((row) =>
      Object.entries(row).flatMap(([name, cell]) =>
        isPerson(name) && typeof cell === 'string' && !people.has(cell) ? [cell] : [],
      ),
    )
    if (ids.length === 0) return
    const known = await db.selectFrom('users').select(['id', 'name']).where('id', 'in', inList(ids)).execute()
    for (const { id, name } of known) people.set(id, name)
  }

  /** Asks the gate about every text of these rows. */
  async function marked(part: PartHead, page: readonly HeldRow[]): Promise<MarkedRow[]> {
    const texts = page.flatMap((row) => textsIn(part, row).map(([name, text]) => ({ row, name, text })))
    const values = texts.map(({ text: value }) => ({ kind: 'domain' as const, value }))
    // Reading a long text takes some milliseconds, so requests are served between two texts.
    const keys: string[][] = []
    for (const one of values) {
      keys.push(recordKeysOf(one))
      await breathe()
    }
    const found = new Set((await gate({ db, keys: store.keys }, tenantId, values, keys)).map(({ index }) => index))
    const suppressed = Map.groupBy(
      texts.filter((_, index) => found.has(index)),
      ({ row }) => row,
    )
    return page.map((row) => ({ row, suppressed: [...new Set((suppressed.get(row) ?? []).map(({ name }) => name))] }))
  }

  return { write, rows: () => rows }
}

const readJson = jsonColumn(z.unknown())

const isPerson = (column: string) => /_by$|^(?:actor|author|assignee_id)$/.test(column)

/** Matches a text without a contact value: an id, a time, a day, a hash, a number or a code. */
const plain = /^(?:[0-9a-f-]{32,64}|\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[a-z_]{1,40}|-?\d{1,5})$/

/** Returns the texts of a row that can contain a contact value, each with its column. */
function textsIn({ columns }: PartHead, row: HeldRow): [column: string, text: string][] {
  return Object.keys(columns).flatMap((name): [string, string][] => {
    const cell = row[name]
    const text = typeof cell === 'string' ? cell : typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : ''
    return text === '' || plain.test(text) ? [] : [[name, text]]
  })
}
