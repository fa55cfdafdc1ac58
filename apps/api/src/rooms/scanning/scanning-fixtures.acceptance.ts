import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, textAt } from '../../acceptance/acceptance-client.ts'
import type { Check, OwnWorld } from '../../acceptance/gates.ts'
import { pageHead } from '../../acceptance/page-head.ts'
import { DAY_MS, daysAfter } from '../../lib/clock.ts'
import { runUpkeep } from '../run-upkeep.ts'
import { parseBounds, retentionBounds, storedBounds } from './bounds.ts'
import type { Scan } from './scans/scans.schema.ts'
import { failed, type Answer as ScriptedAnswer, webAdapter, webContract } from './scripted-web.acceptance.ts'
import { emptyDueScans } from './upkeep/empty-scans.ts'
import { queueScanReevaluation } from './upkeep/queue-reevaluation.ts'

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
export const fixtureChecks: readonly Check[] = [
  ...fixtures.map(
    ({ name, run }): Check => ({ name: `fixtures of pages: ${name}`, run: ({ inProcess }) => inProcess(run) }),
  ),
  {
    name: 'fixtures of pages: only a complete scan is fresh and answers again, until a newer block, a policy or its end',
    run: ({ inProcess }) => {
      const site = new Map<string, ScriptedAnswer>()
      const { adapter } = webAdapter((url) => site.get(url))
      return inProcess((own) => freshness(own, site), { file: { sha256: '0'.repeat(64) }, items: [adapter] })
    },
  },
]

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

const START = 'https://karoo.co.za/'
const reason = 'A fixture of the acceptance run.'

/** Proposes a source of web pages, has it approved by its three desks, and enables it. */
async function enableWebSource({ client, colleague, join, store }: OwnWorld): Promise<void> {
  const inDays = (days: number) => daysAfter(store.clock(), days)
  const desks = { product: await join('manager'), legal: await join('manager'), security: await join('manager') }
  const members = Object.fromEntries(Object.entries(desks).map(([desk, { userId }]) => [desk, [userId]]))
  const set = await client.send('PUT', '/source-desks', { body: members, headers: { 'if-match': '"0"' } })
  expectStatus(set, 200, 'the desks')
  const terms = { ownerId: desks.product.userId, reference: 'Agreement', reviewDueOn: inDays(300).slice(0, 10) }
  const contract = {
    rawRetention: 'days_180',
    health: { failureRatio: 0.2, latencyMs: 2_000 },
    circuit: { failureRatio: 0.5, consecutiveFailures: 3, latencyMs: 4_000, closeAfterSuccesses: 2 },
    ...webContract,
    terms,
  }
  const proposal = { slug: 'pages', name: 'Pages', adapter: { id: 'fixture', version: '1.0.0' }, contract }
  const { body } = expectStatus(await colleague.post('/sources', proposal), 201, 'a source')
  const path = `/sources/${textAt(body, 'id')}`
  const fingerprint = async () => textAt(expectStatus(await client.get(path), 200, 'the source').body, 'fingerprint')
  for (const [desk, { client: member }] of Object.entries(desks)) {
    const decision = { desk, decision: 'approve', fingerprint: await fingerprint(), reason, endsAt: inDays(300) }
    expectStatus(await member.post(`${path}/approvals`, decision), 200, `the approval of ${desk}`)
  }
  const enabled = { fingerprint: await fingerprint(), reason, endsAt: inDays(60) }
  expectStatus(await client.post(`${path}/enablement`, enabled), 200, 'the enablement')
}

async function freshness(own: OwnWorld, site: Map<string, ScriptedAnswer>): Promise<string> {
  const { client, colleague } = own
  await enableWebSource(own)
  const prospect = { name: 'Karoo Fencing', domains: [{ value: 'karoo.co.za' }] }
  const businessId = textAt(
    expectStatus(await client.post('/businesses', prospect, key()), 201, 'a prospect').body,
    'id',
  )
  const ask = (more: object = {}) => colleague.post('/scans', { businessId, url: START, ...more }, key())
  const read = async (id: string) => expectStatus(await client.get(`/scans/${id}`), 200, 'the scan').body as Scan
  const scan = async (answer: ScriptedAnswer) => {
    site.set(START, answer)
    const asked = expectStatus(await ask({ bypassCache: true }), 202, 'a request').body as Scan
    await own.jobsEnded()
    return read(asked.id)
  }
  const expectHit = async (wanted: string | null, after: string) => {
    const { status, body } = await ask()
    const hit = status === 200 ? textAt(body, 'id') : null
    await own.jobsEnded()
    expectThat(
      hit === wanted,
      `After ${after}, a request is answered with ${hit ?? 'no scan'} instead of ${wanted ?? 'none'}.`,
    )
    return body as Scan
  }
  const expectStale = ({ state, freshness: shown, expiresAt, endedAt, cacheStatus }: Scan, wanted: Scan['state']) => {
    const isOver = state === wanted && shown === 'stale' && expiresAt === endedAt && cacheStatus !== 'hit'
    expectThat(isOver, `A scan that should be ${wanted} and stale is ${state} and ${shown} until ${expiresAt}.`)
  }
  const home = `<title>Karoo Fencing</title>${text}`
  expectStale(await scan(failed('connection_failed')), 'incomplete')
  expectStale(await scan(failed('unsafe_address', { address: '10.0.0.1', verdict: 'denied' })), 'blocked')
  site.set(START, home)
  await expectHit(null, 'scans that ended as incomplete and blocked')
  const whole = await scan(home)
  expectThat(whole.state === 'complete' && whole.freshness === 'fresh', `A complete scan is ${whole.freshness}.`)
  await expectHit(whole.id, 'a complete scan')
  await scan(failed('connection_failed'))
  await expectHit(whole.id, 'a newer scan that failed')
  await scan(failed('rebinding', { verdict: 'denied' }))
  site.set(START, home)
  await expectHit(null, 'a newer scan that was blocked')
  const second = await scan(home)
  const policy = { bounds: { pages: 2 }, retentionDays: 90 }
  const proposed = expectStatus(await colleague.post('/scan-policies', policy), 201, 'a scan policy').body
  const approved = await client.post(`/scan-policies/${textAt(proposed, 'id')}/approval`, { reason })
  expectStatus(approved, 200, 'the approval of the policy')
  const judged = await read(second.id)
  expectThat(judged.freshness === 'policy_changed', `After another policy, a scan is ${judged.freshness}.`)
  await expectHit(null, 'another policy')
  await runUpkeep(own, [queueScanReevaluation])
  await own.jobsEnded()
  const { requestedAt, deleteAfter } = await read(second.id)
  const days = (Date.parse(deleteAfter ?? '') - Date.parse(requestedAt)) / DAY_MS
  expectThat(days === policy.retentionDays, `After another policy, the contents of a scan stay for ${days} days.`)
  const third = await scan(home)
  expectStatus(await client.post(`/businesses/${businessId}/do-not-contact`, { reason }, key()), 200, 'a block')
  const { reasons } = await expectHit(third.id, 'the block of the prospect')
  expectThat(reasons.includes('do_not_contact'), 'The hit of a prospect that is do not contact does not say so.')
  await own.advance(31 * DAY_MS)
  const ended = await read(third.id)
  expectThat(ended.freshness === 'stale', `A scan is ${ended.freshness} after 31 days.`)
  return 'Failed and blocked scans expired at once; a complete one was a hit until a newer block and until another policy; a hit named the block of its prospect.'
}
