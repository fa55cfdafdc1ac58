import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createProspect } from '../../../../test/prospects.ts'
import { upkeepOf } from '../../../../test/upkeep.ts'
import { openConnection } from '../../../store/engine/connection.ts'
import { STORE_FILE } from '../../../store/store.ts'
import { followSuppressions } from '../candidates/suppression-follower.ts'
import { contactWorld } from './contact-world.ts'

/*
 * Tests the settled point "Suppressed values" of the specification: whatever the page, an extraction adds no suppressed value to any table, file,
 * response, event or log. The suppression entries hold the values themselves, so that tables are compared before and after.
 */

const RUNS = 25

/** Spellings of the suppressed values. Their secret parts occur nowhere else. */
const suppressed = [
  'quagga@karoo.co.za',
  'QUAGGA+x@Karoo.co.za',
  '&#113;uagga&#64;karoo.co.za',
  'qua<b>gga</b>@karoo.co.za',
  'qua\u00adgga@karoo\u200b.co.za',
  'quagga [at] karoo [dot] co.za',
  'anna.springbok@springbok.co.za',
  'info@mail.springbok.co.za',
  '082 765 4321',
  '+27 82 765 4321',
  '0027 82 765 4321',
  '(082) 765-4321',
  '082\u00a0765\u00a04321',
]
const secret = /quagga|springbok/
const secretDigits = /827654321/

const others = [
  'desk@karoo.co.za',
  'navrae@karoo.co.za',
  'piet@gmail.com',
  'anna@hantam.co.za',
  '021 555 0105',
  'Kerk St 1',
]

/** Places of a page in which a value occurs, together with another value. */
const places: readonly ((value: string, other: string) => string)[] = [
  (value, other) => `<p>Write to ${value} or ${other}</p>`,
  (value, other) => `<p>${other}, ${value}</p>`,
  (value, other) => `<p>desk@karoo.co.za${value}</p><p>${other}</p>`,
  (value, other) => `<p>${value}/${other}</p>`,
  (value, other) => `<h2>Office ${value}</h2><p>${other}</p>`,
  (value, other) => `<a href="mailto:${value}">${other}</a>`,
  (value, other) => `<a href="mailto:${other}?cc=${value}&body=${encodeURIComponent(value)}">Mail</a>`,
  (value, other) => `<a href="tel:${value}">${other}</a> <a href="https://wa.me/27827654321">${other}</a>`,
  (value, other) => `<a href="https://karoo.co.za/to/${value}?tel=0827654321">${other}</a>`,
  (value, other) => `<p hidden>${value}</p><p>${other}</p>`,
  (value, other) => `<q>${value} ${other}</q><pre>${value} ${other}</pre>`,
  (value, other) => `<article class="post"><h2>${value}</h2>${other}</article>`,
  (value, other) => `<p>Website by ${value} and ${other}</p>`,
  (value, other) => `<div class="h-card"><p class="u-email">${value}</p><p class="p-tel">${other}</p></div>`,
  (value, other) =>
    `<div itemscope><meta itemprop="email" content="${value}"><span itemprop="telephone">${other}</span></div>`,
  (value, other) =>
    `<script type="application/ld+json">{"@type":"Store","name":"${value}","email":"${value}","telephone":"${other}"}</script>`,
  (value, other) => `<script>const mail = '${value}'</script><!-- ${value} ${other} -->`,
  (value, other) => `<img src="/${value}.png" alt="${value}"><p>${other}</p>`,
  (value, other) => `<table><tr><td>${value}<td>${other}</table>`,
  (value, other) => `<select><option>${value}<option>${other}</select><label>${value}<input value="${value}"></label>`,
]

const part = fc
  .record({
    place: fc.constantFrom(...places),
    value: fc.constantFrom(...suppressed),
    other: fc.constantFrom(...others, ...suppressed),
  })
  .map(({ place, value, other }) => place(value, other))
const pageOf = fc
  .record({
    title: fc.constantFrom('Contact us', ...suppressed.map((value) => `Contact us at ${value}`)),
    heading: fc.constantFrom('Contact us', ...suppressed.map((value) => `Contact ${value}`)),
    path: fc.constantFrom(
      '/contact',
      '/contact/quagga@karoo.co.za?tel=0827654321',
      '/contact?mail=info@springbok.co.za',
    ),
    parts: fc.array(part, { minLength: 1, maxLength: 8 }),
  })
  .map(({ title, heading, path, parts }) => ({
    html: `<title>${title}</title><h1>${heading}</h1>${parts.join('\n')}`,
    url: `https://karoo.co.za${path}`,
  }))

/** True if a text holds a suppressed value in any spelling of it. */
function holds(text: string): boolean {
  const lower = text.normalize('NFKC').toLowerCase()
  return secret.test(lower) || secretDigits.test(lower.replace(/[\s().\u00a0-]/g, ''))
}

/** The number of rows of each table that hold a suppressed value. */
function rowsIn(dataDir: string): Record<string, number> {
  const connection = openConnection(join(dataDir, STORE_FILE), { readonly: true })
  const tables = connection.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all().map(String)
  const counts = tables.map((name): [string, number] => {
    const rows = connection.prepare<[], unknown[]>(`SELECT * FROM "${name}"`).raw().all()
    const texts = rows.map((row) =>
      row.map((one) => (Buffer.isBuffer(one) ? one.toString('utf8') : `${one}`)).join('\n'),
    )
    return [name, texts.filter(holds).length]
  })
  connection.close()
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** The files of a data folder that hold a suppressed value, except the database itself, of which every row is compared. */
function filesIn(dataDir: string): string[] {
  return readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== STORE_FILE)
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => holds(readFileSync(file, 'utf8')))
    .map((file) => relative(dataDir, file))
}

/** Empties the write-ahead log, so that it holds afterwards what is written from then on. */
async function emptyLog(dataDir: string): Promise<void> {
  const connection = openConnection(join(dataDir, STORE_FILE))
  await expect.poll(() => connection.pragma('wal_checkpoint(TRUNCATE)')).toEqual([{ busy: 0, log: 0, checkpointed: 0 }])
  connection.close()
}

test('whatever the page, an extraction adds no suppressed value to a table, file, response, event or log', {
  timeout: 60_000,
}, async () => {
  const { t, operator, manager, administrator, approve, supply, request, ended, suppress } = await contactWorld({
    limits: { extractionsPerDay: 500 },
  })
  const { dataDir } = t.store
  await suppress('email', 'quagga@karoo.co.za')
  await suppress('domain', 'springbok.co.za')
  await suppress('phone', '+27827654321')
  const found = new Set<string>()
  const answersOf = async (id: string, businessId: string, jobId: string) => {
    const lists = [
      `/extractions?businessId=${businessId}`,
      `/contact-candidates?businessId=${businessId}&limit=200`,
      `/businesses/${businessId}/activity`,
      `/scans?businessId=${businessId}`,
    ]
    const paths = [...lists, `/extractions/${id}`, `/jobs/${jobId}`, `/jobs/${jobId}/events`]
    const answers = await Promise.all(paths.map((path) => operator.get(path)))
    const audited = await administrator.get('/audit-events?limit=50')
    expect([...answers, audited].map(({ status }) => status)).toEqual(Array(8).fill(200))
    return [...answers, audited].map(({ body }) => JSON.stringify(body))
  }
  const property = fc.asyncProperty(pageOf, async ({ html, url }) => {
    const { id: businessId } = await createProspect(operator, { name: 'Karoo', domains: [{ value: 'karoo.co.za' }] })
    await approve(businessId)
    const logged = t.logged().length
    const before = rowsIn(dataDir)
    await emptyLog(dataDir)
    const scanId = await supply(html, { url }, businessId)
    const { body, status } = await request([scanId], businessId)
    expect(status).toBe(202)
    await ended(body.jobId ?? '')
    await followSuppressions(t.store)
    await upkeepOf('contacts', t.store)
    expect(rowsIn(dataDir)).toEqual(before)
    expect(filesIn(dataDir)).toEqual([])
    const answers = await answersOf(body.id, businessId, body.jobId ?? '')
    expect(answers.filter(holds)).toEqual([])
    expect(holds(t.logged().slice(logged))).toBe(false)
    const { body: read } = await operator.get<{ state: string; counts: Record<string, number> }>(
      `/extractions/${body.id}`,
    )
    found.add(read.state)
    for (const [name, count] of Object.entries(read.counts)) if (count > 0) found.add(name)
  })
  // Without shrinking, because the rows of a failed run are in the store of the next one.
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true })
  expect([...found]).toEqual(expect.arrayContaining(['complete', 'open', 'quarantined', 'suppressed', 'excluded']))
  expect((await manager.get('/extraction/readiness')).body).toMatchObject({ state: 'enabled', failures: [] })
})
