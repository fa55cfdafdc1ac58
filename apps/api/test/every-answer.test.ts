import { expect, test } from 'vitest'
import { buildTestApp } from './build-app.ts'

/* Tests properties that every response has, whichever code produced it (OWASP ASVS 5.0: 3.2.1, 3.4.3 to 3.4.6, 13.4.4, 16.2, 16.3.2). */

test('every response is data: not framed, not sniffed, not cached, and without scripts', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const answers = [
    await operator.get('/session'),
    await operator.get('/businesses/nobody'),
    await operator.get('/users'),
    await operator.post('/businesses', { nothing: 'of the kind' }),
    await t.visitor().get('/session'),
    await t.visitor().get('/health/live'),
    await t.visitor().get('/no/such/route'),
    await t.visitor().get('/businesses/%zz'),
    await t.visitor().get(`/businesses/${'x'.repeat(201)}`),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 400, 401, 200, 404, 400, 404])
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    const policy = String(headers['content-security-policy'])
    for (const part of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(part)
    }
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers).not.toHaveProperty('server')
    expect(headers).not.toHaveProperty('x-powered-by')
  }
})

test('the reference page requires a session, shows the document, and permits only its own files and no frame', async () => {
  const t = await buildTestApp()
  const viewer = await t.as('viewer')
  for (const path of ['/docs', '/docs/', '/docs/static/swagger-ui.css']) {
    const { status, headers } = await viewer.get(path)
    expect({ path, status }).toEqual({ path, status: 200 })
    expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'")
    expect((await t.visitor().get(path)).status).toBe(401)
  }
  const document = await viewer.get<{ paths: object }>('/openapi.json')
  expect(Object.keys(document.body.paths)).toContain('/api/v1/businesses/{businessId}')
  expect((await viewer.get('/docs/json')).body).toEqual(document.body)
  expect(await viewer.get('/docs/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('TRACE and a preflight of another site are refused', async () => {
  const t = await buildTestApp()
  for (const method of ['TRACE', 'OPTIONS'] as const) {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'POST' }
    const answer = await t.app.inject({ method, url: '/api/v1/session', headers })
    expect(answer.statusCode, method).toBeGreaterThanOrEqual(400)
    expect(answer.headers, method).not.toHaveProperty('access-control-allow-methods')
  }
})

test('errors of the router are logged like any other response, without the address', async () => {
  const t = await buildTestApp()
  for (const [path, status] of [
    ['/businesses/%zz', 400],
    [`/businesses/${'x'.repeat(201)}`, 404],
  ] as const) {
    const id = String((await t.visitor().get(path)).headers['x-request-id'])
    const lines = t.logged().trim().split('\n')
    const told = lines.filter((line) => line.includes(id)).map((line) => JSON.parse(line))
    expect(told).toMatchObject([{ method: 'GET', route: 'none', status, msg: 'answered' }])
  }
  expect(t.logged()).not.toMatch(/%zz|xxx/)
})

test('a refused access is logged with route, person and tenant, and without its address', async () => {
  const t = await buildTestApp()
  const { id, users } = t.tenants.home
  const answer = await (await t.as('viewer')).get('/users?limit=7')
  expect(answer.status).toBe(403)
  const lines = t.logged().trim().split('\n')
  const line = lines.map((text): Record<string, unknown> => JSON.parse(text)).findLast(({ msg }) => msg === 'answered')
  expect(line).toMatchObject({ method: 'GET', route: '/api/v1/users', status: 403, tenant: id, user: users.viewer.id })
  expect(line).toHaveProperty('time')
  expect(JSON.stringify(line)).toContain(String(answer.headers['x-request-id']))
})

test.each([
  '/businesses?tag=',
  '/businesses?assignee=',
  '/audit-events?action=',
  '/jobs/none/events?after=99999999999999999999',
])('%s is refused in words for a person, each error once', async (path) => {
  const t = await buildTestApp()
  const { status, body } = await (await t.as('administrator')).get<{ errors: { message: string }[] }>(path)
  expect([status, body.errors.length]).toEqual([400, 1])
  expect(body.errors[0]?.message).not.toContain('Invalid')
})

test.each(['%', '%E0%A4', 'a?%zz'])(
  'an unreadable query is refused, not searched for literally: %s',
  async (written) => {
    const t = await buildTestApp()
    const viewer = await t.as('viewer')
    expect(await viewer.get(`/businesses?q=${written}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    })
    expect((await viewer.get('/businesses?q=%25')).status).toBe(200)
  },
)

test('a compressed body is refused by its declared encoding, also if its bytes could be read', async () => {
  const t = await buildTestApp()
  const operator = await t.as('operator')
  const packed = await operator.post('/businesses', { name: 'Karoo' }, { 'content-encoding': 'gzip' })
  expect(packed).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } })
  expect((await operator.post('/businesses', { name: 'Karoo' }, { 'content-encoding': 'identity' })).status).toBe(201)
})
