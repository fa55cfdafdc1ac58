/**
 * Measures a page of prospects for the conditions of filters: every field with each of its operators, then random pairs and triples.
 *
 * npm run bench:filters -- [--rows 1000000] [--combinations 40] [--rounds 6] [--keep <folder>]
 *
 * With `--keep` the filled store is kept in that folder for the next run. The seeded store has no interactions and no active scores: follow-up dates
 * are set on one record of 50, and conditions on scores match nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { newId } from '../apps/api/src/lib/ids.ts'
import { seededNumbers } from '../apps/api/src/lib/seeded-numbers.ts'
import { permissionsOf } from '../apps/api/src/rooms/identity/permissions.ts'
import { compileConditions } from '../apps/api/src/rooms/prospect-list/conditions/compile-conditions.ts'
import { type Condition, conditionsSchema } from '../apps/api/src/rooms/prospect-list/conditions/conditions.schema.ts'
import { directSource, orders } from '../apps/api/src/rooms/prospect-list/list/list-plan.ts'
import { openConnection } from '../apps/api/src/store/engine/connection.ts'
import { kyselyOver } from '../apps/api/src/store/engine/kysely-over.ts'
import { STORE_FILE } from '../apps/api/src/store/store.ts'
import { countOption, some } from './figures.ts'
import { storeOf } from './kept-store.ts'
import { median, processorTimeOf } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { rareTag, rareWord } from './sample-data.ts'
import { startApi } from './servers.ts'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    combinations: { type: 'string', default: '40' },
    rounds: { type: 'string', default: '6' },
    keep: { type: 'string' },
  },
})
const rows = countOption(options, 'rows')
const rounds = countOption(options, 'rounds')

/** A list that one index serves is quick enough within this time. Any other list, with its exact total, is quick enough within `TOTAL_MS`. */
const AIM_MS = 100
const TOTAL_MS = 300
/** Time after which the API does not reuse a count, with a margin. Rounds are at least this far apart. */
const COUNT_AGE_MS = 1_100

/** Returns conditions with every field and operator once. */
function everyOperator(people: readonly string[]): Condition[] {
  const [one = '', two = ''] = people.slice(1)
  const of = (field: string, op: string, ...values: unknown[]) => ({ field, op, values })
  const optional = (field: string, ...values: unknown[]) => [
    of(field, 'any_of', values[0]),
    of(field, 'any_of', ...values),
    of(field, 'none_of', values[0]),
    of(field, 'is_empty'),
    of(field, 'is_not_empty'),
  ]
  const text = (field: string, part: string, ...values: unknown[]) => [
    ...optional(field, ...values),
    of(field, 'contains', part),
  ]
  return conditionsOf([
    of('q', 'contains', 'plumbing'),
    of('q', 'contains', rareWord),
    of('state', 'any_of', 'won'),
    of('state', 'any_of', 'won', 'lost'),
    of('state', 'none_of', 'new'),
    ...optional('assignee', one, two),
    ...optional('province', 'NC', 'WC'),
    ...optional('tag', 'tender', rareTag),
    of('tag', 'any_of', rareTag),
    ...(['doNotContact', 'hasEvidence'] as const).flatMap((field) => [
      of(field, 'any_of', true),
      of(field, 'none_of', true),
    ]),
    ...(['updatedAt', 'createdAt'] as const).flatMap((field) => [
      of(field, 'between', '2025-03-01T00:00:00.000Z', '2025-04-01T00:00:00.000Z'),
      of(field, 'within_days', 400),
    ]),
    ...text('city', 'town', 'Springbok', 'Paarl'),
    of('city', 'any_of', 'Nowhere'),
    of('city', 'contains', 'nowhere'),
    ...text('industry', 'services', 'Energy', 'Mining'),
    ...text('sourceLabel', 'visit', 'Site visit', 'A list'),
    of('sourceLabel', 'contains', 'nowhere'),
    of('identifiers', 'any_of', 'registrationNumber'),
    of('identifiers', 'none_of', 'registrationNumber'),
    of('identifiers', 'none_of', 'email', 'phone'),
    of('followUp', 'any_of', 'overdue'),
    of('followUp', 'any_of', 'today', 'this_week'),
    of('followUp', 'between', '2026-11-01', null),
    of('followUp', 'is_empty'),
    of('followUp', 'is_not_empty'),
    of('review', 'any_of', 'unreviewed'),
    of('review', 'any_of', 'due', 'verified'),
    of('review', 'none_of', 'verified'),
    of('priority', 'any_of', 'high'),
    of('reachable', 'any_of', 'high'),
    of('eligibility', 'any_of', 'eligible'),
    of('score', 'between', 60, null),
  ])
}

function conditionsOf(all: unknown[]): Condition[] {
  return all.flatMap((one) => conditionsSchema.parse([one]))
}

/** Returns random combinations of two or three conditions on different fields. */
function combine(all: readonly Condition[], many: number): Condition[][] {
  const random = seededNumbers(20_261_126)
  const scored = new Set<Condition['field']>(['priority', 'reachable', 'eligibility', 'score'])
  const usable = all.filter(({ field }) => !scored.has(field))
  return Array.from({ length: many }, (_, index) => {
    const size = 2 + (index % 2)
    const chosen: Condition[] = []
    while (chosen.length < size) {
      const next = usable[Math.floor(random() * usable.length)]
      if (next !== undefined && chosen.every(({ field }) => field !== next.field)) chosen.push(next)
    }
    return chosen
  })
}

function nameOf(conditions: readonly Condition[], people: readonly string[]): string {
  const shown = (value: unknown) => (people.includes(String(value)) ? 'person' : String(value).slice(0, 10))
  return conditions.map(({ field, op, values }) => [field, op, values.map(shown).join(',')].join(' ').trim()).join('; ')
}

/** Sets follow-up dates around today on one record of 50, as the interactions of the records would. */
function addFollowUps(dataDir: string): void {
  const connection = openConnection(join(dataDir, STORE_FILE))
  connection.exec(`UPDATE businesses SET last_interaction_at = updated_at, follow_up_on = date('now', (docid / 50 % 60 - 30) || ' days')
    WHERE docid % 50 = 0 AND follow_up_on IS NULL`)
  connection.pragma('wal_checkpoint(TRUNCATE)')
  connection.close()
}

/** Returns for each combination whether a list of it is read directly, along one index. Other lists are read by the background thread. */
async function areDirect(dataDir: string, userId: string, all: readonly Condition[][]): Promise<boolean[]> {
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  const db = kyselyOver(connection)
  const { tenant_id: tenantId } = await db
    .selectFrom('memberships')
    .select('tenant_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const permissions = permissionsOf('administrator')
  const actor = { kind: 'user', userId, tenantId, correlationId: newId(), permissions } as const
  const context = { scores: undefined, now: new Date() }
  const direct: boolean[] = []
  for (const conditions of all) {
    const { filter } = await compileConditions({ reader: db, backgroundOf: () => db }, actor, conditions, context)
    direct.push(directSource(filter, orders['-updatedAt']) !== undefined)
  }
  connection.close()
  return direct
}

const answered = z.object({
  page: z.object({ returned: z.number(), total: z.object({ value: z.number() }).nullable() }),
})

const home = options.keep ?? mkdtempSync(join(tmpdir(), 'prospect-bench-'))
try {
  console.log(describeMachine())
  const { dataDir, seeded } = await storeOf(home, rows)
  addFollowUps(dataDir)
  const single = everyOperator(seeded.people).map((one) => [one])
  const all = [...single, ...combine(single.flat(), countOption(options, 'combinations'))]
  const direct = await areDirect(dataDir, seeded.people[0] ?? '', all)
  const api = await startApi(dataDir)
  try {
    const { headers } = await api.signIn(seeded)
    const ask = async (conditions: readonly Condition[]) => {
      const query = new URLSearchParams({ limit: '50', conditions: JSON.stringify(conditions) })
      const usedBefore = processorTimeOf(api.pid)
      const started = performance.now()
      const response = await fetch(`http://127.0.0.1:${api.port}/api/v1/businesses?${query}`, { headers })
      const text = await response.text()
      const tookMs = performance.now() - started
      const usedMs = (processorTimeOf(api.pid) - usedBefore) / 1000
      if (response.status !== 200) return { tookMs, usedMs, found: String(response.status) }
      const { returned, total } = answered.parse(JSON.parse(text)).page
      return { tookMs, usedMs, found: total === null ? `${returned} of many` : String(total.value) }
    }
    await api.untilQuiet()
    const { found: listed } = await ask([])
    some(Number.parseInt(listed, 10), 'prospects in the list')
    await api.longestStall()
    const times = all.map((): number[] => [])
    const used = all.map((): number[] => [])
    const found: string[] = []
    for (let round = 0; round < rounds; round++) {
      const started = performance.now()
      for (const [at, conditions] of all.entries()) {
        const answer = await ask(conditions)
        times[at]?.push(answer.tookMs)
        used[at]?.push(answer.usedMs)
        found[at] = answer.found
      }
      await wait(Math.max(0, COUNT_AGE_MS - (performance.now() - started)))
    }
    const stall = await api.longestStall()
    const results = all.map((conditions, at) => {
      const own = times[at] ?? []
      const isDirect = direct[at] === true
      const ms = median(own)
      const cpuMs = median(used[at] ?? [])
      const isMet = ms <= (isDirect ? AIM_MS : TOTAL_MS) && /^\d+$/.test(found[at] ?? '') && found[at] !== '503'
      return {
        name: nameOf(conditions, seeded.people),
        isDirect,
        ms,
        worst: Math.max(...own),
        cpuMs,
        isMet,
        found: found[at] ?? '',
      }
    })
    console.log(
      table(
        ['conditions', 'read', 'ms p50', 'worst', 'CPU ms p50', '', 'found'],
        results.map(({ name, isDirect, ms, worst, cpuMs, isMet, found: many }) => [
          name,
          isDirect ? 'direct' : 'background',
          ms.toFixed(1),
          worst.toFixed(0),
          cpuMs.toFixed(1),
          verdict(isMet),
          many,
        ]),
      ),
    )
    for (const [what, part] of [
      ['one condition', results.slice(0, single.length)],
      ['two or three', results.slice(single.length)],
    ] as const) {
      const times = part.map(({ ms }) => ms)
      const slowest = Math.max(...times)
      const background = part.filter(({ isDirect }) => !isDirect).length
      const quick = times.filter((ms) => ms <= AIM_MS).length
      const missed = part.filter(({ isMet }) => !isMet).length
      console.log(
        `${what}: ${part.length} filters, median ${median(times).toFixed(1)} ms (${median(part.map(({ cpuMs }) => cpuMs)).toFixed(1)} ms of processor time), slowest ${slowest.toFixed(0)} ms, ${background} read in the background, ${quick} within ${AIM_MS} ms, ${missed} missed`,
      )
    }
    console.log(
      `longest stall ${stall.stalledMs.toFixed(0)} ms (${stall.computedMs.toFixed(0)} ms of computing), load after ${loadavg()[0]?.toFixed(1)}`,
    )
  } finally {
    await api.stop()
  }
} finally {
  if (options.keep === undefined) rmSync(home, { recursive: true, force: true })
}
