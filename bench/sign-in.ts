/**
 * Measures whether the time of a refused sign-in reveals which accounts exist: known and unknown accounts alternate, each attempt from its own
 * address, so that no limit is reached. Prints the ratio of the medians, which should be 1.
 *
 * node bench/sign-in.ts [--rounds 300]
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../apps/api/src/lib/clock.ts'
import { createTenant, createUser } from '../apps/api/src/rooms/identity/identity.ts'
import { migrations } from '../apps/api/src/rooms/migrations.ts'
import { openStore } from '../apps/api/src/store/store.ts'
import { BenchmarkError, countOption } from './figures.ts'
import { median, percentile } from './processes.ts'
import { describeMachine, table } from './report.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '300' } } })
const rounds = countOption(values, 'rounds')
if (rounds > 5_000) throw new BenchmarkError('--rounds is a number from 1 to 5000.')

const KNOWN_ACCOUNTS = 50
const WARM_UP = 20
const PASSWORD = 'not the right words at all'

const dataDir = mkdtempSync(join(tmpdir(), 'prospect-bench-sign-in-'))
try {
  await addAccounts()
  const api = await startApi(dataDir, { env: { TRUST_PROXY: '127.0.0.1' } })
  try {
    await api.untilQuiet()
    await report(api.port)
  } finally {
    await api.stop()
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function addAccounts(): Promise<void> {
  const store = openStore({ migrations, dataDir, clock: systemClock })
  const tenantId = await createTenant(store, 'sample data', { name: 'Bench', timeZone: 'Africa/Johannesburg' })
  for (let i = 0; i < KNOWN_ACCOUNTS; i++) {
    const person = { email: `person-${i}@example.com`, name: `Person ${i}`, role: 'viewer' as const }
    await createUser(store, 'sample data', { tenantId, ...person, password: 'correct horse battery staple 42' })
  }
  await store.close()
}

async function report(port: number): Promise<void> {
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let i = 0; i < rounds + WARM_UP; i++) {
    const who = i % KNOWN_ACCOUNTS
    const known = await attempt(port, `person-${who}@example.com`, 2 * i)
    const unknown = await attempt(port, `nobody-${who}@example.com`, 2 * i + 1)
    if (i < WARM_UP) continue
    times.known.push(known)
    times.unknown.push(unknown)
  }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  process.stdout.write(describeMachine())
  process.stdout.write(
    table(
      ['refused sign-in', 'median ms', 'spread ms (5 to 95 %)'],
      [
        ['known account', known.toFixed(2), spreadOf(times.known)],
        ['unknown account', unknown.toFixed(2), spreadOf(times.unknown)],
      ],
    ),
  )
  process.stdout.write(`ratio of medians, known to unknown: ${(known / unknown).toFixed(3)}\n`)
}

async function attempt(port: number, email: string, number: number): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'x-forwarded-for': `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
  }
  const started = performance.now()
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/session`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  await answer.arrayBuffer()
  const took = performance.now() - started
  if (answer.status !== 401) throw new Error(`A refused sign-in answered ${answer.status}.`)
  return took
}

function spreadOf(times: readonly number[]): string {
  return `${percentile(times, 0.05).toFixed(2)} to ${percentile(times, 0.95).toFixed(2)}`
}
