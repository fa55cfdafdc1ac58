import { expectStatus, expectThat, textAt } from '../../acceptance/acceptance-client.ts'
import type { Check, OwnWorld } from '../../acceptance/gates.ts'
import { bytesOf, sitePages } from '../../acceptance/site-pages/site-pages.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { dnsStatuses } from '../domains/domains.ts'
import { runUpkeep } from '../run-upkeep.ts'
import { heldContentOf } from '../scanning/scanning.ts'
import { candidateBounds } from './bounds.ts'
import type { ContactCandidate } from './candidates/candidates.schema.ts'
import { followSuppressions } from './candidates/suppression-follower.ts'
import { quarantineRules } from './contacts.table.ts'
import { excludedRules, protectedRules } from './reading/found-values.ts'
import { excludedExamples, protectedExamples, quarantineExamples } from './reading/rule-examples.data.ts'
import type { ExtractionReason } from './reasons.ts'
import { expectEnd, key, reason, type SiteOfFixtures, siteOfFixtures } from './site-of-fixtures.acceptance.ts'
import { expireCandidates, expireCandidatesOfSites } from './upkeep/expire-candidates.ts'

/*
 * The fixtures of official sites that Phase 15 §7 requires. Each runs in a temporary store of the acceptance run's own process, with a clock of its own
 * and without a network.
 */

const fixtures: readonly { name: string; run(own: OwnWorld): Promise<string> }[] = [
  { name: 'candidates have their provenance, confidence, role label and free-mail label', run: labels },
  { name: 'syntax failures are labelled and quarantined', run: syntaxFailures },
  { name: 'every MX status is shown by name and lowers no other label', run: mxStatuses },
  {
    name: 'false positives are excluded, uncertain values quarantined, and protected values never decoded',
    run: rules,
  },
  { name: 'a reached limit makes the result unknown, and it says what was not read', run: limits },
  { name: 'an extraction that cannot run names its reason', run: deferrals },
  { name: 'candidates are emptied at the end of their retention, with their site, and by an erasure', run: retention },
  { name: 'suppression is asked before persistence, response and export', run: suppression },
  { name: 'ten pages of site builders are read as a person reads them', run: pagesOfBuilders },
]

/** The fixtures as checks of Phase 9. */
export const fixtureChecks: readonly Check[] = fixtures.map(({ name, run }) => ({
  name: `fixtures of official sites: ${name}`,
  run: ({ inProcess }) => inProcess(run),
}))

/** The start of a page that states nothing itself. */
const head = '<h1>Contact</h1>'

async function labels(own: OwnWorld): Promise<string> {
  const { enable, extract, list } = await siteOfFixtures(own)
  await enable()
  const page =
    '<title>Contact us</title><h1>Contact us</h1><p>info@karoo.co.za</p><p>anna@gmail.com</p><p>021 555 0105</p>'
  expectEnd(await extract(page), 'complete')
  const seen = (await list()).map(({ value, state, isRole, isFreeMail, confidence, sightings: [first] }) => {
    expectThat(first?.pageUrl === 'https://karoo.co.za/contact', `${value} does not name its page.`)
    expectThat(first?.method === 'text' && first?.observedAt !== '', `${value} has no method or time.`)
    expectThat(first?.context?.includes(String(value)) === true, `${value} has no context.`)
    return [value, state, isRole, isFreeMail, confidence.level].join(' ')
  })
  const wanted = [
    '021 555 0105 open false false medium',
    'anna@gmail.com open false true medium',
    'info@karoo.co.za open true false high',
  ]
  expectThat(seen.toSorted().join() === wanted.join(), `The labels are ${seen.join('; ')}.`)
  return `${seen.length} candidates name page, method, time and context, with independent labels.`
}

async function syntaxFailures(own: OwnWorld): Promise<string> {
  const { enable, extract, list } = await siteOfFixtures(own)
  await enable()
  const page =
    '<h1>Contact</h1><p>info@karoo.co.za</p><p>o\'brien@karoo.co.za</p><a href="mailto:a..b@karoo.co.za">Mail</a>'
  await extract(page)
  const seen = (await list()).map(({ value, syntax, state }) => `${value} ${syntax} ${state}`)
  const wanted = [
    'a..b@karoo.co.za invalid quarantined',
    'info@karoo.co.za valid open',
    "o'brien@karoo.co.za unusual open",
  ]
  expectThat(seen.toSorted().join() === wanted.join(), `The syntax labels are ${seen.join('; ')}.`)
  return 'Valid, unusual and invalid syntax were labelled, and the invalid address is quarantined.'
}

async function mxStatuses(own: OwnWorld): Promise<string> {
  const { enable, extract, list } = await siteOfFixtures(own)
  await enable()
  const hostOf = (status: string) => `${status.replace('_', '-')}.karoo.co.za`
  await extract(`<h1>Contact</h1>${dnsStatuses.map((status) => `<p>desk@${hostOf(status)}</p>`).join('')}`)
  const labelsOf = async () => {
    const items = await list()
    return new Map(items.map(({ value, mx, ...labels }) => [value, { mx: mx?.status, labels: labelsIn(labels) }]))
  }
  const before = await labelsOf()
  for (const status of dnsStatuses) if (status !== 'not_checked') await recordMx(own, hostOf(status), status)
  const after = await labelsOf()
  for (const status of dnsStatuses) {
    const value = `desk@${hostOf(status)}`
    expectThat(after.get(value)?.mx === status, `The MX status ${status} is shown as ${after.get(value)?.mx}.`)
    const isSame = after.get(value)?.labels === before.get(value)?.labels
    expectThat(isSame, `The MX status ${status} changed another label.`)
  }
  return `${dnsStatuses.join(', ')} were shown by name; no other label changed.`
}

const labelsIn = ({ state, rule, syntax, confidence, isRole, isFreeMail }: Omit<ContactCandidate, 'value' | 'mx'>) =>
  JSON.stringify([state, rule, syntax, confidence, isRole, isFreeMail])

/** Records an MX answer. `pending` is the status of a question that was not answered yet, which no person records. */
async function recordMx({ client, store }: OwnWorld, name: string, status: (typeof dnsStatuses)[number]) {
  const observation = {
    name,
    kind: 'MX',
    status: status === 'pending' ? 'timeout' : status,
    records: status === 'resolved' ? [{ kind: 'MX', exchange: `mail.${name}`, preference: 10, ttl: 300 }] : [],
    source: 'dig',
    observedAt: store.clock().toISOString(),
    ...(status === 'blocked' ? { errorReason: 'name_forbidden' } : {}),
    ...(status === 'error' ? { errorReason: 'malformed' } : {}),
  }
  expectStatus(await client.post('/dns-observations', observation, key()), 201, `an MX answer (${status})`)
  if (status !== 'pending') return
  await store.write('upkeep', async (db) => {
    const row = await db.selectFrom('dns_observations').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
    const job = await db.selectFrom('jobs').select('id').executeTakeFirstOrThrow()
    await db
      .insertInto('dns_observations')
      .values({ ...row, id: newId(), status: 'pending', observed_at: null, job_id: job.id })
      .execute()
    return { keep: true, value: undefined }
  })
}

async function rules(own: OwnWorld): Promise<string> {
  const { enable, extract, list } = await siteOfFixtures(own)
  await enable({ extractionsPerDay: 500 })
  for (const rule of excludedRules) {
    const { counts } = await extract(head + excludedExamples[rule])
    const isExcluded = counts.byRule[rule] === 1 && counts.open + counts.quarantined + counts.known === 0
    expectThat(isExcluded, `${rule}: ${JSON.stringify(counts)}.`)
  }
  for (const rule of protectedRules) {
    const { counts } = await extract(head + protectedExamples[rule])
    expectThat(counts.protected === 1 && counts.open === 0, `${rule}: ${JSON.stringify(counts)}.`)
  }
  expectThat((await list()).length === 0, 'A text that is no value became a candidate.')
  for (const rule of quarantineRules) {
    const { counts } = await extract(head + quarantineExamples[rule].html)
    expectThat((counts.byRule[rule] ?? 0) > 0, `${rule}: ${JSON.stringify(counts)}.`)
  }
  return `${excludedRules.length} kinds of texts were excluded, ${protectedRules.length} protected and ${quarantineRules.length} quarantined, each by its rule.`
}

async function limits(own: OwnWorld): Promise<string> {
  const { enable, disable, extract, supply, request, list } = await siteOfFixtures(own)
  await enable({ pages: 1, candidates: 2, extractionsPerDay: 2 })
  const three = '<h1>Contact</h1><p>a@karoo.co.za</p><p>b@karoo.co.za</p><p>c@karoo.co.za</p>'
  const limited = await extract(three, [three, { url: 'https://karoo.co.za/about', role: 'about' }])
  expectEnd(limited, 'unknown', 'page_limit', 'candidate_limit')
  const [notRead] = limited.notRead
  expectThat(notRead?.url === 'https://karoo.co.za/about', 'The page that was not read is not named.')
  expectThat((await list()).length === 2, 'More candidates were stored than the limit allows.')
  await extract(three)
  expectEnd((await request(await supply(three))).extraction, 'deferred', 'out_of_budget')
  await disable()
  await enable({ candidates: 200 })
  const many = (from: number) =>
    `<h1>Contact</h1>${Array.from({ length: 100 }, (_, at) => `<p>p${from + at}@karoo.co.za</p>`).join('')}`
  const first = await extract(many(0))
  expectThat(first.counts.byRule.value_limit === 50, 'The 51st value of a page is not quarantined.')
  await extract(many(100))
  expectEnd(await extract(many(200)), 'deferred', 'out_of_budget')
  expectThat((await list()).length === candidateBounds.openOfBusiness, 'A prospect has too many undecided candidates.')
  const nested = `<h1>Contact</h1>${'<div>'.repeat(600)}<p>z@karoo.co.za</p>`
  const deep = await extract(nested)
  expectThat(deep.state !== 'complete', 'A page with too many levels was read as a whole.')
  return 'Limits of pages, candidates, values of a page, undecided candidates and extractions of a day were reached and named.'
}

type Asked = Pick<SiteOfFixtures, 'supply' | 'request'>

async function deferrals(own: OwnWorld): Promise<string> {
  const page = '<h1>Contact</h1><p>a@karoo.co.za</p>'
  const named: string[] = []
  const { enable, supply, request, businessId } = await siteOfFixtures(own)
  const expectDeferred = async (why: ExtractionReason, of: Asked, supplied?: string) => {
    const scanId = supplied ?? (await of.supply(page))
    if (why === 'content_gone') heldContentOf(own.store).releaseScans([scanId])
    const { status, extraction } = await of.request(scanId)
    expectEnd(extraction, why === 'do_not_contact' ? 'blocked' : 'deferred', why)
    expectThat(status === 201 && extraction.jobId === null, `${why}: a job was created.`)
    named.push(why)
  }
  const site = { supply, request }
  await expectDeferred('disabled', site)
  await enable({ extractionsPerDay: 1 }, 10)
  await expectDeferred('content_gone', site)
  await expectDeferred('site_not_approved', await siteOfFixtures(own, { host: 'hantam.co.za', days: 0 }))
  const brief = await siteOfFixtures(own, { host: 'overberg.co.za', days: 1 })
  await own.advance(2 * DAY_MS)
  await expectDeferred('site_expired', brief)
  await request(await supply(page))
  await own.jobsEnded()
  await expectDeferred('out_of_budget', site)
  await own.advance(9 * DAY_MS)
  await expectDeferred('enablement_lapsed', site)
  await enable()
  const scanId = await supply(page)
  expectStatus(await own.client.post(`/businesses/${businessId}/do-not-contact`, { reason }, key()), 200, 'a block')
  await expectDeferred('do_not_contact', site, scanId)
  return `${named.join(', ')} were named before the start, each without a job.`
}

async function retention(own: OwnWorld): Promise<string> {
  const { businessId, withdraw, enable, extract, list } = await siteOfFixtures(own)
  await enable({ retentionDays: 30 })
  const page = (local: string) => `<h1>Contact</h1><p>${local}@karoo.co.za</p><p hidden>x${local}@karoo.co.za</p>`
  const expectEmptied = async (after: string, count: number) => {
    await keepUp(own)
    const items = await list('&state=expired')
    const isEmptied = items.every(({ value, normalized, sightings }) =>
      [value, normalized, ...sightings.map(({ context, pageUrl }) => context ?? pageUrl)].every((one) => one === null),
    )
    expectThat(items.length === count && isEmptied, `After ${after}, ${items.length} candidates are emptied.`)
    expectThat(
      items.some(({ rule, sightings: [first] }) => rule === 'hidden' && first?.method === 'text'),
      'Rule and method are gone too.',
    )
  }
  await extract(page('a'))
  await own.advance(29 * DAY_MS)
  await keepUp(own)
  expectThat((await list('&state=open')).length === 1, 'A candidate was emptied before the end of its retention.')
  await own.advance(2 * DAY_MS)
  await expectEmptied('the retention period', 2)
  await extract(page('b'))
  await withdraw()
  await expectEmptied('the withdrawal of the site', 4)
  const other = await siteOfFixtures(own, { host: 'hantam.co.za' })
  await own.client.post('/extraction/enablement', { enabled: false, reason }, key())
  await enable()
  await other.extract('<h1>Contact</h1><p>c@hantam.co.za</p>')
  const erasure = await own.client.post(`/businesses/${other.businessId}/erasure`, { reason }, key())
  expectThat(erasure.status < 300, `The erasure was answered with ${erasure.status}.`)
  const left = (await list(`&businessId=${other.businessId}`)).filter(({ value }) => value !== null)
  expectThat(left.length === 0, 'An erasure left a value.')
  expectThat(
    (await list(`&businessId=${businessId}&state=expired`)).length === 4,
    'An erasure emptied another prospect.',
  )
  return 'Values, contexts and addresses were emptied after 30 days, with the approval of the site, and by an erasure; rules, methods and times stay.'
}

async function suppression(own: OwnWorld): Promise<string> {
  const { enable, extract, read, list, suppress } = await siteOfFixtures(own)
  await enable()
  await suppress('email', 'quagga@karoo.co.za')
  const page = `<title>Contact quagga@karoo.co.za</title><h1>Contact</h1><p>Write to quagga@karoo.co.za or desk@karoo.co.za</p><p>zebra@karoo.co.za</p>`
  const first = await extract(page)
  expectThat(first.counts.suppressed === 1, 'A suppressed value was not counted.')
  for (const table of ['contact_candidate_states', 'contact_sightings', 'extraction_results'] as const) {
    const rows = JSON.stringify(await own.store.reader.selectFrom(table).selectAll().execute())
    expectThat(!rows.includes('quagga'), `A suppressed value was stored in ${table}.`)
  }
  await suppress('email', 'zebra@karoo.co.za')
  const shown = JSON.stringify([await list(), await read(first.id)])
  expectThat(!/quagga|zebra/.test(shown), 'A suppressed value is in a response.')
  await keepUp(own)
  const states = JSON.stringify(await own.store.reader.selectFrom('contact_candidate_states').selectAll().execute())
  expectThat(!states.includes('zebra'), 'A candidate was not emptied after the entry.')
  const [desk] = await list('&state=open')
  const accepted = { decision: 'accept', fingerprint: desk?.fingerprint, addToRecord: true }
  const path = `/contact-candidates/${desk?.id}/decision`
  expectStatus(await own.client.post(path, accepted, key()), 200, 'a decision')
  await suppress('email', 'desk@karoo.co.za')
  const asked = { source: 'prospects', format: 'jsonl', suppressed: 'leave_out' }
  const { body } = expectStatus(await own.client.post('/exports', asked, key()), 201, 'an export')
  await own.jobsEnded()
  const content = expectStatus(await own.client.get(`/exports/${textAt(body, 'id')}/content`), 200, 'its content')
  expectThat(!/quagga|zebra|desk@/.test(content.text), 'A suppressed value is in an export.')
  return 'A suppressed value was stored in no table; a later entry hid and emptied a candidate; an export has none of the values.'
}

/** Supplies each page and extracts from it, each for a prospect of its own. */
async function pagesOfBuilders(own: OwnWorld): Promise<string> {
  let found = 0
  for (const [at, page] of sitePages.entries()) {
    const { record, url, role, contentType, builder } = page
    const { name, registrationNumber, domain, street } = record
    const site = await siteOfFixtures(own, {
      host: domain,
      record: { name, registrationNumber, address: { street } },
    })
    if (at === 0) await site.enable({ extractionsPerDay: sitePages.length })
    const scan = await site.supplyPage([await bytesOf(page), { url, role, contentType }])
    const [read] = scan.pages
    const { phone: _, ...repeats } = read?.facts?.repeats ?? {}
    const facts = {
      class: read?.class,
      suspected: read?.suspected,
      title: read?.facts?.title,
      repeats,
      state: scan.state,
    }
    expectSame(`the facts of the page of ${builder}`, facts, {
      class: 'content',
      suspected: [],
      title: page.title,
      repeats: page.repeats,
      state: 'complete',
    })
    const { extraction } = await site.request(scan.id)
    await own.jobsEnded()
    const { state, counts } = await site.read(extraction.id)
    expectThat(state === 'complete', `The extraction from the page of ${builder} is ${state}.`)
    const candidates = await site.list(`&businessId=${site.businessId}`)
    found += candidates.length
    expectSame(
      `the candidates of the page of ${builder}`,
      candidates.map(lineOf).toSorted(),
      page.candidates.toSorted(),
    )
    const excluded = Object.entries(counts.byRule).filter(([rule]) => excludedRules.some((one) => one === rule))
    expectSame(`the excluded texts of the page of ${builder}`, Object.fromEntries(excluded.toSorted()), {
      ...Object.fromEntries(Object.entries(page.excluded).toSorted()),
    })
    const hidden = Object.values(page.protected).reduce((sum, count) => sum + count, 0)
    expectSame(`the protected values of the page of ${builder}`, counts.protected, hidden)
  }
  return `${sitePages.length} pages: titles and facts, ${found} candidates, and the excluded texts are what a person reads.`
}

function lineOf({ kind, value, normalized, state, rule, isRole, isFreeMail }: ContactCandidate): string {
  const labels = [...(isRole ? ['role'] : []), ...(isFreeMail ? ['free mail'] : [])]
  return [kind, normalized ?? value, state, ...(rule === null ? [] : [rule]), ...labels].join(' ')
}

function expectSame(what: string, found: unknown, wanted: unknown): void {
  const [seen, expected] = [JSON.stringify(found), JSON.stringify(wanted)]
  expectThat(seen === expected, `Of ${what}, ${seen} was read instead of ${expected}.`)
}

/** Runs the follower and the upkeep tasks of the room once, as a running service does every few seconds. */
async function keepUp(own: OwnWorld): Promise<void> {
  await followSuppressions(own.store)
  await runUpkeep(own, [expireCandidates, expireCandidatesOfSites])
}
