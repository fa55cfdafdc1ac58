import { randomUUID } from 'node:crypto'
import { expectRefusal, expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'
import { pageHead } from '../../acceptance/page-head.ts'
import { daysAfter } from '../../lib/clock.ts'
import { fixtureChecks } from './scanning-fixtures.acceptance.ts'

export const gates: readonly Gate[] = [
  {
    phase: 8,
    liveClaim: {
      shown:
        'Supplied pages, plans and budgets were tried; redirects and unsafe addresses are covered by the repository’s tests.',
      notShown: 'No page of the web was fetched.',
      toGoLive: 'To go live, approve and enable a source and load its transport.',
    },
    checks: [
      {
        name: 'a supplied page is stored as facts without its content, and a page in another format is refused',
        run: supplyPage,
      },
      {
        name: 'a plan and a request name every unmet condition, and a fetch without a source is deferred',
        run: planAndDefer,
      },
      {
        name: 'an official site is proposed, and approved by a manager on what was seen, until a day',
        run: approveSite,
      },
      ...fixtureChecks,
    ],
  },
]

const key = () => ({ 'idempotency-key': randomUUID() })

async function prospectWithSite(world: World): Promise<{ businessId: string; domain: string }> {
  const domain = `a${randomUUID()}.co.za`
  return { businessId: await newProspect(world, { domains: [{ value: domain }] }), domain }
}

const boundary = 'page-of-an-acceptance-run'

/** One page as a browser sends a form. */
function formOf(page: string, type: string, url: string): { text: string; headers: Record<string, string> } {
  const fields = [
    `Content-Disposition: form-data; name="page"; filename="page"\r\nContent-Type: ${type}\r\n\r\n${page}`,
    `Content-Disposition: form-data; name="url"\r\n\r\n${url}`,
    'Content-Disposition: form-data; name="capturedAt"\r\n\r\n2026-01-01T08:00:00Z',
    'Content-Disposition: form-data; name="role"\r\n\r\nstart',
  ]
  const text = `${fields.map((field) => `--${boundary}\r\n${field}\r\n`).join('')}--${boundary}--\r\n`
  return { text, headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, ...key() } }
}

async function supplyPage(world: World): Promise<string> {
  const { operator, viewer, neighbour } = world
  const { businessId, domain } = await prospectWithSite(world)
  const path = `/businesses/${businessId}/supplied-pages`
  const address = 'thandi@acceptance.example'
  const page = `<!doctype html>${pageHead}<title>Acceptance ${address}</title><p>Windpumps for farms. Write to ${address}, or call our office.</p>`
  const sent = formOf(page, 'text/html', `https://${domain}/`)
  const supplied = expectStatus(await operator.send('POST', path, sent), 201, 'a supplied page')
  expectThat(textAt(supplied.body, 'origin') === 'supplied', 'The page is not labelled as supplied.')
  expectThat(!supplied.text.includes(address), 'A contact value of the page is in the answer.')
  const [first] = listAt(supplied.body, 'pages')
  const pageClass = textAt(first, 'class')
  expectThat(pageClass === 'content', `A page with text behind its styles and scripts is of class ${pageClass}.`)
  const id = textAt(supplied.body, 'id')
  const read = expectStatus(await viewer.get(`/scans/${id}`), 200, 'the scan')
  // For some minutes the memory holds the opening of the text, with contact values masked. Nothing stores it.
  const withoutOpening = JSON.stringify(read.body, (key, value) => (key === 'opening' ? undefined : value))
  expectThat(!withoutOpening.includes('Windpumps for farms'), 'The content of the page can be read back.')
  expectThat(!read.text.includes(address), 'A contact value of the page can be read back.')
  expectRefusal(await neighbour.get(`/scans/${id}`), 404, 'not_found', 'the scan for a neighbour')
  const pdf = formOf('%PDF-1.7\n', 'application/pdf', `https://${domain}/`)
  expectRefusal(await operator.send('POST', path, pdf), 415, 'page_format_unsupported', 'a PDF')
  return `The page is supplied, of class ${pageClass}; its content and its address cannot be read back, and a PDF was refused.`
}

async function planAndDefer(world: World): Promise<string> {
  const { operator, manager, viewer } = world
  const { businessId, domain } = await prospectWithSite(world)
  const asked = { businessId, url: `https://${domain}/` }
  const plan = expectStatus(await operator.post('/scan-plans', asked), 200, 'a plan').body
  expectThat(find(plan, 'canFetch') === false, 'A plan without a source says that pages can be fetched.')
  const unmet = listAt(plan, 'conditions').filter((condition) => find(condition, 'isMet') === false)
  for (const condition of unmet) textAt(condition, 'resolvedBy')
  const status = expectStatus(await viewer.get('/scanning/status'), 200, 'the status').body
  expectThat(find(status, 'canFetch') === false, 'The status says that pages can be fetched.')
  const deferred = expectStatus(await manager.post('/scans', asked, key()), 201, 'a request').body
  const state = textAt(deferred, 'state')
  const reasons = listAt(deferred, 'reasons')
  expectThat(state === 'deferred' && find(deferred, 'jobId') === null, `The request is ${state}.`)
  expectThat(reasons.length === unmet.length, 'The request does not name every unmet condition.')
  expectRefusal(await operator.post('/scans', asked, key()), 403, 'permission_denied', 'a request of an operator')
  const foreign = { ...asked, url: 'https://other.acceptance.co.za/' }
  expectRefusal(await manager.post('/scans', foreign, key()), 422, 'host_not_on_record', 'a host of nobody')
  return `The plan and the request name ${reasons.join(' and ')}; the request is ${state} and started no job.`
}

async function approveSite(world: World): Promise<string> {
  const { operator, manager, neighbour } = world
  const { businessId, domain } = await prospectWithSite(world)
  const propose = (host: string) => operator.post(`/businesses/${businessId}/official-sites`, { host })
  expectRefusal(await propose('facebook.com'), 422, 'shared_host', 'a shared host')
  const site = expectStatus(await propose(domain), 201, 'a proposal').body
  const path = `/official-sites/${textAt(site, 'id')}/decision`
  const decision = {
    decision: 'approve',
    reason: 'Their own name is on it.',
    fingerprint: textAt(site, 'fingerprint'),
    validUntil: daysAfter(Date.now(), 1),
  }
  expectRefusal(await operator.post(path, decision, key()), 403, 'permission_denied', 'an approval by an operator')
  const stale = { ...decision, fingerprint: 'another' }
  expectRefusal(await manager.post(path, stale, key()), 409, 'site_changed', 'an approval of other data')
  const approved = expectStatus(await manager.post(path, decision, key()), 200, 'an approval').body
  const state = textAt(approved, 'state')
  expectThat(state === 'approved', `The site is ${state}.`)
  expectRefusal(await neighbour.post(path, decision, key()), 404, 'not_found', 'the decision for a neighbour')
  return `A shared host and an approval of other data were refused; the site is ${state} until ${textAt(approved, 'validUntil')}.`
}
