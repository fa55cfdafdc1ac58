import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { dnsServer } from '@prospect/adapter-contract/test-kit/dns-server'
import {
  closedPort,
  drip,
  httpServer,
  httpsServer,
  LOOPBACK,
  rawServer,
} from '@prospect/adapter-contract/test-kit/servers'
import { tlsIdentity } from '@prospect/adapter-contract/test-kit/tls-identity'
import { describe, expect, test, vi } from 'vitest'
import { answerOf, dialNowhere, dialTo, nameServer, PUBLIC_V4, PUBLIC_V6, pageOf, rcode, visit } from '../test/site.ts'
import { dial } from './dial.ts'

const unavailable = (cause: string, reason: string, fault = 'target') => ({
  outcome: 'unavailable',
  cause,
  fault,
  trace: { reason },
})

/** Returns the raw bytes of a response. */
const rawResponse = (head: string, body = '') => `HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`

describe('the request', () => {
  test('is one GET with these headers and no other', async () => {
    let received = ''
    const server = await rawServer((socket, text) => {
      received = text
      if (text.endsWith('\r\n\r\n')) socket.end(rawResponse('Content-Length: 2', 'ok'))
    })
    expect(pageOf(await visit({ ...dialTo(server.port), url: 'http://karoo.example/a%20b?c=d' }))).toMatchObject({
      text: 'ok',
    })
    expect(received).toBe(
      [
        'GET /a%20b?c=d HTTP/1.1',
        'Host: karoo.example',
        'User-Agent: ProspectPlatform/test',
        'Accept: text/html,application/xhtml+xml,text/plain;q=0.9',
        'Accept-Encoding: gzip',
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    )
  })

  test('passes by the proxy of the environment', async () => {
    const site = await httpServer((_request, response) => response.end('ok'))
    const proxy = await httpServer((_request, response) => response.end('no'))
    const names = await nameServer()
    const proxyUrl = `http://${LOOPBACK}:${proxy.port}`
    const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxyUrl, http_proxy: proxyUrl, HTTPS_PROXY: proxyUrl }
    const program = join(import.meta.dirname, '../test/visit-process.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [program, `${names.port}`, `${site.port}`], { env })
    expect([stdout, site.requests, proxy.requests]).toEqual(['answered\n', ['GET /'], []])
  })

  test('uses a new socket, and closes it afterwards', async () => {
    const server = await httpServer((_request, response) => response.end('ok'))
    const { dial, dialled } = dialTo(server.port)
    for (let count = 0; count < 3; count++) await visit({ dial })
    expect(server.connections()).toBe(3)
    await vi.waitUntil(() => server.open() === 0)
    expect(dialled).toEqual(Array.from({ length: 3 }, () => ({ address: PUBLIC_V4, port: 80 })))
  })

  test.each([
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://8.8.8.8/',
    'http://localhost/',
    'http://karoo.example:8080/',
    'http://user@karoo.example/',
    'http://karoo.example./',
    'ftp://karoo.example/',
    'file:///etc/passwd',
    'http://karoo.example',
    'http://karoo.example/#part',
    'http://KAROO.example/',
    '',
  ])('for %j is denied, whatever the caller checked before', async (url) => {
    const { dial, dialled } = dialTo(1)
    const names = await nameServer()
    expect(await visit({ dial, names, url })).toMatchObject({
      ...unavailable('destination_denied', 'unsafe_address'),
      trace: { verdict: 'denied', address: null },
    })
    expect([dialled, names.questions]).toEqual([[], []])
  })
})

describe('the addresses of the name', () => {
  test('are resolved for each request, A and AAAA, by the configured servers, without the hosts file', async () => {
    const names = await nameServer()
    const server = await httpServer((_request, response) => response.end('ok'))
    const { dial } = dialTo(server.port)
    await visit({ dial, names, url: 'http://ip6.localhost/' })
    await visit({ dial, names, url: 'http://ip6.localhost/' })
    expect(names.questions.sort()).toEqual([
      'UDP A ip6.localhost',
      'UDP A ip6.localhost',
      'UDP AAAA ip6.localhost',
      'UDP AAAA ip6.localhost',
    ])
  })

  test.each([
    ['the first of A', { a: [PUBLIC_V4, '196.10.100.2'], aaaa: [PUBLIC_V6] }, PUBLIC_V4],
    ['the first of AAAA where there is no A', { aaaa: [PUBLIC_V6] }, PUBLIC_V6],
  ])('%s is connected to', async (_what, addresses, address) => {
    const server = await httpServer((_request, response) => response.end('ok'))
    const { dial, dialled } = dialTo(server.port)
    const result = await visit({ dial, names: await nameServer(addresses) })
    expect(result).toMatchObject({
      outcome: 'answered',
      trace: { address, verdict: 'allowed', reason: null, status: 200 },
    })
    expect(dialled).toEqual([{ address, port: 80 }])
  })

  const sixty = Array.from({ length: 59 }, (_, index) => `196.10.100.${index + 1}`)
  test.each([
    ['loopback', { a: ['127.0.0.1'] }, '127.0.0.1'],
    ['loopback of IPv6', { aaaa: ['::1'] }, '::1'],
    ['metadata', { a: ['169.254.169.254'] }, '169.254.169.254'],
    ['metadata that looks public', { a: ['168.63.129.16'] }, '168.63.129.16'],
    ['a private address beside public ones', { a: [PUBLIC_V4], aaaa: [PUBLIC_V6, 'fd00::1'] }, 'fd00::1'],
    ['one private address among 60', { a: [...sixty, '10.0.0.1'] }, '10.0.0.1'],
    ['IPv4 inside IPv6', { a: [PUBLIC_V4], aaaa: ['::ffff:127.0.0.1'] }, '::ffff:127.0.0.1'],
    ['ISATAP', { aaaa: ['2a00:1450::5efe:7f00:1'] }, '2a00:1450::5efe:7f00:1'],
  ])('that include %s block the request', async (_what, addresses, address) => {
    const { dial, dialled } = dialTo(1)
    expect(await visit({ dial, names: await nameServer(addresses) })).toMatchObject({
      ...unavailable('destination_denied', 'unsafe_address'),
      trace: { address, verdict: 'denied', status: null },
    })
    expect(dialled).toEqual([])
  })

  test('that became unsafe within a scan are a rebinding', async () => {
    const result = await visit({
      ...dialTo(1),
      names: await nameServer({ a: ['10.0.0.1'] }),
      earlierAddresses: [PUBLIC_V4],
    })
    expect(result).toMatchObject(unavailable('destination_denied', 'rebinding'))
  })

  test.each([
    ['there is none', () => ({}), 'target', 'name_not_resolved'],
    ['the name does not exist', () => ({ flags: rcode.nxdomain }), 'target', 'name_not_resolved', 'nxdomain'],
    ['the servers fail', () => ({ flags: rcode.servfail }), 'target', 'name_not_resolved'],
    ['the servers refuse', () => ({ flags: rcode.refused }), 'target', 'name_not_resolved'],
    [
      'one of the two questions fails',
      (question: Buffer) =>
        question.includes(Buffer.from([0, 28, 0, 1]))
          ? { flags: rcode.servfail }
          : answerOf(question, { a: [PUBLIC_V4] }),
      'target',
      'name_not_resolved',
    ],
    ['the servers are silent', () => undefined, 'transport', 'timeout'],
  ])('are not known where %s', async (_what, serve, fault, cause, reason = 'dns_failed') => {
    const { dial, dialled } = dialTo(1)
    const result = await visit({ dial, names: await dnsServer(serve) })
    expect(result).toMatchObject({
      ...unavailable(cause, reason, fault),
      trace: { verdict: 'denied' },
    })
    expect(dialled).toEqual([])
  })
})

describe('the connection', () => {
  test('is compared with the address that was approved', async () => {
    const server = await httpServer((_request, response) => response.end('ok'))
    const elsewhere = () => ({ socket: connect({ host: LOOPBACK, port: server.port }), peer: () => '196.10.100.9' })
    for (const dial of [
      elsewhere,
      (address: string) => ({ ...elsewhere(), peer: () => (address === '' ? '' : undefined) }),
    ]) {
      expect(await visit({ dial })).toMatchObject({
        ...unavailable('destination_denied', 'peer_mismatch'),
        trace: { verdict: 'denied', address: PUBLIC_V4 },
      })
    }
    expect(server.requests).toEqual([])
  })

  test('of the real dial knows the peer of its socket', async () => {
    const server = await httpServer((_request, response) => response.end('ok'))
    const result = await visit({ dial: () => dial(LOOPBACK, server.port) })
    expect(result).toMatchObject(unavailable('destination_denied', 'peer_mismatch'))
    expect(server.requests).toEqual([])
  })

  test('that is refused tries no second address', async () => {
    const { dial, dialled } = dialTo(await closedPort())
    const names = await nameServer({ a: [PUBLIC_V4, '196.10.100.2'], aaaa: [PUBLIC_V6] })
    expect(await visit({ dial, names })).toMatchObject({
      ...unavailable('connection_failed', 'connection_failed'),
      trace: { verdict: 'allowed' },
    })
    expect(dialled).toHaveLength(1)
  })

  test('without a way out of this machine is a failure of the transport', async () => {
    const names = await nameServer({ aaaa: [PUBLIC_V6] })
    const noWay = () => {
      const { socket, peer } = dialNowhere(PUBLIC_V6)
      process.nextTick(() => socket.destroy(Object.assign(new Error('no way'), { code: 'ENETUNREACH' })))
      return { socket, peer }
    }
    expect(await visit({ dial: noWay, names })).toMatchObject(
      unavailable('connection_failed', 'connection_failed', 'transport'),
    )
  })

  // The cases run concurrently, because each of them waits for the limit of five seconds.
  test('ends if it is not made, or silent, for 5 seconds', async () => {
    const identity = await tlsIdentity(['karoo.example'])
    const half = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf'
    const plain = await rawServer((socket) => socket.write(half))
    const encrypted = await httpsServer(identity, (_request, response) => response.writeHead(200).write('half'))
    const mute = await rawServer(() => {})
    const secure = { url: 'https://karoo.example/', ca: identity.cert }
    const [unmade, unencrypted, silent, silentOverTls] = await Promise.all([
      visit({ dial: dialNowhere }),
      visit({ ...dialTo(mute.port), ...secure }),
      visit(dialTo(plain.port)),
      visit({ ...dialTo(encrypted.port), ...secure }),
    ])
    expect(unmade).toMatchObject(unavailable('timeout', 'connection_failed'))
    expect(unencrypted).toMatchObject(unavailable('timeout', 'tls_failed'))
    expect(pageOf(silent)).toMatchObject({ text: 'half', endedBy: 'time_limit' })
    expect(pageOf(silentOverTls)).toMatchObject({ text: 'half', endedBy: 'time_limit' })
  })
})

describe('over TLS', () => {
  const names = ['karoo.example']

  test('SNI and Host are the name, and the certificate is verified by it', async () => {
    const identity = await tlsIdentity(names)
    let seen = {}
    const server = await httpsServer(identity, (request, response) => {
      seen = {
        host: request.headers.host,
        servername: 'servername' in request.socket ? request.socket.servername : null,
      }
      response.end('ok')
    })
    const { dial, dialled } = dialTo(server.port)
    const result = await visit({ dial, url: 'https://karoo.example/', ca: identity.cert })
    expect(pageOf(result)).toMatchObject({ text: 'ok' })
    expect(seen).toEqual({ host: 'karoo.example', servername: 'karoo.example' })
    expect(dialled).toEqual([{ address: PUBLIC_V4, port: 443 }])
    expect(result.bytesReceived).toBeGreaterThan(500)
  })

  test.each([
    ['of another name', ['other.example'], 1, true],
    ['that has expired', names, -1, true],
    ['of an authority that is not trusted', names, 1, false],
  ])(
    'a certificate %s ends the request, even where the environment switches verification off',
    async (_what, certified, days, isTrusted) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      const identity = await tlsIdentity(certified, days)
      const server = await httpsServer(identity, (_request, response) => response.end('ok'))
      const ca = isTrusted ? { ca: identity.cert } : {}
      expect(await visit({ ...dialTo(server.port), url: 'https://karoo.example/', ...ca })).toMatchObject(
        unavailable('tls_failed', 'tls_failed'),
      )
      expect(server.requests).toEqual([])
    },
  )

  test('a server that speaks no TLS ends the request', async () => {
    const server = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
    expect(await visit({ ...dialTo(server.port), url: 'https://karoo.example/' })).toMatchObject(
      unavailable('tls_failed', 'tls_failed'),
    )
  })
})

describe('what the site answers', () => {
  const answering = async (
    status: number,
    headers: Record<string, string | string[]> = {},
    url = 'http://karoo.example/start',
  ) => {
    const server = await httpServer((_request, response) =>
      response.writeHead(status, headers).end('a body that is not read'),
    )
    return visit({ ...dialTo(server.port), url })
  }

  test('429 defers the request: for seconds, until a date, or without a time', async () => {
    const deferred = (retryAfterMs: number | null) => ({
      outcome: 'deferred',
      cause: 'rate_limited',
      retryAfterMs,
      trace: { status: 429 },
    })
    expect(await answering(429, { 'retry-after': '90' })).toMatchObject(deferred(90_000))
    expect(await answering(429, { 'retry-after': 'Mon, 02 Nov 2026 08:01:00 GMT' })).toMatchObject(deferred(60_000))
    expect(await answering(429, { 'retry-after': '99999999999999999999' })).toMatchObject(deferred(7 * 86_400_000))
    expect(await answering(429, { 'retry-after': 'soon' })).toMatchObject(deferred(null))
    expect(await answering(429)).toMatchObject(deferred(null))
  })

  test.each([401, 403, 451])('%i does not permit access', async (status) => {
    expect(await answering(status)).toMatchObject({
      outcome: 'unavailable',
      cause: 'access_denied',
      fault: 'target',
      trace: { status, verdict: 'allowed' },
    })
  })

  test.each([200, 404, 500, 503])('%i is a page', async (status) => {
    const result = await answering(status, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '5' })
    expect(pageOf(result)).toMatchObject({
      status,
      contentType: 'text/html; charset=utf-8',
      redirect: null,
      endedBy: null,
      text: 'a body that is not read',
    })
    expect(result).toMatchObject({ isComplete: true, next: null })
  })

  test.each([301, 302, 303, 307, 308])('%i names where it leads, and is not followed', async (status) => {
    const server = await httpServer((_request, response) =>
      response.writeHead(status, { location: '/next' }).end('moved'),
    )
    const result = await visit({ ...dialTo(server.port), url: 'http://karoo.example/start' })
    expect(pageOf(result)).toMatchObject({
      status,
      text: '',
      redirect: { target: 'http://karoo.example/next', scope: 'same_site' },
    })
    expect(server.requests).toEqual(['GET /start'])
  })

  test.each([
    ['two targets', ['/a', '/b']],
    ['the same target twice', ['/a', '/a']],
    ['no target', []],
    ['a target that is no URL', 'http://[/'],
    ['a target of more than 2,000 characters', `/${'a'.repeat(2_000)}`],
  ])('a redirect with %s is an error', async (_what, location) => {
    expect(await answering(302, { location })).toMatchObject(unavailable('answer_invalid', 'protocol_error'))
  })

  test('no header but the media type leaves the adapter', async () => {
    const result = await answering(200, {
      'set-cookie': 'session=secret',
      'content-type': 'text/html',
      'x-token': 'secret',
    })
    expect(JSON.stringify(result)).not.toContain('secret')
  })
})

describe('the budgets', () => {
  const answering = async (raw: string | Buffer, part: Partial<Parameters<typeof visit>[0]> = {}) => {
    const server = await rawServer((socket) => socket.end(raw))
    return visit({ ...dialTo(server.port), ...part })
  }
  const gzipped = (body: Buffer) =>
    Buffer.concat([Buffer.from(rawResponse(`Content-Encoding: gzip\r\nContent-Length: ${body.length}`)), body])
  const partial = (endedBy: string) => ({
    outcome: 'answered',
    isComplete: false,
    records: [{ endedBy }],
    trace: { reason: endedBy, status: 200 },
  })

  test('of decoded bytes count the expanded gzip, and return the content before the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'))
    const result = await answering(gzipped(bomb), { limits: { decodedBytes: 100_000 } })
    expect(result).toMatchObject(partial('decoded_limit'))
    expect(pageOf(result).text).toBe('a'.repeat(100_000))
    expect(result.bytesReceived).toBeLessThan(100_000)
  })

  test('of decoded bytes are met exactly', async () => {
    const page = rawResponse('Content-Length: 1000', 'x'.repeat(1_000))
    expect(pageOf(await answering(page, { limits: { decodedBytes: 1_000 } }))).toMatchObject({ endedBy: null })
    expect(await answering(page, { limits: { decodedBytes: 999 } })).toMatchObject(partial('decoded_limit'))
  })

  test('of bytes on the wire count headers, chunks and TLS', async () => {
    const result = await answering(rawResponse('', 'x'.repeat(400_000)), { limits: { wireBytes: 100_000 } })
    expect(result).toMatchObject(partial('size_limit'))
    expect(pageOf(result).body.byteLength).toBeLessThan(300_000)
    expect(
      await answering(rawResponse('Content-Length: 10', '0123456789'), { limits: { wireBytes: 30 } }),
    ).toMatchObject(partial('size_limit'))
  })

  test('of the source contract are the lower ones', async () => {
    expect(await answering(rawResponse('', 'x'.repeat(400_000)), { call: { maxBytes: 50_000 } })).toMatchObject(
      partial('size_limit'),
    )
    const silent = await rawServer(() => {})
    const ended: string[] = []
    await Promise.all([
      visit(dialTo(silent.port)).then(() => ended.push('by silence')),
      visit({ ...dialTo(silent.port), call: { timeoutMs: 100 } }).then(() => ended.push('by the contract')),
      visit({ ...dialTo(silent.port), limits: { totalMs: 200 } }).then(() => ended.push('by the query')),
    ])
    expect(ended).toEqual(['by the contract', 'by the query', 'by silence'])
  })

  test('of time end a drip, of headers and of the page', async () => {
    const headers = await rawServer((socket) => drip(socket, rawResponse(`X: ${'x'.repeat(1_000)}`)))
    expect(await visit({ ...dialTo(headers.port), limits: { totalMs: 300 } })).toMatchObject(
      unavailable('timeout', 'time_limit'),
    )
    const page = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      drip(socket, 'x'.repeat(1_000))
    })
    expect(await visit({ ...dialTo(page.port), limits: { totalMs: 300 } })).toMatchObject(partial('time_limit'))
  })

  test('of time include the look-up of the name', async () => {
    const names = await dnsServer(() => undefined)
    expect(await visit({ dial: dialNowhere, names, limits: { totalMs: 100 } })).toMatchObject(
      unavailable('timeout', 'time_limit'),
    )
    // With a limit of the source contract the silence is a failure of the name servers.
    expect(await visit({ dial: dialNowhere, names, call: { timeoutMs: 100 } })).toMatchObject(
      unavailable('timeout', 'time_limit', 'transport'),
    )
  })

  test('of 1xx responses are 4', async () => {
    const early = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
    const page = rawResponse('Content-Length: 2', 'ok')
    expect(pageOf(await answering(early.repeat(4) + page))).toMatchObject({ text: 'ok' })
    expect(await answering(early.repeat(5) + page)).toMatchObject(unavailable('answer_invalid', 'informational_limit'))
    const continued = 'HTTP/1.1 100 Continue\r\n\r\n'
    expect(await answering(continued.repeat(5) + page)).toMatchObject(
      unavailable('answer_invalid', 'informational_limit'),
    )
  })

  test('of 1xx responses end an endless stream at once', async () => {
    const server = await rawServer((socket) => {
      const flood = () => {
        if (!socket.destroyed) socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), flood)
      }
      flood()
    })
    const result = await visit(dialTo(server.port))
    expect(result).toMatchObject(unavailable('answer_invalid', 'informational_limit'))
    expect(result.bytesReceived).toBeLessThan(1_000_000)
    await vi.waitUntil(() => server.open() === 0)
  })

  test('of headers are 100, and 16 KiB', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: y`).join('\r\n')
    expect(pageOf(await answering(rawResponse(many(100))))).toMatchObject({ endedBy: null })
    expect(await answering(rawResponse(many(101)))).toMatchObject(unavailable('answer_invalid', 'header_limit'))
    expect(await answering(rawResponse(`X: ${'y'.repeat(17_000)}`))).toMatchObject(
      unavailable('answer_invalid', 'header_limit'),
    )
    expect(await answering(`HTTP/1.1 103 Early Hints\r\n${many(101)}\r\n\r\n${rawResponse('')}`)).toMatchObject(
      unavailable('answer_invalid', 'header_limit'),
    )
  })

  test.each([
    ['brotli', 'Content-Encoding: br'],
    ['zstd', 'Content-Encoding: zstd'],
    ['deflate', 'Content-Encoding: deflate'],
    ['gzip inside gzip', 'Content-Encoding: gzip, gzip'],
    ['gzip named by two headers', 'Content-Encoding: gzip\r\nContent-Encoding: gzip'],
    ['a coding of the transfer', 'Transfer-Encoding: gzip, chunked'],
  ])('an encoding that was not requested is not decoded: %s', async (_what, head) => {
    const result = await answering(rawResponse(head, 'whatever'))
    expect(result).toMatchObject(partial('encoding_unsupported'))
    expect(pageOf(result).text).toBe('')
  })

  test('the requested encodings are decoded', async () => {
    expect(pageOf(await answering(gzipped(gzipSync('karoo'))))).toMatchObject({ text: 'karoo', endedBy: null })
    const plain = await answering(
      rawResponse('Content-Encoding: identity\r\nTransfer-Encoding: chunked', '5\r\nkaroo\r\n0\r\n\r\n'),
    )
    expect(pageOf(plain)).toMatchObject({ text: 'karoo', endedBy: null })
  })
})

describe('a broken answer is bounded and named', () => {
  const answering = async (raw: string | Buffer) => {
    const server = await rawServer((socket) => socket.end(raw))
    return visit(dialTo(server.port))
  }

  test.each([
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n'],
    ['HTTP/0.9', '<html>'],
    ['line feeds alone', 'HTTP/1.1 200 OK\nX: y\n\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok'],
    ['a length beside chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok'],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ])('%s', async (_what, raw) => {
    expect(await answering(raw)).toMatchObject(unavailable('answer_invalid', 'protocol_error'))
  })

  test('nothing at all', async () => {
    expect(await answering('')).toMatchObject(unavailable('connection_failed', 'connection_failed'))
  })

  test.each([
    ['a length that is not reached', rawResponse('Content-Length: 100', 'half'), 'connection_failed', 'half'],
    ['chunks without an end', rawResponse('Transfer-Encoding: chunked', '4\r\nhalf\r\n'), 'connection_failed', 'half'],
    ['gzip that is none', rawResponse('Content-Encoding: gzip\r\nContent-Length: 4', 'half'), 'protocol_error', ''],
  ])('%s gives what came before', async (_what, raw, endedBy, text) => {
    expect(pageOf(await answering(raw))).toMatchObject({ endedBy, text })
  })

  test('gzip that is cut gives what came before', async () => {
    const body = gzipSync(randomBytes(50_000).toString('hex')).subarray(0, -20)
    const head = rawResponse(`Content-Encoding: gzip\r\nContent-Length: ${body.length}`)
    const page = pageOf(await answering(Buffer.concat([Buffer.from(head), body])))
    expect(page.endedBy).toBe('protocol_error')
    expect(page.text).toMatch(/^[0-9a-f]{50000}/)
  })

  test('a chunk that is none ends the page', async () => {
    const result = await answering(rawResponse('Transfer-Encoding: chunked', '4\r\nhalf\r\nZ\r\n'))
    expect(pageOf(result).endedBy).toBe('protocol_error')
  })
})
