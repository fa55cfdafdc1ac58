/**
 * Measures the server time of one row of a CSV file that becomes a prospect, as the screen sends it: the next rows of the preview, the checks of the
 * form against records and the do-not-contact list, the prospect with a tag and an assignee, its follow-up, and its observation. Processor time of the
 * API, without and with the background work that the prospects cause, and the time of the requests.
 *
 * node bench/csv-rows.ts [--records 10000] [--rows 400] [--warm-up 100]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { countOption } from './figures.ts'
import { median, percentile, processorSecondsOf } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { seed } from './seed.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000' },
    rows: { type: 'string', default: '400' },
    'warm-up': { type: 'string', default: '100' },
  },
})
const rows = countOption(values, 'rows')
const warmUp = countOption(values, 'warm-up')
const AIM_MS = 30
/** Number of rows that the screen reads at once. */
const ROWS_AT_ONCE = 20

const rowPage = z.object({ items: z.array(z.object({ cells: z.array(z.string()) })) })
const created = z.object({ id: z.string(), version: z.int() })
const session = z.object({ user: z.object({ id: z.string() }) })

/** Every row has its own phone, email address and domain, so that no cache helps. */
function csvOf(count: number): string {
  const lines = Array.from({ length: count }, (_, row) => {
    const domain = `sutherland-${row}.co.za`
    return `Sutherland Joinery ${row} (Pty) Ltd,+2783${1_000_000 + row},desk@${domain},www.${domain},Upington`
  })
  return `name,phone,email,domain,city\n${lines.join('\n')}\n`
}

const home = mkdtempSync(join(tmpdir(), 'prospect-bench-csv-rows-'))
try {
  process.stdout.write(describeMachine())
  const seeded = await seed({ dataDir: home, rows: countOption(values, 'records') })
  const api = await startApi(home, { isFree: true })
  const base = `http://127.0.0.1:${api.port}/api/v1`
  try {
    const { headers } = await api.signIn(seeded)
    const ask = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
      const isText = typeof body === 'string'
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: { ...headers, 'content-type': isText ? 'text/csv' : 'application/json', ...more },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
      return answer.json()
    }
    const assigneeId = session.parse(await ask('GET', '/session')).user.id
    // A live entry, so that the gate checks every contact value.
    const entry = { kind: 'domain', value: 'kagiso-77.co.za', reason: 'A bench.', channel: 'email' }
    await ask('POST', '/suppressions', { ...entry, scope: 'with_subdomains' })
    const preview = z.object({ id: z.string() }).parse(await ask('POST', '/csv-previews', csvOf(warmUp + rows)))
    const followUpOn = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)

    /** Sends the requests of one row, as the screen does. */
    async function workRow(after: number): Promise<void> {
      const read = await ask('GET', `/csv-previews/${preview.id}/rows?after=${after}&limit=${ROWS_AT_ONCE}`)
      const [name = '', phone = '', email = '', domain = '', city = ''] = rowPage.parse(read).items[0]?.cells ?? []
      const contacts = { emails: [{ value: email }], phones: [{ value: phone }], domains: [{ value: domain }] }
      await ask('POST', '/businesses/duplicate-checks', {
        name,
        emails: [email],
        phones: [{ value: phone }],
        domains: [domain],
      })
      const kinds = Object.entries({ email, phone, domain }).map(([kind, value]) => ({ kind, value }))
      await ask('POST', '/suppressions/checks', { values: kinds })
      const body = { name, ...contacts, address: { city }, tags: ['Expo 2026'], assigneeId }
      const made = created.parse(await ask('POST', '/businesses', body))
      await ask('PUT', `/businesses/${made.id}/follow-up`, { followUpOn }, { 'if-match': `"${made.version}"` })
      await ask('POST', `/businesses/${made.id}/evidence`, {
        observation: name,
        sourceLabel: 'CSV file joiners.csv (5a5a5a5a)',
        capturedAt: new Date().toISOString(),
        confidence: 'low',
      })
    }

    for (let row = 0; row < warmUp; row++) await workRow(row)
    await api.untilQuiet()
    const before = processorSecondsOf(api.pid)
    const times: number[] = []
    for (let row = 0; row < rows; row++) {
      const at = performance.now()
      await workRow(warmUp + row)
      times.push(performance.now() - at)
    }
    const worked = processorSecondsOf(api.pid)
    await api.untilQuiet()
    const quiet = processorSecondsOf(api.pid)
    const msOf = (seconds: number) => (seconds * 1_000) / rows
    const rowMs = msOf(worked - before)
    process.stdout.write(
      table(
        [`${rows} rows`, 'ms a row', 'aim', ''],
        [
          ['processor time until the last answer', rowMs.toFixed(1), `≤ ${AIM_MS}`, verdict(rowMs <= AIM_MS)],
          ['processor time with all background work', msOf(quiet - before).toFixed(1), '', ''],
          ['requests one after the other, median', median(times).toFixed(1), '', ''],
          ['requests one after the other, p95', percentile(times, 0.95).toFixed(1), '', ''],
        ],
      ),
    )
  } finally {
    await api.stop()
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
