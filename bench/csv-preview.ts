/**
 * The CSV preview over HTTP, with all checks on: megabytes a second and of processor time, memory over idle for a small and a large file,
 * and what the API's other answers take meanwhile. Every row has a phone, an e-mail address and a domain of its own, so that no cache helps.
 *
 *   node bench/csv-preview.ts [--megabytes 95] [--rows 10000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { memoryOf, processorTimeOf, startDriver } from './processes.ts'
import { describeMachine, table } from './report.ts'
import { seed } from './seed.ts'
import { startApi } from './servers.ts'

const previewed = z.object({ totals: z.object({ rows: z.int() }) })

const { values } = parseArgs({
  options: { megabytes: { type: 'string', default: '95' }, rows: { type: 'string', default: '10000' } },
})
const largest = Number(values.megabytes) * 1_000_000

function* csvOf(bytes: number): Generator<Uint8Array<ArrayBuffer>> {
  let left = bytes
  let row = 0
  let lines = 'name,phone,email,domain,address,city,remarks\n'
  while (left > 0) {
    while (lines.length < 65_536) {
      row += 1
      const number = String(1_000_000 + (row % 9_000_000))
      lines += `Kagiso Precision ${row} (Pty) Ltd,+2782${number},info@kagiso-${row}.co.za,www.kagiso-${row}.co.za,${row} Voortrekker Road,Upington,called once about a quotation\n`
    }
    const chunk = new TextEncoder().encode(lines)
    lines = ''
    left -= chunk.length
    yield chunk
  }
}

const home = mkdtempSync(join(tmpdir(), 'prospect-bench-csv-'))
const driver = startDriver()
try {
  console.log(describeMachine())
  const seeded = await seed({ dataDir: home, rows: Number(values.rows) })
  const api = await startApi(home)
  try {
    const { headers } = await api.signIn(seeded)
    const list = (seconds: number) =>
      driver.run({
        port: api.port,
        connections: 1,
        seconds,
        headers,
        method: 'GET',
        paths: ['/api/v1/businesses?sort=-updatedAt&limit=50'],
      })
    await list(1)
    const lines: string[][] = []
    for (const bytes of [largest / 8, largest]) {
      const idle = await list(3)
      const before = { memory: memoryOf(api.pid).nowMb, processor: processorTimeOf(api.pid), at: performance.now() }
      const file = new Blob([...csvOf(bytes)])
      const sentAt = performance.now()
      const answer = fetch(`http://127.0.0.1:${api.port}/api/v1/csv-previews`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body: file,
      }).then(async (response) => ({
        status: response.status,
        body: previewed.parse(await response.json()),
        at: performance.now(),
      }))
      const busy = await list(3)
      const { status, body, at } = await answer
      if (status !== 201) throw new Error(`The preview answered ${status}.`)
      const seconds = (at - sentAt) / 1_000
      lines.push([
        `${(file.size / 1e6).toFixed(0)} MB, ${body.totals.rows} rows`,
        (file.size / 1e6 / seconds).toFixed(1),
        ((processorTimeOf(api.pid) - before.processor) / 1e6).toFixed(1),
        `${(memoryOf(api.pid).peakMb - before.memory).toFixed(0)}`,
        `${idle.p99.toFixed(1)} / ${busy.p99.toFixed(1)} (${(busy.p99 / idle.p99).toFixed(2)})`,
      ])
    }
    console.log(table(['', 'MB/s', 'processor s', 'peak MB over idle', 'p99 ms idle / meanwhile'], lines))
  } finally {
    await api.stop()
  }
} finally {
  driver.stop()
  rmSync(home, { recursive: true, force: true })
}
