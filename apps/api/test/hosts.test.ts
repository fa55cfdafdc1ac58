import { describe, expect, test } from 'vitest'
import { buildTestApp } from './build-app.ts'
import { statusOf } from './raw-connection.ts'

/* Tests the host names to which the API responds: those of loopback and those in PUBLIC_HOSTS. packages/hosts tests the rules of a name. */

const PUBLIC = { publicHosts: ['prospects.example'] }
const cases = [
  ['localhost:9999', 200],
  ['127.0.0.1', 200],
  ['[::1]:8000', 200],
  ['prospects.example', 200],
  ['Prospects.Example:8443', 200],
  ['evil.example', 421],
  ['evil.example:8000', 421],
  ['a b', 400],
] as const

test.each(cases)('a request for %j gets %i', async (host, status) => {
  const t = await buildTestApp({ config: PUBLIC })
  const answer = await (await t.as('viewer')).get<{ code?: string }>('/session', { host })
  expect(answer.status).toBe(status)
  if (status === 421) expect(answer.body.code).toBe('misdirected_request')
  if (status === 400) expect(answer.body.code).toBe('invalid_request')
})

test('under another name nothing is done, looked up or revealed, at any address', async () => {
  const t = await buildTestApp()
  const administrator = await t.as('administrator')
  const host = 'evil.example'
  const changes = await t.changes(async () => {
    for (const answer of [
      await administrator.post('/businesses', { name: 'Karoo' }, { host }),
      await administrator.get('/no/such/route', { host }),
      await administrator.get('/businesses/nobody', { host }),
      await administrator.get('/health/detail', { host }),
      await t.visitor().post('/session', {}, { host }),
    ])
      expect(answer).toMatchObject({ status: 421, headers: { 'cache-control': 'no-store' } })
  })
  expect(changes).toEqual({})
})

test('health responds under each single valid name', async () => {
  const t = await buildTestApp()
  for (const path of ['/health/live', '/health/ready']) {
    for (const host of ['10.1.2.3:8000', 'any.name.example', 'my_probe'])
      expect((await t.visitor().get(path, { host })).status).toBe(200)
    expect((await t.visitor().get(path, { host: 'a b' })).status).toBe(400)
  }
})

test('two Host headers are refused, also equal ones and those of a health route', async () => {
  const t = await buildTestApp()
  for (const path of ['/api/v1/health/live', '/api/v1/session'])
    for (const second of ['localhost', 'evil.example'])
      expect(await statusOf(t.app, `GET ${path} HTTP/1.1`, 'Host: localhost', `host: ${second}`)).toBe(400)
  expect(await statusOf(t.app, 'GET /api/v1/health/live HTTP/1.0')).toBe(400)
})

test('a target that is a whole URL is checked against the same names', async () => {
  const t = await buildTestApp()
  expect(await statusOf(t.app, 'GET http://evil.example/api/v1/session HTTP/1.1', 'Host: localhost')).toBe(421)
  expect(await statusOf(t.app, 'GET http://localhost/api/v1/session HTTP/1.1', 'Host: localhost')).toBe(401)
})

describe('X-Forwarded-Host', () => {
  const forwarded = (host: string) => ({ 'x-forwarded-host': host })

  test('of a trusted proxy is checked like the Host, which is checked as well', async () => {
    const t = await buildTestApp({ config: { ...PUBLIC, trustProxy: ['127.0.0.1'] } })
    const viewer = await t.as('viewer')
    expect((await viewer.get('/session', forwarded('prospects.example'))).status).toBe(200)
    expect((await viewer.get('/session', forwarded('evil.example'))).status).toBe(421)
    expect((await viewer.get('/session', forwarded('prospects.example, evil.example'))).status).toBe(421)
    expect((await viewer.get('/session', forwarded('a b'))).status).toBe(400)
    expect((await viewer.get('/session', { ...forwarded('prospects.example'), host: 'evil.example' })).status).toBe(421)
  })

  test('of any other client is ignored', async () => {
    const t = await buildTestApp({ config: { ...PUBLIC, trustProxy: ['10.0.0.1'] } })
    const viewer = await t.as('viewer')
    expect((await viewer.get('/session', forwarded('evil.example'))).status).toBe(200)
    expect((await viewer.get('/session', { ...forwarded('prospects.example'), host: 'evil.example' })).status).toBe(421)
  })
})

describe('the Origin of a change', () => {
  test.each([
    ['another port of loopback', 'http://localhost:9999', 201],
    ['another loopback name', 'http://127.0.0.1:3000', 201],
    ['a public name', 'https://prospects.example', 201],
    ['the requested Host, which is not an expected name', 'http://evil.example', 403],
    ['an expected name under another scheme', 'ftp://prospects.example', 403],
  ])('is compared with the expected names: %s', async (_what, origin, status) => {
    const t = await buildTestApp({ config: PUBLIC })
    const answer = await (await t.as('operator')).post('/businesses', { name: 'Karoo' }, { origin })
    expect(answer.status).toBe(status)
  })

  test('of a page of another port is refused if the browser reports another origin', async () => {
    const t = await buildTestApp({ config: PUBLIC })
    const headers = { origin: 'http://localhost:9999', 'sec-fetch-site': 'same-site' }
    expect((await (await t.as('operator')).post('/businesses', { name: 'Karoo' }, headers)).status).toBe(403)
  })

  test('that the browser calls same-origin but the list lacks is logged, that of another site is not', async () => {
    const t = await buildTestApp()
    const operator = await t.as('operator')
    const origin = (name: string, site: string | undefined) => ({ origin: `https://${name}`, 'sec-fetch-site': site })
    for (const headers of [
      origin('behind.example', 'same-origin'),
      origin('evil.example', 'cross-site'),
      origin('old.example', undefined),
    ])
      expect((await operator.post('/businesses', { name: 'Karoo' }, headers)).status).toBe(403)
    const lines = t.logged().split('\n')
    expect(lines.filter((line) => line.includes('PUBLIC_HOSTS'))).toEqual([
      expect.stringContaining('set PUBLIC_HOSTS=behind.example'),
    ])
  })
})

test('a missing name is logged once, as a warning with the setting that adds it', async () => {
  const t = await buildTestApp({ config: PUBLIC })
  for (let times = 0; times < 3; times++) await t.visitor().get('/session', { host: 'crm.example:8443' })
  const told = t
    .logged()
    .split('\n')
    .filter((line) => line.includes('crm.example'))
  expect(told.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, host: 'crm.example', msg: expect.stringContaining('set PUBLIC_HOSTS=prospects.example,crm.example') },
  ])
})
