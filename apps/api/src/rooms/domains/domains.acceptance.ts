import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { expectRefusal, expectStatus, expectThat, find, listAt, textAt } from '../../acceptance/acceptance-client.ts'
import type { Gate, World } from '../../acceptance/gates.ts'
import { newProspect } from '../../acceptance/new-prospect.ts'

export const gates: readonly Gate[] = [
  {
    phase: 7,
    liveClaim: {
      shown: 'Normalization, pasted DNS output and decisions about candidates were tried.',
      notShown: 'No resolver was queried, and no provider of availability exists.',
      toGoLive: 'To go live, load an adapter for DNS, and approve and enable its source.',
    },
    checks: [
      {
        name: 'values are divided into subdomain, registrable domain and suffix, or have a reason, and nothing is stored',
        run: divideValues,
      },
      {
        name: 'a pasted DNS answer keeps its status and time, a check without a source is unavailable, and availability stays unknown',
        run: recordAndCheck,
      },
      {
        name: 'a domain is proposed, refused where it cannot be one, and accepted by a person alone',
        run: proposeAndDecide,
      },
    ],
  },
]

async function divideValues({ viewer }: World): Promise<string> {
  const values = [
    'shop.acceptance.co.za',
    'co.za',
    'karoo.github.io',
    'printer.lan',
    'karoo.example',
    'a..b',
    'karoo',
    'localhost',
    '127.1',
  ]
  const { body } = expectStatus(await viewer.post('/domain-normalizations', { values }), 200, 'a normalization')
  const reasons = reasonsSchema.parse(listAt(body, 'items')).map(({ reason }) => reason)
  const wanted = [
    null,
    'public_suffix',
    'private_suffix',
    'unknown_suffix',
    'reserved_suffix',
    'malformed',
    'single_label',
    'localhost',
    'ip_literal',
  ]
  expectThat(JSON.stringify(reasons) === JSON.stringify(wanted), `The reasons are ${JSON.stringify(reasons)}.`)
  return `Each of ${values.length - 1} reasons was given once, and one value has a registrable domain.`
}

const reasonsSchema = z.array(z.object({ reason: z.string().nullable() }))

async function recordAndCheck({ operator, administrator, viewer, neighbour }: World): Promise<string> {
  const domain = `a${randomUUID()}.co.za`
  const observedAt = '2026-01-01T08:00:00Z'
  const pasted = [
    `; <<>> DiG 9.20.0 <<>> MX www.${domain}`,
    ';; ->>HEADER<<- opcode: QUERY, status: NXDOMAIN, id: 7',
    ';; flags: qr rd ra; QUERY: 1, ANSWER: 0, AUTHORITY: 1, ADDITIONAL: 1',
    ';; QUESTION SECTION:',
    `;www.${domain}.\t\tIN\tMX`,
    ';; WHEN: Thu Jan 01 10:00:00 SAST 2026',
  ].join('\n')
  const read = expectStatus(await operator.post('/dns-observations/readings', { text: pasted }), 200, 'a reading').body
  const card = find(read, 'cards.0.observation')
  const observation = {
    ...{ name: textAt(card, 'name'), kind: textAt(card, 'kind'), status: textAt(card, 'status') },
    ...{ observedAt: find(card, 'observedAt') ?? observedAt, source: 'dig' },
  }
  expectThat(observation.status === 'nxdomain', `The pasted answer is read as ${observation.status}.`)
  const cut = pasted.replace('NXDOMAIN', 'NOERROR').replace('ANSWER: 0', 'ANSWER: 3')
  const unread = await operator.post('/dns-observations', { ...observation, status: 'no_data', raw: cut })
  expectRefusal(unread, 400, 'invalid_request', 'no records while the pasted text announces three')
  const recorded = expectStatus(await operator.post('/dns-observations', observation), 201, 'an observation')
  expectThat(textAt(recorded.body, 'freshness.state') === 'stale', 'An answer without a TTL is reported as fresh.')
  const { body: kept } = expectStatus(await viewer.get(`/dns-observations?domain=${domain}`), 200, 'the observations')
  expectThat(
    textAt(kept, 'items.0.status') === 'nxdomain' &&
      Date.parse(textAt(kept, 'items.0.observedAt')) === Date.parse(observedAt),
    'The pasted answer does not keep its status and time.',
  )
  const asked = { name: domain, kinds: ['MX'] }
  const check = await administrator.post('/dns-checks', asked, { 'idempotency-key': randomUUID() })
  const outcome = textAt(expectStatus(check, 200, 'a check').body, 'outcome')
  expectThat(outcome === 'unavailable', `Without a source a check was answered ${outcome}.`)
  const { body } = expectStatus(await viewer.get(`/domains/${domain}/availability`), 200, 'the availability')
  const [status, reason] = [textAt(body, 'status'), textAt(body, 'reason')]
  expectThat(status === 'unknown', `The availability is ${status}.`)
  expectRefusal(await neighbour.get(`/domains/${domain}`), 404, 'not_found', 'the domain for a neighbour')
  return `The pasted answer keeps its status and time; the check is ${outcome}; after nxdomain the availability is ${status}: ${reason}. No resolver and no provider is loaded.`
}

async function proposeAndDecide(world: World): Promise<string> {
  const { operator, administrator, neighbour } = world
  const businessId = await newProspect(world)
  const propose = (domain: string) =>
    operator.post('/domain-candidates', { domain, businessId, reason: 'On their letterhead.' })
  expectRefusal(await propose('co.za'), 422, 'domain_not_resolvable', 'a public suffix')
  expectRefusal(await propose('gmail.com'), 422, 'free_mail_domain', 'a free-mail domain')
  const { body } = expectStatus(await propose(`a${randomUUID()}.co.za`), 201, 'a candidate')
  const path = `/domain-candidates/${textAt(body, 'id')}`
  const decision = { decision: 'accept', reason: 'They confirmed it.', fingerprint: textAt(body, 'fingerprint') }
  expectRefusal(
    await operator.post(`${path}/decision`, decision),
    403,
    'permission_denied',
    'a decision of an operator',
  )
  const decided = expectStatus(await administrator.post(`${path}/decision`, decision), 200, 'a decision')
  expectThat(textAt(decided.body, 'event.action') === 'domain_candidate.accept', 'The audit event was not read back.')
  expectRefusal(await administrator.post(`${path}/decision`, decision), 409, 'candidate_not_open', 'a second decision')
  expectRefusal(await neighbour.get(path), 404, 'not_found', 'the candidate for a neighbour')
  return 'A suffix and free mail were refused; the decision was read back from the audit and is final.'
}
