/**
 * Measures the reader of values (`valuesIn`): megabytes per second on text; the time for hostile text of twice the length; and how often the gate would
 * match a text that does not name a suppressed value. Each cell of a CSV file and each line of another file is a text.
 *
 * npm run bench:values -- [--texts <folder>] [--entries 100000]
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { entryKey, entryKeysFor, recordKeysOf } from '../apps/api/src/rooms/contact-gate/contact-gate.ts'
import { normalizeIdentifier, valuesIn } from '../apps/api/src/rooms/normalization/normalization.ts'
import { countOption } from './figures.ts'
import { median } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'

const { values } = parseArgs({
  options: { texts: { type: 'string', default: 'docs' }, entries: { type: 'string', default: '100000' } },
})
const entryCount = countOption(values, 'entries')
const aims = { megabytes: 5, doubling: 2.5, falseHits: 1 }
const ROUNDS = 5

console.log(describeMachine())
const files = filesIn(values.texts)
measureSpeed()
measureHostile()
measureFalseHits()

type TextFile = { name: string; content: string; texts: string[] }

function filesIn(folder: string): TextFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:csv|csv\.gz|html|md|txt)$/.test(name) && statSync(join(folder, name)).isFile())
    .map((name) => {
      const bytes = readFileSync(join(folder, name))
      const content = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
      const lines = content.split(/\r?\n/)
      const isTable = /\.csv(?:\.gz)?$/.test(name)
      return {
        name,
        content,
        texts: isTable ? lines.flatMap((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)) : lines,
      }
    })
}

/** Runs a task several times. Returns the median of the milliseconds of this process. */
function milliseconds(task: () => void): number {
  return median(
    Array.from({ length: ROUNDS }, () => {
      const before = process.cpuUsage()
      task()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}

function measureSpeed(): void {
  const text = files
    .map(({ content }) => content.slice(0, 500_000))
    .join('\n')
    .slice(0, 4_000_000)
  valuesIn(text)
  const rate = Buffer.byteLength(text) / 1_000 / milliseconds(() => valuesIn(text))
  const line = ['text of these files', rate.toFixed(1), `≥ ${aims.megabytes}`, verdict(rate >= aims.megabytes)]
  console.log(table(['valuesIn', 'MB/s', 'aim', ''], [line]))
}

/** Texts that an unbounded or a quadratic reader takes long for. NFKC makes some of them 18 times longer. */
function measureHostile(): void {
  const expanding = ['㌖', 'ﷺ', '…', '⁗', '㏂', '\u0301', '\u200b']
  const repeated = [
    'a',
    '@',
    'a@',
    'a.',
    ' at ',
    'a at b dot ',
    '1',
    '1 ',
    '+1 ',
    '00 ',
    '082 ',
    '%40',
    '%2540',
    'a\n',
    '[at]',
    '1-1/1 ',
  ]
  const lines = [...expanding, ...repeated].map((part) => {
    const timeFor = (length: number) => {
      const text = part.repeat(length / part.length)
      return milliseconds(() => valuesIn(text))
    }
    timeFor(20_000)
    const [once, twice] = [timeFor(200_000), timeFor(400_000)]
    const ratio = twice / Math.max(once, 1)
    return [
      JSON.stringify(part),
      once.toFixed(0),
      ratio.toFixed(2),
      `≤ ${aims.doubling}`,
      verdict(ratio <= aims.doubling),
    ]
  })
  console.log(table(['200,000 characters of', 'ms', 'twice the length', 'aim', ''], lines))
}

/** Counts texts with a key of random entries: numbers of South African networks, addresses and domains. No text names one of them. */
function measureFalseHits(): void {
  const entries = new Set(Array.from({ length: entryCount }, (_, index) => randomEntry(index)))
  // A text that is the number of an entry and nothing else is no false hit.
  for (const { texts } of files) for (const text of texts) entries.delete(keyOfNumber(text))
  const numbers = new Set<string>()
  const lines = files.map(({ name, texts }) => {
    let [count, hits] = [0, 0]
    for (const value of texts.filter((text) => text.trim() !== '')) {
      count += 1
      const keys = recordKeysOf({ kind: 'domain', value })
      for (const key of keys) if (key.startsWith('p:+27')) numbers.add(key)
      if (keys.flatMap(entryKeysFor).some((key) => entries.has(key))) hits += 1
    }
    return { name, count, hits }
  })
  const count = lines.reduce((sum, line) => sum + line.count, 0)
  const hits = lines.reduce((sum, line) => sum + line.hits, 0)
  const rate = (hits / count) * 100_000
  const row = (name: string, texts: number, found: number) => [
    name,
    texts.toLocaleString('en'),
    found.toLocaleString('en'),
  ]
  console.log(
    table(
      ['texts of', 'texts', 'false hits'],
      [...lines.map((line) => row(line.name, line.count, line.hits)), row('all', count, hits)],
    ),
  )
  console.log(
    `${rate.toFixed(2)} false hits per 100,000 texts against ${entries.size.toLocaleString('en')} entries (aim < ${aims.falseHits}: ${verdict(rate < aims.falseHits)}). The texts have ${numbers.size.toLocaleString('en')} different readings as South African numbers, those of whole texts included.`,
  )
}

function keyOfNumber(text: string): string {
  return `p:${normalizeIdentifier('phone', text, 'ZA').normalized}`
}

function randomEntry(index: number): string {
  const digits = String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')
  const name = Array.from({ length: 8 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')
  const networks = [
    '11',
    '12',
    '21',
    '31',
    '41',
    '51',
    '60',
    '61',
    '71',
    '72',
    '73',
    '74',
    '76',
    '78',
    '79',
    '81',
    '82',
    '83',
    '84',
  ]
  if (index % 3 === 0) return entryKey('phone', `+27${networks[index % networks.length]}${digits}`, 'exact')
  if (index % 3 === 1) return entryKey('email', `info@${name}.co.za`, 'exact')
  return entryKey('domain', `${name}.co.za`, 'exact')
}
