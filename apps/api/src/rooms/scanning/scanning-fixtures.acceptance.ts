import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, textAt } from '../../acceptance/acceptance-client.ts'
import type { Check, OwnWorld } from '../../acceptance/gates.ts'
import { pageHead } from '../../acceptance/page-head.ts'
import { DAY_MS, daysAfter } from '../../lib/clock.ts'
import { runUpkeep } from '../run-upkeep.ts'
import { parseBounds, retentionBounds, storedBounds } from './bounds.ts'
import type { Scan } from './scans/scans.schema.ts'
import { emptyDueScans } from './upkeep/empty-scans.ts'

/*
 * The fixtures of pages that Phase 15 §7 requires. Each runs in a temporary store of the acceptance run's own process, with a clock of its own and without
 * a network. Redirects and unsafe addresses belong to the transport, which the repository's tests cover.
 */

const fixtures: readonly { name: string; run(own: OwnWorld): Promise<string> }[] = [
  {
    name: 'the text behind styles and scripts is read, and a page without text states nothing missing',
    run: wholeText,
  },
  { name: 'the facts of a page are emptied at the end of their retention', run: retention },
  { name: 'a page that reaches a limit is incomplete and names the limit', run: limits },
  { name: 'suppression is asked before the facts of a page are stored or shown', run: suppression },
]

/** The fixtures as checks of Phase 8. */
export const fixtureChecks: readonly Check[] = fixtures.map(({ name, run }) => ({
  name: `fixtures of pages: ${name}`,
  run: ({ inProcess }) => inProcess(run),
}))

const BOUNDARY = 'page-of-a-fixture'
const key = () => ({ 'idempotency-key': randomUUID() })
const text = '<p>We build fences of steel for farms in the Karoo, and we repair them.</p>'

async function supplier({ client, store }: OwnWorld) {
  const prospect = { name: 'Karoo Fencing', domains: [{ value: 'karoo.co.za' }] }
  const created = expectStatus(await client.post('/businesses', prospect, key()), 201, 'a prospect')
  const path = `/businesses/${textAt(created.body, 'id')}/supplied-pages`
  const send = (html: string, url = 'https://karoo.co.za/contact') => {
    const capturedAt = daysAfter(store.clock(), -1)
    const fields = [
      `Content-Disposition: form-data; name="page"; filename="page.html"\r\nContent-Type: text/html\r\n\r\n<!doctype html>${pageHead}${html}`,
      ...Object.entries({ url, role: 'contact', capturedAt }).map(
        ([name, value]) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`,
      ),
    ]
    return client.send('POST', path, {
      text: `${fields.map((field) => `--${BOUNDARY}\r\n${field}\r\n`).join('')}--${BOUNDARY}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, ...key() },
    })
  }
  const supply = async (html: string, url?: string) =>
    expectStatus(await send(html, url), 201, 'a supplied page').body as Scan
  return { send, supply }
}

async function wholeText(own: OwnWorld): Promise<string> {
  const { supply } = await supplier(own)
  const readBack = async (html: string) => (await supply(html)).pages[0]
  const whole = await readBack(`<h1>Karoo Fencing</h1>${text}`)
  expectThat(whole?.class === 'content', `A page with text is of class ${whole?.class}.`)
  expectThat(whole?.facts?.repeats.name === 'yes', 'The name in the text of a page was not found.')
  expectThat(whole?.facts?.repeats.mailDomain === 'no', 'A fact that is not on a page is not reported as missing.')
  const scripted = await readBack('<div id="app"></div>')
  expectThat(scripted?.class === 'needs_script', `A page without text is of class ${scripted?.class}.`)
  expectThat(
    scripted?.facts?.repeats.name === 'not_known',
    'A page whose text was not read states that a fact is missing.',
  )
  return 'The name was found behind styles and scripts; of a page that needs scripts nothing is reported as missing.'
}

async function retention(own: OwnWorld): Promise<string> {
  const { supply } = await supplier(own)
  const { id } = await supply(`<title>Karoo Fencing</title>${text}`)
  const read = async () => expectStatus(await own.client.get(`/scans/${id}`), 200, 'the scan').body as Scan
  await own.advance((retentionBounds.default - 1) * DAY_MS)
  await runUpkeep(own, [emptyDueScans])
  expectThat((await read()).emptiedAt === null, 'Facts were emptied before the end of their retention.')
  await own.advance(2 * DAY_MS)
  await runUpkeep(own, [emptyDueScans])
  const scan = await read()
  const isEmptied = scan.emptiedAt !== null && scan.url === null && scan.pages.every(({ facts }) => facts === null)
  expectThat(isEmptied, 'Facts stay after the end of their retention.')
  expectThat(scan.state === 'complete' && scan.endedAt !== null, 'State and times of the scan are gone too.')
  return `Address and facts were emptied after ${retentionBounds.default} days; state and times stay.`
}

async function limits(own: OwnWorld): Promise<string> {
  const { send, supply } = await supplier(own)
  const expectReached = async (reason: Scan['reasons'][number], html: string) => {
    const { state, reasons } = await supply(html)
    const isNamed = state === 'incomplete' && reasons.includes(reason)
    expectThat(isNamed, `${reason}: the scan is ${state} (${reasons.join(', ')}).`)
  }
  await expectReached('node_limit', text + '<br>'.repeat(parseBounds.nodes + 1))
  await expectReached('depth_limit', text + '<div>'.repeat(parseBounds.nesting + 1))
  await expectReached('decoded_limit', text + 'x'.repeat(4_500_000))
  const tooLarge = await send('x'.repeat(storedBounds.suppliedBytes + 1))
  expectRefusal(tooLarge, 413, 'too_large', 'a page above the limit of a file')
  return 'Limits of nodes, nesting and bytes were reached and named; a larger file was refused.'
}

async function suppression(own: OwnWorld): Promise<string> {
  const { supply } = await supplier(own)
  const entry = { kind: 'email', value: 'quagga@karoo.co.za', reason: 'A fixture.', channel: 'email' }
  expectStatus(await own.client.post('/suppressions', entry, key()), 201, 'an entry')
  const scan = await supply(
    `<title>Write to quagga@karoo.co.za</title>${text}<p>quagga@karoo.co.za</p>`,
    'https://karoo.co.za/contact/quagga@karoo.co.za',
  )
  expectThat(!JSON.stringify(scan).includes('quagga'), 'A suppressed value is in the response.')
  const read = expectStatus(await own.client.get('/scans'), 200, 'the scans')
  expectThat(!read.text.includes('quagga'), 'A suppressed value is in the list.')
  for (const table of ['scans', 'scan_results', 'scan_pages', 'scan_hops'] as const) {
    const rows = JSON.stringify(await own.store.reader.selectFrom(table).selectAll().execute())
    expectThat(!rows.includes('quagga'), `A suppressed value was stored in ${table}.`)
  }
  return 'A suppressed value in the title, text and address of a page is in no table and no response.'
}
