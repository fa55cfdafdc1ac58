/**
 * Measures the CSV preview over HTTP with all checks: megabytes per second and per second of processor time while the job reads, the ratio to
 * csv-parse alone in the same run, memory above idle for a large file and one ten times as large, the time of other responses of the API in the
 * meantime, and the time of a small file. Every row has its own phone, email address and domain, so that no cache helps; the tenant has records and a
 * suppression entry.
 *
 * node bench/csv-preview.ts [--megabytes 130] [--huge 1300] [--rows 10000] [--small 20]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { parse } from 'csv-parse'
import { z } from 'zod'
import { countOption, ratioToRest } from './figures.ts'
import { median, memoryOf, processorSecondsOf, startDriver } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'
import { seed } from './seed.ts'
import { startApi } from './servers.ts'

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '130' },
    huge: { type: 'string', default: '1300' },
    rows: { type: 'string', default: '10000' },
    small: { type: 'string', default: '20' },
  },
})
const large = countOption(values, 'megabytes') * 1_000_000
const huge = countOption(values, 'huge') * 1_000_000
const aims = { megabytesPerSecond: 20, memoryMb: 100, p99Ratio: 2 }
/** Number of bytes that csv-parse alone reads for the ratio. */
const ALONE_BYTES = 20_000_000
const SMALL_BYTES = 100_000
const LOOK_EVERY_MS = 100

const reading = z.object({
  status: z.enum(['reading', 'ready', 'failed']),
  id: z.string(),
  jobId: z.string().nullish(),
})
const job = z.object({ startedAt: z.string().nullable(), endedAt: z.string().nullable() })
const ended = z.object({ startedAt: z.string(), endedAt: z.string() })

function* csvOf(bytes: number, isQuoted: boolean): Generator<Uint8Array<ArrayBuffer>> {
  let left = bytes
  let row = 0
  let lines = 'name,phone,email,domain,address,city,remarks\n'
  const remarks = isQuoted ? '"called once, about a ""quotation"""' : 'called once about a quotation'
  while (left > 0) {
    while (lines.length < 65_536) {
      row += 1
      const number = String(1_000_000 + (row % 9_000_000))
      lines += `Kagiso Precision ${row} (Pty) Ltd,+2782${number},info@kagiso-${row}.co.za,www.kagiso-${row}.co.za,${row} Voortrekker Road,Upington,${remarks}\n`
    }
    const chunk = new TextEncoder().encode(lines)
    lines = ''
    left -= chunk.length
    yield chunk
  }
}

/** Returns the megabytes that csv-parse reads per second of processor time, without any check. */
async function megabytesOfParserAlone(isQuoted: boolean): Promise<number> {
  const chunks = [...csvOf(ALONE_BYTES, isQuoted)]
  const before = process.cpuUsage()
  const parser = parse({ on_record: () => null })
  await pipeline(
    Readable.from(chunks),
    parser,
    new Writable({ objectMode: true, write: (_row, _encoding, done) => done() }),
  )
  const { user, system } = process.cpuUsage(before)
  return ALONE_BYTES / (user + system)
}

const home = mkdtempSync(join(tmpdir(), 'prospect-bench-csv-'))
const driver = startDriver()
try {
  process.stdout.write(describeMachine())
  const seeded = await seed({ dataDir: home, rows: countOption(values, 'rows') })
  // The API may use both cores, because a thread parses the file while the event loop serves requests.
  const api = await startApi(home, { env: { CSV_MAX_MEGABYTES: '2000' }, isFree: true })
  const base = `http://127.0.0.1:${api.port}/api/v1`
  try {
    const { headers } = await api.signIn(seeded)
    // Add a live suppression entry, so that the gate checks every contact value of the file.
    const entry = {
      kind: 'domain',
      value: 'kagiso-77.co.za',
      scope: 'with_subdomains',
      reason: 'A bench.',
      channel: 'email',
    }
    const suppressed = await fetch(`${base}/suppressions`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(entry),
    })
    if (!suppressed.ok) throw new Error(`The entry was refused: ${await suppressed.text()}`)
    const list = (seconds: number) =>
      driver.run({
        port: api.port,
        connections: 1,
        seconds,
        headers,
        method: 'GET',
        paths: ['/api/v1/businesses?sort=-updatedAt&limit=50'],
      })
    const send = async (body: AsyncIterable<Uint8Array> | Uint8Array<ArrayBuffer>) => {
      const answer = await fetch(`${base}/csv-previews`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body: body instanceof Uint8Array ? body : ReadableStream.from(body),
        duplex: 'half',
      })
      if (!answer.ok) throw new Error(`The preview answered ${answer.status}: ${await answer.text()}`)
      return reading.parse(await answer.json())
    }

    await api.untilQuiet()
    // Measure the idle memory before the first file, because the process does not return all memory afterwards.
    const idleMb = memoryOf(api.pid).nowMb

    const jobOf = async (jobId: string | null | undefined) =>
      job.parse(await (await fetch(`${base}/jobs/${jobId}`, { headers })).json())

    /** Sends a file and waits until its job has ended. The memory peak covers the upload and the reading. */
    async function preview(bytes: number, isQuoted: boolean) {
      await delay(1_000)
      let peakMb = idleMb
      const look = () => {
        peakMb = Math.max(peakMb, memoryOf(api.pid).nowMb)
      }
      const looks = setInterval(look, LOOK_EVERY_MS)
      const sentAt = performance.now()
      const { id, jobId } = await send(
        (async function* () {
          yield* csvOf(bytes, isQuoted)
        })(),
      )
      const receivedAt = performance.now()
      const processorBefore = processorSecondsOf(api.pid)
      for (;;) {
        const { status } = reading.parse(await (await fetch(`${base}/csv-previews/${id}`, { headers })).json())
        if (status === 'failed') throw new Error('The file was not read.')
        // The preview is ready shortly before its job has ended.
        if (status === 'ready' && (await jobOf(jobId)).endedAt !== null) break
        await delay(LOOK_EVERY_MS)
      }
      clearInterval(looks)
      const processor = processorSecondsOf(api.pid) - processorBefore
      const { startedAt, endedAt } = ended.parse(await jobOf(jobId))
      const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000
      return { seconds, receiveSeconds: (receivedAt - sentAt) / 1_000, processor, overIdleMb: peakMb - idleMb }
    }

    const alone = { false: await megabytesOfParserAlone(false), true: await megabytesOfParserAlone(true) }
    const lines: string[][] = []
    for (const [name, bytes, isQuoted] of [
      ['plain', large, false],
      ['a quoted cell in each row', large, true],
      ['plain', huge, false],
    ] as const) {
      const { seconds, receiveSeconds, processor, overIdleMb } = await preview(bytes, isQuoted)
      const megabytes = bytes / 1e6
      lines.push([
        `${megabytes} MB, ${name}`,
        (megabytes / receiveSeconds).toFixed(0),
        (megabytes / seconds).toFixed(1),
        (megabytes / processor).toFixed(1),
        (megabytes / processor / alone[`${isQuoted}`]).toFixed(2),
        `≥ ${aims.megabytesPerSecond}`,
        verdict(megabytes / processor >= aims.megabytesPerSecond),
        overIdleMb.toFixed(0),
        `≤ ${aims.memoryMb}`,
        verdict(overIdleMb <= aims.memoryMb),
        loadavg()[0]?.toFixed(1) ?? '',
      ])
    }
    const headings = [
      '',
      'received MB/s',
      'read MB/s',
      'MB a processor second',
      'of csv-parse alone',
      'aim',
      '',
      'MB over idle',
      'aim',
      '',
      'load',
    ]
    process.stdout.write(table(headings, lines))

    await list(1)
    const p99s = { atRest: [] as number[], underLoad: [] as number[] }
    const percentiles: string[][] = []
    for (let round = 1; round <= 3; round++) {
      await api.untilQuiet()
      const idle = await list(3)
      const one = preview(large, false)
      // Wait until the upload has ended, because only the reading of the file is measured.
      await delay(2_500)
      await api.longestStall()
      const busy = await list(3)
      const stall = await api.longestStall()
      await one
      p99s.atRest.push(idle.p99)
      p99s.underLoad.push(busy.p99)
      percentiles.push([
        `${round}`,
        idle.p50.toFixed(2),
        busy.p50.toFixed(2),
        idle.p99.toFixed(2),
        busy.p99.toFixed(2),
        (busy.p99 / idle.p99).toFixed(2),
        stall.stalledMs.toFixed(0),
        stall.computedMs.toFixed(0),
      ])
    }
    process.stdout.write(
      table(
        [
          'a list meanwhile',
          'p50 ms idle',
          'meanwhile',
          'p99 ms idle',
          'meanwhile',
          'ratio',
          'longest stall ms',
          'computed',
        ],
        percentiles,
      ),
    )
    const ratio = ratioToRest('a list', { underLoad: median(p99s.underLoad), atRest: median(p99s.atRest) })
    process.stdout.write(
      `ratio of the medians ${ratio.toFixed(2)} (aim < ${aims.p99Ratio}): ${verdict(ratio < aims.p99Ratio)}\n`,
    )

    const small = Buffer.concat([...csvOf(SMALL_BYTES, false)])
    const times: number[] = []
    for (let n = 0; n <= countOption(values, 'small'); n++) {
      const at = performance.now()
      await send(new Uint8Array(small))
      times.push(performance.now() - at)
    }
    const [first = 0, ...next] = times
    process.stdout.write(
      `a small file of ${small.length} bytes: the first ${first.toFixed(0)} ms, the next ${median(next).toFixed(0)} ms at the median\n`,
    )
  } finally {
    await api.stop()
  }
} finally {
  driver.stop()
  rmSync(home, { recursive: true, force: true })
}
