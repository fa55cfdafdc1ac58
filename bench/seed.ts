/**
 * Fills a store with hundreds of thousands of businesses: one big tenant and nine with a fiftieth of it, with identifiers, tags, evidence,
 * transitions and a complete audit chain. It inserts the rows that the rooms would write, by the rooms' own rules but without `change()`, because a
 * hundred thousand changes would take minutes. The schema's triggers maintain counts and the search index.
 *
 * node bench/seed.ts --data-dir /tmp/some-folder [--rows 1000000]
 */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hash as hashPassword } from '@node-rs/argon2'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { migrate } from '../apps/api/src/store/files/migrate.ts'
import { STORE_FILE } from '../apps/api/src/store/store.ts'
import { countOption } from './figures.ts'
import { type HistoryStep, historyOf, sampleBusiness, samplePeople } from './sample-data.ts'
import { createSeedWriter } from './seed-writer.ts'

export type Seeded = {
  email: string
  password: string
  /** ids of some businesses, spread over the big tenant */
  ids: string[]
  /** members of the big tenant to whom businesses are assigned */
  people: string[]
  tookMs: number
}

const tenantCount = 10
const peoplePerTenant = 8
const batchSize = 5_000
const idsKept = 5_000
const openedAt = '2024-01-08T05:00:00.000Z'

/** `withPeople`: one and a half people at each business, on average. */
export async function seed(options: { dataDir: string; rows: number; withPeople?: boolean }): Promise<Seeded> {
  const started = performance.now()
  const { dataDir, rows, withPeople = false } = options
  mkdirSync(dataDir, { recursive: true })
  const db = openConnection(join(dataDir, STORE_FILE))
  migrate(db, { steps: migrations })
  // Durability is not needed here: if a power cut destroys the store, it is seeded again. Servers open the store with FULL.
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -262144')
  const putTogether = (parts: number) =>
    db.exec(`INSERT INTO business_search_index (business_search_index, rank) VALUES ('automerge', ${parts})`)
  // Merge the search index into the number of segments that the rooms would leave. They merge segments at each write
  // (docs/decisions/full-text-search.md), but this file does not.
  putTogether(4)
  const email = 'bench@example.co.za'
  const password = 'correct horse battery staple 42'
  const writer = createSeedWriter(db)
  const passwordHash = await hashPassword(password)
  const ids: string[] = []
  let people: string[] = []
  for (let number = 1; number <= tenantCount; number++) {
    const many = number === 1 ? rows : Math.ceil(rows / 50)
    db.exec('BEGIN IMMEDIATE')
    const tenant = writer.addTenant(number, `Tenant ${number}`, openedAt)
    const members = Array.from({ length: peoplePerTenant }, (_, i) =>
      writer.addUser(
        tenant,
        {
          email: number === 1 && i === 0 ? email : `person-${i}@tenant-${number}.example.co.za`,
          name: `Person ${i}`,
          role: i === 0 ? 'administrator' : 'operator',
          passwordHash,
        },
        openedAt,
      ),
    )
    if (number === 1) people = members
    // The chain needs events in the order of their times, so later events of a business are written at their minute.
    const later = new Map<number, { id: string; step: HistoryStep }[]>()
    let minute = 0
    let lastMinute = 0
    const writeUntil = (end: number) => {
      for (; minute < end; minute++) {
        for (const { id, step } of later.get(minute) ?? []) writer.writeStep(tenant, members, id, step)
        later.delete(minute)
      }
    }
    for (let index = 0; index < many; index++) {
      const sample = sampleBusiness(index, { total: many, people: members.length })
      const now = minuteOf(sample.createdAt)
      if (index === 0) minute = now
      writeUntil(now)
      const id = writer.addBusiness(tenant, members, sample, withPeople ? samplePeople(index) : [])
      if (number === 1 && index % Math.ceil(rows / idsKept) === 0) ids.push(id)
      for (const step of historyOf(sample)) {
        const then = minuteOf(step.at)
        lastMinute = Math.max(lastMinute, then)
        const waiting = later.get(then)
        if (waiting === undefined) later.set(then, [{ id, step }])
        else waiting.push({ id, step })
      }
      if (index % batchSize === batchSize - 1) db.exec('COMMIT; BEGIN IMMEDIATE')
    }
    writeUntil(lastMinute + 1)
    writer.keepFollowed(tenant)
    db.exec('COMMIT')
  }
  putTogether(0)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
  return { email, password, ids, people, tookMs: performance.now() - started }
}

function minuteOf(at: string): number {
  return Math.floor(Date.parse(at) / 60_000)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { 'data-dir': { type: 'string' }, rows: { type: 'string', default: '100000' } },
  })
  const dataDir = values['data-dir']
  if (dataDir === undefined) throw new Error('Say where: --data-dir <folder>')
  const { email, password, tookMs } = await seed({ dataDir, rows: countOption(values, 'rows') })
  console.log(`${values.rows} businesses in ${(tookMs / 1000).toFixed(1)} s. Sign in as ${email} with: ${password}`)
}
