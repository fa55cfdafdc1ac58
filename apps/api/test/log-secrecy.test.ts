import type { RouteOptions } from 'fastify'
import { expect, test } from 'vitest'
import { buildTestApp, TEST_PASSWORD, type TestClient } from './build-app.ts'
import { createProspect, happened, seen } from './prospects.ts'

/** Stands in every body, search, reason, address and key that this test sends; a log that holds it holds what a person wrote. */
const MARK = 'quagga'

const whole = {
  name: `${MARK} name`,
  tradingName: `${MARK} trading`,
  registrationNumber: `${MARK} registration`,
  industry: `${MARK} industry`,
  emails: [{ value: `${MARK}@karoo.co.za`, label: MARK }],
  phones: [{ value: `${MARK} 082 123 4567` }],
  domains: [{ value: `${MARK}.co.za` }],
  address: { street: `1 ${MARK} street`, city: MARK, province: MARK },
  tags: [MARK],
}

const assertion = {
  id: MARK,
  rawId: MARK,
  type: 'public-key',
  response: { clientDataJSON: MARK, authenticatorData: MARK, signature: MARK },
}
const attestation = {
  id: MARK,
  rawId: MARK,
  type: 'public-key',
  response: { clientDataJSON: MARK, attestationObject: MARK },
}
const accountChanges: [path: string, body: Record<string, unknown>][] = [
  ['/session/passkey/options', {}],
  ['/session/passkey', { passkey: assertion }],
  ['/session/passkey-options', {}],
  ['/session/mfa', { recoveryCode: MARK }],
  ['/session/mfa', { passkey: assertion }],
  ['/password', { currentPassword: `${MARK} password`, newPassword: `${MARK} new password` }],
  ['/mfa/enrolment', {}],
  ['/mfa/enrolment/confirmation', { code: MARK }],
  ['/mfa/recovery-codes', {}],
  ['/mfa/passkeys/options', {}],
  ['/mfa/passkeys', { name: MARK, passkey: attestation }],
  ['/users', { email: `${MARK}@guest.example`, name: `${MARK} guest`, role: 'viewer' }],
  [`/users/${MARK}/password-reset`, {}],
  [`/users/${MARK}/second-factor-reset`, {}],
  [`/users/${MARK}/session-revocation`, {}],
  ['/one-time-links/check', { token: MARK }],
  ['/one-time-links/use', { token: MARK, password: `${MARK} password` }],
]

/** Every route once as it is meant, and once as it is not. */
async function askEverything(client: TestClient, id: string): Promise<void> {
  const path = `/businesses/${id}`
  const changes: [path: string, body: Record<string, unknown>][] = [
    ['/businesses', whole],
    ['/businesses/duplicate-checks', { emails: [`${MARK}@karoo.co.za`] }],
    [`${path}/do-not-contact`, { reason: `${MARK} reason` }],
    [
      `${path}/evidence`,
      { ...seen, observation: MARK, context: MARK, url: `https://${MARK}.example/`, sourceReference: MARK },
    ],
    [`${path}/notes`, { text: `${MARK} note`, sensitive: true }],
    [
      `${path}/interactions`,
      { ...happened, summary: `${MARK} summary`, participants: [`${MARK} person`], correctsId: MARK },
    ],
    [`${path}/interactions`, { ...happened, summary: `${MARK} summary`, participants: [`${MARK} person`] }],
    [`${path}/pipeline-transitions`, { to: 'contacted', reason: `${MARK} reason` }],
    [
      '/suppressions',
      {
        kind: 'email',
        value: `${MARK}@karoo.co.za`,
        reason: MARK,
        requestedBy: MARK,
        channel: 'phone',
        reference: MARK,
      },
    ],
    ['/suppressions/checks', { values: [{ kind: 'email', value: `${MARK}@karoo.co.za` }] }],
    ['/suppressions/batch-previews', { lines: [`${MARK}@karoo.co.za`, MARK] }],
    ['/suppressions/batches', { lines: [`${MARK}@karoo.co.za`, MARK], reason: MARK, channel: 'phone' }],
    [`/suppressions/${MARK}/removal`, { reason: MARK }],
    [`${path}/do-not-contact-removal`, { reason: MARK }],
    ['/session/tenant', { tenantId: MARK }],
    ['/reports', { name: `${MARK} report`, from: '2026-11-01', to: '2026-11-20', filter: { tag: MARK } }],
    [
      '/exports',
      {
        source: 'prospects',
        format: 'csv',
        filter: { q: `${MARK} search`, tag: MARK, assignee: MARK },
        suppressed: 'mark',
      },
    ],
    [`/businesses/${MARK}/erasure`, { reason: `${MARK} reason`, suppress: true }],
    ['/match-runs', { reason: `${MARK} reason` }],
    [`/match-suggestions/${MARK}/rejection`, { reason: `${MARK} reason` }],
    [
      `/match-suggestions/${MARK}/merge`,
      { reason: `${MARK} reason`, survivorId: MARK, fingerprint: MARK, fields: { name: MARK } },
    ],
    [`/merges/${MARK}/reversal`, { reason: `${MARK} reason` }],
    ['/jobs', { kind: MARK, input: { [MARK]: MARK } }],
    [`/jobs/${MARK}/cancellation`, {}],
    [`/jobs/${MARK}/retry`, {}],
    ['/csv-previews', { [MARK]: MARK }],
    ...accountChanges,
  ]
  for (const [target, body] of changes) {
    await client.post(target, body, { 'idempotency-key': `${MARK}-key ${target}` })
    await client.post(target, { ...body, [MARK]: MARK })
    await client.post(target, `{"${MARK}"`)
    await client.post(target, JSON.stringify(body), { 'content-type': `text/${MARK}` })
    await client.post(target, body, { 'x-csrf-token': MARK })
    await client.post(target, body, { origin: `https://${MARK}.example` })
    await client.post(target, body, { cookie: `prospect_session=${MARK}` })
    await client.post(target, { ...body, text: MARK.repeat(60_000) })
  }
  const preview = await client.post<{ id: string }>(
    '/csv-previews?mapping=1:name,2:email',
    `${MARK},${MARK}@karoo.co.za\n"${MARK}\n`,
    { 'content-type': 'text/csv' },
  )
  for (const suffix of ['', '/rows', `/rows?cursor=${MARK}`, `?${MARK}=${MARK}`])
    await client.get(`/csv-previews/${preview.body.id}${suffix}`)
  for (const target of [path, '/pipeline', '/tenant', `/users/${MARK}`])
    for (const tag of ['"1"', '"99"', MARK])
      await client.patch(target, { industry: `${MARK} edited` }, { 'if-match': tag })
  const queries = [
    `q=${MARK}`,
    `q=${MARK.slice(0, 2)}`,
    `tag=${MARK}`,
    `assignee=${MARK}`,
    `province=${MARK}`,
    `cursor=${MARK}`,
    `${MARK}=${MARK}`,
  ]
  for (const query of queries) await client.get(`/businesses?${query}`)
  for (const list of [
    'evidence',
    'notes',
    'interactions',
    'pipeline-transitions',
    'activity',
    'facts',
    'suppressions',
    `evidence/${MARK}`,
  ])
    for (const query of ['', `?cursor=${MARK}`]) await client.get(`${path}/${list}${query}`)
  for (const target of [
    `/businesses/tags?prefix=${MARK}`,
    `/businesses/${MARK}`,
    `/businesses/%E0%A4%A${MARK}`,
    `/${MARK}`,
    '/suppressions/evaluation',
    `/suppressions?q=${MARK}`,
    `/suppressions/${MARK}`,
    `/suppressions/${MARK}/history`,
    `/suppressions/${MARK}/matches`,
    `/audit-events?actor=${MARK}`,
    `/audit-events?subjectId=${MARK}`,
    `/audit-events/${MARK}`,
    '/audit-events',
    '/audit-events/verification',
    '/reports',
    `/reports/${MARK}`,
    `/exports?cursor=${MARK}`,
    `/exports/${MARK}`,
    `/exports/${MARK}/content`,
    '/match-suggestions/counts',
    '/job-kinds',
    `/match-suggestions?businessId=${MARK}`,
    `/match-suggestions/${MARK}`,
    `/match-suggestions/${MARK}/merge-preview`,
    `/merges?businessId=${MARK}`,
    `/merges/${MARK}`,
    '/merge-attempts',
    `/jobs?kind=${MARK}`,
    `/jobs/${MARK}`,
    `/jobs/${MARK}/events?after=${MARK}`,
    `/jobs/${MARK}/events/stream`,
    '/assignees',
    '/csv-previews/limits',
    '/session',
    '/roles',
    '/pipeline',
    '/capabilities',
    '/phone-countries',
    '/tenant',
    '/users',
    `/users/${MARK}`,
    '/invitations',
    '/sessions',
    '/mfa',
    `/security-events?user=${MARK}`,
    '/health/live',
    '/health/ready',
    '/health/detail',
    '/acceptance-report',
    '/openapi.json',
  ])
    await client.get(target)
  for (const target of [
    '/mfa/totp',
    `/mfa/passkeys/${MARK}`,
    `/sessions/${MARK}`,
    `/invitations/${MARK}`,
    `/users/${MARK}`,
  ])
    await client.delete(target)
  await client.delete('/sessions')
}

test('no log line holds a body, a search term, a reason, an address, a key, a cookie, a password or a token, whatever is asked and however it ends', async () => {
  const routes = new Set<string>()
  const onRoute = ({ method, url }: RouteOptions) => {
    if (!url.startsWith('/api/v1/docs')) for (const one of [method].flat()) routes.add(`${one} ${url}`)
  }
  const t = await buildTestApp({ onRoute })
  const visitor = t.visitor()
  const { email } = t.tenants.home.users.administrator
  await visitor.post('/session', { email: `${MARK}@home.example`, password: `${MARK} password` })
  const { headers, body } = await visitor.post<{ csrfToken: string }>('/session', { email, password: TEST_PASSWORD })
  const token = /prospect_session=([^;]+)/.exec(String(headers['set-cookie']))?.[1] ?? ''
  expect(token.length).toBeGreaterThan(20)
  const client = t.withSession(token)
  const { id } = await createProspect(client, whole)
  await askEverything(client, id)
  await client.delete('/session')

  const log = t.logged().toLowerCase()
  const unasked = [...routes].filter((route) => !log.includes(`"route":"${route.split(' ')[1]?.toLowerCase()}"`))
  expect(unasked).toEqual([])
  const person = t.tenants.home.users.administrator
  const secrets = [
    MARK,
    TEST_PASSWORD,
    token,
    body.csrfToken,
    person.email,
    person.name,
    'karoo.co.za',
    seen.sourceLabel,
  ]
  expect(secrets.filter((secret) => log.includes(secret.toLowerCase()))).toEqual([])
})

test('a fault of the store is logged without what was asked of it', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const { id } = await createProspect(operator, whole)
  await t.store.writer.destroy()
  const answers = [
    await operator.post('/businesses', whole),
    await operator.post(`/businesses/${id}/notes`, { text: `${MARK} note` }),
    await operator.patch(`/businesses/${id}`, { name: MARK }, { 'if-match': '"1"' }),
  ]
  for (const { status, body } of answers) {
    expect(status).toBeGreaterThanOrEqual(500)
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${MARK}|sqlite|insert|select`, 'i'))
  }
  const lines = t.logged().split('\n')
  expect(lines.filter((line) => line.includes('"level":50')).length).toBe(answers.length)
  expect(lines.filter((line) => line.includes(MARK))).toEqual([])
})
