import { dnsServer, type TestDnsServer } from '@prospect/adapter-contract/test-kit/dns-server'
import { httpsServer, LOOPBACK } from '@prospect/adapter-contract/test-kit/servers'
import { tlsIdentity } from '@prospect/adapter-contract/test-kit/tls-identity'
import { expect, test } from 'vitest'
import { START, scanWorld } from '../../../../apps/api/src/rooms/scanning/test/web-world.ts'
import { webFetchAdapter } from '../src/adapter.ts'
import { fetchPage } from '../src/fetch-page.ts'
import { answerOf, dialTo, nameServer, PUBLIC_V4, rcode } from './site.ts'

/*
 * Tests scans of the API with the real adapter against servers on loopback. The requests are sent through the source registry. Only the last step
 * differs from production: the connection goes to the server of the test, whose certificate is trusted.
 */

/** The response of each path: HTML, the target of a redirect, or null for a path whose request gets no response. */
type Pages = Record<string, string | null>

async function siteWith(pages: Pages, names?: TestDnsServer, contract: Record<string, unknown> = {}) {
  const identity = await tlsIdentity(['karoo.co.za'])
  const server = await httpsServer(identity, (request, response) => {
    const page = pages[request.url ?? '']
    if (page === null) return
    if (page === undefined) response.writeHead(404).end()
    else if (page.startsWith('/')) response.writeHead(302, { location: page }).end()
    else response.setHeader('content-type', request.url === '/robots.txt' ? 'text/plain' : 'text/html').end(page)
  })
  const { dial, dialled } = dialTo(server.port)
  const { port } = names ?? (await nameServer())
  const means = { nameServers: [{ address: LOOPBACK, port }], userAgent: 'test', dial, ca: identity.cert }
  const adapter = webFetchAdapter({ nameServers: means.nameServers })
  const load = async () => ({ request: (input: Parameters<typeof fetchPage>[0]) => fetchPage(input, means) })
  const world = await scanWorld({ ...adapter, load }, contract)
  world.begin()
  return { ...world, server, dialled }
}

const page = '<title>Karoo Windpumps</title><p>Windpumps since 1998, built and repaired in the Karoo.</p>'

test('a scan reads robots.txt, the start page over a redirect and a contact page, each behind a permit of its own', async () => {
  const { t, scan, server } = await siteWith({
    '/robots.txt': 'User-agent: *\nDisallow: /about',
    '/': '/home',
    '/home': `${page}<a href="/contact">Contact us</a><a href="/about">About us</a>`,
    '/contact': '<p>Call us about a windpump for your farm, any day of the week.</p>',
  })
  const done = await scan()
  expect(server.requests).toEqual(['GET /robots.txt', 'GET /', 'GET /home', 'GET /contact'])
  expect(done).toMatchObject({ state: 'incomplete', reasons: ['robots_disallowed'], dnsPolicyVersion: 1 })
  const about = { address: PUBLIC_V4, verdict: 'allowed' }
  expect(done.pages).toMatchObject([
    {
      role: 'start',
      class: 'content',
      hops: [
        { url: START, status: 302, ...about },
        { url: `${START}home`, status: 200, ...about },
      ],
      facts: { title: 'Karoo Windpumps', mediaType: 'text/html' },
    },
    { role: 'contact', outcome: 'read', hops: [{ status: 200, ...about }] },
    { role: 'about', outcome: 'not_read', hops: [] },
  ])
  const permits = await t.store.reader.selectFrom('source_permits').select(['ended_at', 'is_failure']).execute()
  expect(permits).toHaveLength(4)
  expect(permits.every(({ ended_at, is_failure }) => ended_at !== null && is_failure === 0)).toBe(true)
})

test('a name with one private address among public ones blocks the scan before any connection', async () => {
  const names = await nameServer({ a: [PUBLIC_V4, '10.0.0.1'] })
  const { scan, dialled, server } = await siteWith({ '/': page }, names)
  const done = await scan()
  expect(done).toMatchObject({ state: 'blocked', reasons: ['unsafe_address'], freshness: 'stale' })
  const denied = { address: '10.0.0.1', verdict: 'denied', reason: 'unsafe_address' }
  expect(done.pages).toMatchObject([{ outcome: 'blocked', hops: [{ url: `${START}robots.txt`, ...denied }] }])
  expect([dialled, server.requests]).toEqual([[], []])
})

test('a name that DNS does not have is the reason of the scan, and the next request asks DNS again', async () => {
  let questions = 0
  const names = await dnsServer(() => {
    questions += 1
    return { flags: rcode.nxdomain }
  })
  const { scan, server } = await siteWith({ '/': page }, names)
  const hops = [{ url: `${START}robots.txt`, reason: 'nxdomain', address: null }]
  expect(await scan()).toMatchObject({ state: 'incomplete', reasons: ['nxdomain'], pages: [{ hops }] })
  const before = questions
  expect((await scan()).reasons).toEqual(['nxdomain'])
  expect([questions > before, server.requests]).toEqual([true, []])
})

test('a name that leads to this machine after it led to a public address is a rebinding', async () => {
  let asked = 0
  const names = await dnsServer((question) => answerOf(question, { a: [asked++ < 2 ? PUBLIC_V4 : LOOPBACK] }))
  const { scan, server } = await siteWith({ '/': page }, names)
  expect(await scan()).toMatchObject({ state: 'blocked', reasons: ['rebinding'] })
  expect(server.requests).toEqual(['GET /robots.txt'])
})

const oneSecond = { timeoutMs: 1_000 }
const healthOf = async ({ world, source }: Awaited<ReturnType<typeof siteWith>>) =>
  (await world.author.get<{ items: object[] }>(`/sources/${source.id}/health?interval=day`)).body.items

test('a page that is not sent within the limit of the contract is a timeout of the site, not a cancelled scan', async () => {
  const site = await siteWith({ '/robots.txt': '', '/': null }, undefined, oneSecond)
  const done = await site.scan()
  expect(done).toMatchObject({ state: 'incomplete', reasons: ['time_limit'] })
  expect(done.pages).toMatchObject([{ outcome: 'not_read', hops: [{ reason: 'time_limit', verdict: 'allowed' }] }])
  expect(await healthOf(site)).toMatchObject([{ requests: 2, answers: 1, timeouts: 1, errors: 0 }])
  expect(await site.world.read(site.source.id)).toMatchObject({ circuit: { state: 'closed' } })
})

test('silent name servers are a timeout of the transport, which counts for the circuit', async () => {
  const names = await dnsServer(() => undefined)
  const site = await siteWith({ '/': page }, names, {
    ...oneSecond,
    circuit: { failureRatio: 1, consecutiveFailures: 1, latencyMs: 100_000, closeAfterSuccesses: 1 },
  })
  expect(await site.scan()).toMatchObject({ state: 'incomplete', reasons: ['robots_unavailable'] })
  expect(await healthOf(site)).toMatchObject([{ requests: 1, timeouts: 1, errors: 0 }])
  expect(await site.world.read(site.source.id)).toMatchObject({ circuit: { state: 'open' } })
  expect(site.server.requests).toEqual([])
})
