/**
 * Measures the cost of the web adapter: address checks per second, and pages per second with resolving, checking and pinning, compared with plain
 * `node:http` and `node:https` with a new connection each. Servers and name server run in a separate process.
 *
 * node bench/web-fetch.ts [--pages 400] [--rounds 7]
 */
import { fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, get as getHttp } from 'node:http'
import { createServer as createSecureServer, get as getHttps } from 'node:https'
import { connect, type Server } from 'node:net'
import { parseArgs } from 'node:util'
import { isPublicAddress } from '../packages/adapter-contract/src/addresses.ts'
import { type WebQuery, webLimits } from '../packages/adapter-contract/src/web-page.ts'
import { requestOf } from '../packages/adapter-contract/test-kit/request-of.ts'
import { tlsIdentity } from '../packages/adapter-contract/test-kit/tls-identity.ts'
import { fetchPage, type Means } from '../packages/adapters/web-fetch/src/fetch-page.ts'
import { countOption } from './figures.ts'
import { median } from './processes.ts'
import { describeMachine, table, verdict } from './report.ts'

const HOST = 'karoo.example'
const LOOPBACK = '127.0.0.1'
const PUBLIC_ADDRESS = [196, 10, 100, 1]
const PAGE = `<!doctype html><title>Karoo</title>${'<p>Windpumps since 1974.</p>'.repeat(400)}`
const CONCURRENT = 8
const CHECKS = 1_000_000
const aims = { checks: 1_000_000, http: 0.5, https: 0.7 }

type Ports = { http: number; https: number; dns: number }

if (process.send === undefined) await measure()
else await serve()

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: { pages: { type: 'string', default: '400' }, rounds: { type: 'string', default: '7' } },
  })
  const [pages, rounds] = [countOption(values, 'pages'), countOption(values, 'rounds')]
  console.log(describeMachine())
  const { key, cert } = await tlsIdentity([HOST])
  const servers = fork(import.meta.filename, [], { env: { ...process.env, KEY: key, CERT: cert } })
  try {
    const [ports] = (await once(servers, 'message')) as [Ports]
    const checks = median(Array.from({ length: rounds }, checksPerSecond))
    const lines = [
      ['checks of addresses', '', `${Math.round(checks)}/s`, '', `≥ ${aims.checks}/s`, verdict(checks >= aims.checks)],
    ]
    for (const scheme of ['http', 'https'] as const) {
      const plain: number[] = []
      const ours: number[] = []
      for (let round = 0; round <= rounds; round++) {
        plain.push(await pagesPerSecond(pages, () => plainGet(scheme, ports, cert)))
        ours.push(await pagesPerSecond(pages, () => ourGet(scheme, ports, cert)))
      }
      // Skip the first round, which is the warm-up.
      const ratio = median(ours.slice(1).map((rate, round) => rate / (plain[round + 1] ?? Number.NaN)))
      const shown = [plain, ours].map((rates) => `${Math.round(median(rates.slice(1)))}/s`)
      lines.push([
        `pages over ${scheme}`,
        ...shown,
        ratio.toFixed(2),
        `≥ ${aims[scheme]}`,
        verdict(ratio >= aims[scheme]),
      ])
    }
    console.log(table(['', 'plain', 'ours', 'ratio', 'aim', ''], lines))
  } finally {
    servers.kill()
  }
}

function checksPerSecond(): number {
  const addresses = [
    '8.8.8.8',
    '10.0.0.1',
    '196.10.100.1',
    '2c0f:fb50:4002::1',
    '2a00:1450::5efe:7f00:1',
    '::ffff:127.0.0.1',
    'fe80::1',
    '168.63.129.16',
  ]
  const started = performance.now()
  for (let count = 0; count < CHECKS; count++) isPublicAddress(addresses[count % addresses.length] ?? '')
  return CHECKS / ((performance.now() - started) / 1_000)
}

async function pagesPerSecond(pages: number, get: () => Promise<number>): Promise<number> {
  let left = pages
  const work = async () => {
    while (left-- > 0) if ((await get()) !== PAGE.length) throw new Error('A page was not whole.')
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  return pages / ((performance.now() - started) / 1_000)
}

async function plainGet(scheme: 'http' | 'https', ports: Ports, ca: string): Promise<number> {
  const options = { host: LOOPBACK, port: ports[scheme], path: '/', agent: false, headers: { host: HOST } } as const
  const request = scheme === 'http' ? getHttp(options) : getHttps({ ...options, servername: HOST, ca })
  const [response] = await once(request, 'response')
  let bytes = 0
  for await (const chunk of response) bytes += chunk.length
  return bytes
}

async function ourGet(scheme: 'http' | 'https', ports: Ports, ca: string): Promise<number> {
  const { totalMs, wireBytes, decodedBytes } = webLimits
  const query: WebQuery = {
    businessId: '01930000-0000-7000-8000-000000000001',
    url: `${scheme}://${HOST}/`,
    earlierAddresses: [],
    limits: { totalMs, wireBytes, decodedBytes },
  }
  const means: Means = {
    nameServers: [{ address: LOOPBACK, port: ports.dns }],
    userAgent: 'ProspectPlatform/bench',
    dial: (address) => ({ socket: connect({ host: LOOPBACK, port: ports[scheme] }), peer: () => address }),
    ca,
  }
  const transport = { request: (input: Parameters<typeof fetchPage>[0]) => fetchPage(input, means) }
  const result = await requestOf({ transport, query, settings: {} })
  if (result.outcome !== 'answered') throw new Error(`A page ended ${JSON.stringify(result)}.`)
  return result.records[0]?.body.byteLength ?? 0
}

async function serve(): Promise<void> {
  const { KEY: key = '', CERT: cert = '' } = process.env
  const names = createSocket('udp4').bind(0, LOOPBACK)
  names.on('message', (question, { port }) => names.send(addressOf(question), port, LOOPBACK))
  await once(names, 'listening')
  const ports: Ports = {
    http: await portOf(createServer((_request, response) => response.end(PAGE))),
    https: await portOf(createSecureServer({ key, cert }, (_request, response) => response.end(PAGE))),
    dns: names.address().port,
  }
  process.send?.(ports)
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, LOOPBACK)
  await once(server, 'listening')
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Returns the answer to a question: one A record, no AAAA record. */
function addressOf(question: Buffer): Buffer {
  const end = question.indexOf(0, 12) + 5
  const head = Buffer.from(question.subarray(0, end))
  const isA = head.readUInt16BE(end - 4) === 1
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(isA ? 1 : 0, 6)
  head.writeUInt16BE(0, 10)
  return isA ? Buffer.concat([head, Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...PUBLIC_ADDRESS])]) : head
}
