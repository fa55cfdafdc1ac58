import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { standardOutput } from './standard-output.ts'
import { createWebServer } from './web-server.ts'

const page = '<!doctype html><html><head><script nonce="__CSP_NONCE__"></script></head></html>'
const script = `console.log(${JSON.stringify('x'.repeat(2000))})`

/** Malformed paths that the router rejects, and one with path traversal that the proxy rejects. */
const unreadablePaths = ['/%zz', '/api/v1/businesses/%zz', '/api/v1/..%2Fsession']

let folder: string
let app: FastifyInstance | null = null
let api: Server | null = null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'web-server-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'manifest.json'), '{}')
  writeFileSync(join(folder, 'assets', 'index-abc.js'), script)
  writeFileSync(join(folder, 'assets', 'index-abc.js.br'), brotliCompressSync(script))
})

afterEach(async () => {
  await app?.close()
  api?.closeAllConnections()
  api?.close()
  app = null
  api = null
  rmSync(folder, { recursive: true })
})

async function start(
  apiUrl = 'http://127.0.0.1:9',
  trustedProxies: string[] = [],
  logLevel: 'silent' | 'info' | 'trace' = 'silent',
): Promise<FastifyInstance> {
  const publicHosts = ['prospects.example']
  app = await createWebServer({ apiUrl, publicHosts, trustedProxies, logLevel }, folder)
  return app
}

/** Collects the log lines that the web server writes from now on. */
function logLines(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = []
  vi.spyOn(standardOutput, 'write').mockImplementation((line) => lines.push(JSON.parse(String(line))) > 0)
  return lines
}

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** Fake API that records the requests it receives. */
async function startApi(status = 200): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.push({
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      })
      response.writeHead(status, { 'content-type': 'application/json', etag: '"3"', 'set-cookie': 'a=b; HttpOnly' })
      response.end('{"ok":true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  api = server
  return { url: `http://127.0.0.1:${portOf(server)}`, seen }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening')
  return address.port
}

describe('the app', () => {
  test('the health check is public and returns ok', async () => {
    const answer = await (await start()).inject('/healthz')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({ status: 'ok' })
  })

  test('every app address returns the page, uncached, with a new nonce', async () => {
    const server = await start()
    const first = await server.inject('/prospects?state=new')
    const second = await server.inject('/prospects/0190-a/deep')
    for (const answer of [first, second]) {
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    }
    const nonce = /nonce="([^"]+)"/.exec(first.body)?.[1]
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{24}$/)
    expect(first.headers['content-security-policy']).toContain(`script-src 'self' 'nonce-${nonce}'`)
    expect(second.body).not.toContain(`"${nonce}"`)
  })

  test('the policy blocks inline styles and scripts without the nonce, and frames', async () => {
    const policy = String((await (await start()).inject('/')).headers['content-security-policy'])
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'self'")
  })

  test('hashed files are immutable and sent compressed if the client accepts it', async () => {
    const server = await start()
    const answer = await server.inject({ url: '/assets/index-abc.js', headers: { 'accept-encoding': 'br, gzip' } })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.headers.vary).toContain('accept-encoding')
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.rawPayload.length).toBeLessThan(script.length)
    const plain = await server.inject('/assets/index-abc.js')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.body).toBe(script)
  })

  test('a missing asset is a 404 and not the page, so that an outdated page notices', async () => {
    const answer = await (await start()).inject('/assets/gone-123.js')
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).not.toContain('<html')
  })

  test('a new build is served with the next page, and a page requested during the build gets an explanation', async () => {
    const server = await start()
    expect((await server.inject('/')).statusCode).toBe(200)
    rmSync(join(folder, 'assets', 'index-abc.js'))
    rmSync(join(folder, 'index.html'))
    const meanwhile = await server.inject('/prospects')
    expect(meanwhile.statusCode).toBe(503)
    expect(meanwhile.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '5' })
    expect(meanwhile.body).toContain('The web app is being built')
    writeFileSync(join(folder, 'assets', 'index-def.js'), script)
    writeFileSync(
      join(folder, 'index.html'),
      page.replace('</head>', '<script src="/assets/index-def.js"></script></head>'),
    )
    expect((await server.inject('/prospects')).body).toContain('/assets/index-def.js')
    expect((await server.inject('/assets/index-def.js')).body).toBe(script)
  })

  test('the list of prospects is prefetched on its own addresses only', async () => {
    const ahead = '<!--first-screen--><link rel="modulepreload" href="/assets/list.js"><!--/first-screen-->'
    writeFileSync(join(folder, 'index.html'), page.replace('</head>', `${ahead}</head>`))
    const server = await start()
    const fetchesAhead = async (url: string) => (await server.inject(url)).body.includes('modulepreload')
    for (const url of ['/', '/prospects', '/prospects?q=a', '/prospects/1'])
      expect(await fetchesAhead(url), url).toBe(true)
    for (const url of ['/sign-in', '/welcome', '/prospects-of-mine']) expect(await fetchesAhead(url), url).toBe(false)
  })

  test('a missing file with an extension is a 404, and a path without one is the page', async () => {
    const server = await start()
    for (const url of ['/favicon.ico', '/robots.txt?x=1', '/nope/nope.txt', '/.well-known/change-password'])
      expect((await server.inject(url)).statusCode, url).toBe(404)
    for (const url of ['/prospects', '/prospects/1?q=jan@karoo.co.za', '/v1.2/page'])
      expect((await server.inject(url)).statusCode, url).toBe(200)
  })

  test('paths with a dot segment or below node_modules are not the page', async () => {
    const server = await start()
    for (const url of [
      '/.git/HEAD',
      '/.git',
      '/.env',
      '/.aws/credentials?x=1',
      '/prospects/.hidden/deep',
      '/%2egit/HEAD',
      '/%2Egit%2FHEAD',
      '/x%5c.git/HEAD',
      '/.well-known/security',
      '/node_modules/',
      '/node_modules/react/LICENSE',
      '/node%5fmodules/react/LICENSE',
      '/apps/web/node_modules/react/LICENSE',
    ]) {
      const { statusCode, body } = await server.inject(url)
      expect([url, statusCode, body]).toEqual([url, 404, 'Not found\n'])
    }
    for (const url of ['/prospects?q=/.git/', '/prospects/node_modules_of', '/prospects/1.'])
      expect((await server.inject(url)).statusCode, url).toBe(200)
  })

  test('serves nothing outside the built files', async () => {
    const server = await start()
    for (const url of ['/assets/../manifest.json', '/assets/%2e%2e/manifest.json', '/assets/..%2fmanifest.json']) {
      expect((await server.inject(url)).body).not.toBe('{}')
    }
  })

  test('every response has the common headers', async () => {
    const server = await start()
    const own = ['/', '/healthz', '/favicon.svg', '/assets/index-abc.js', '/assets/none.js']
    for (const url of [...own, ...unreadablePaths, '/api/v1/health/live']) {
      const { headers } = await server.inject(url)
      expect(headers['x-request-id'], url).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers['x-content-type-options'], url).toBe('nosniff')
      expect(headers['content-security-policy'], url).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy'], url).toContain("object-src 'none'")
      expect(headers['referrer-policy'], url).toBe('same-origin')
      expect(headers['permissions-policy'], url).toContain('camera=()')
    }
  })

  test('only the script of a worker may connect to the API', async () => {
    writeFileSync(join(folder, 'assets', 'changes-worker-a_1-.js'), script)
    writeFileSync(join(folder, 'assets', 'changes-worker-a_1-.js.br'), brotliCompressSync(script))
    const server = await start()
    const policyOf = async (url: string) =>
      (await server.inject({ url, headers: { 'accept-encoding': 'br' } })).headers['content-security-policy']
    const policy = await policyOf('/assets/changes-worker-a_1-.js')
    expect(policy).toContain("connect-src 'self'")
    expect(policy).toContain("default-src 'none'")
    expect(await policyOf('/assets/index-abc.js')).not.toContain('connect-src')
  })

  test('a malformed address, or one with path traversal, returns a problem', async () => {
    const server = await start()
    for (const url of unreadablePaths) {
      const { statusCode, headers, json } = await server.inject(url)
      expect([statusCode, headers['content-type'], headers['cache-control']], url).toEqual([
        400,
        'application/problem+json; charset=utf-8',
        'no-store',
      ])
      expect(json(), url).toMatchObject({ status: 400, code: 'invalid_request', requestId: headers['x-request-id'] })
    }
  })

  test('client errors keep their status: an invalid media type, an unsatisfiable range', async () => {
    const server = await start()
    const type = { method: 'POST', url: '/api/v1/x', headers: { 'content-type': 'foo' }, payload: 'a' } as const
    const part = { url: '/assets/index-abc.js', headers: { range: 'bytes=99999999-' } }
    const answers = await Promise.all([server.inject(type), server.inject(part)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([415, 416])
  })

  test('sends HSTS over TLS only', async () => {
    const server = await start(undefined, ['127.0.0.1'])
    for (const url of ['/', '/healthz', '/favicon.svg']) {
      const secure = await server.inject({ url, headers: { 'x-forwarded-proto': 'https' } })
      expect(secure.headers['strict-transport-security'], url).toBe('max-age=63072000; includeSubDomains')
      expect((await server.inject(url)).headers, url).not.toHaveProperty('strict-transport-security')
    }
  })

  test('rejects TRACE, and POST to a page', async () => {
    const server = await start()
    expect((await server.inject({ method: 'TRACE', url: '/' })).statusCode).toBeGreaterThanOrEqual(400)
    const sent = await server.inject({ method: 'POST', url: '/prospects' })
    expect([sent.statusCode, sent.headers['cache-control'], sent.body]).toEqual([404, 'no-store', 'Not found\n'])
  })

  describe('the answer of a company’s provider, posted by its page', () => {
    const idToken = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJvbmUifQ.c2lnbmF0dXJl'
    const post = async (form: string, headers: Record<string, string> = {}) =>
      (await start()).inject({
        method: 'POST',
        url: '/sign-in/company',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://id.company.example',
          'sec-fetch-site': 'cross-site',
          ...headers,
        },
        payload: form,
      })

    test('is in the page of the app, which has its policy and is not stored', async () => {
      const response = await post(`state=st-1&id_token=${idToken}&session_state=other`)
      expect(response.statusCode).toBe(200)
      expect(response.body).toContain(
        `<meta name="company-answer" data-id-token="${idToken}" data-state="st-1"></head>`,
      )
      expect(response.headers['cache-control']).toBe('no-store')
      expect(response.headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-/)
    })

    test('of a refused sign-in is an error code, without its description', async () => {
      const { body } = await post('error=access_denied&error_description=%3Cscript%3E&state=st-1')
      expect(body).toContain('<meta name="company-answer" data-error="access_denied">')
      expect(body).not.toContain('<script>')
    })

    test.each([
      '',
      'state=st-1',
      `id_token=${idToken}`,
      `id_token=${idToken}&id_token=${idToken}&state=st-1`,
      `id_token=${encodeURIComponent('a.b.c"><script>alert(1)</script>')}&state=st-1`,
      `id_token=${idToken}&state=${encodeURIComponent('"><script>')}`,
      `error=${encodeURIComponent('"><img src=x>')}`,
    ])('in another form becomes an error and adds no markup: %s', async (form) => {
      const { body } = await post(form)
      expect(body).toBe(
        page
          .replace('</head>', '<meta name="company-answer" data-error="invalid_answer"></head>')
          .replace('__CSP_NONCE__', /nonce="([^"]+)"/.exec(body)?.[1] ?? ''),
      )
    })

    test('is refused if it is too large, no form, or for another host', async () => {
      expect((await post(`id_token=${'x'.repeat(70_000)}&state=s`)).statusCode).toBe(413)
      expect((await post('{}', { 'content-type': 'application/json' })).statusCode).toBe(415)
      expect((await post('', { host: 'evil.example' })).statusCode).toBe(421)
    })
  })

  test('the log contains the route, never the address or the search text', async () => {
    const lines = logLines()
    const server = await start(undefined, undefined, 'trace')
    for (const path of ['/prospects', '/api/v1/businesses/acacia']) await server.inject(`${path}?q=jan@karoo.co.za`)
    const answered = lines.filter(({ msg }) => msg === 'answered')
    expect(answered.map(({ route }) => route)).toEqual(['none', '/api/*'])
    expect(Object.keys(answered[0] ?? {})).toEqual([
      'level',
      'time',
      'requestId',
      'method',
      'route',
      'status',
      'ms',
      'msg',
    ])
    expect(answered[0]?.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(JSON.stringify(lines)).not.toMatch(/karoo|acacia/)
  })

  test('malformed requests return a problem and are logged without their content', async () => {
    const server = await start()
    const logs = (['trace', 'debug', 'info', 'warn', 'error'] as const).map((level) => vi.spyOn(server.log, level))
    await server.listen({ host: '127.0.0.1', port: 0 })
    const long = 'x'.repeat(20_000)
    for (const [line, status, code] of [
      ['FOO / HTTP/1.1', 400, 'invalid_request'],
      [`GET /?q=${long} HTTP/1.1`, 431, 'headers_too_large'],
    ] as const) {
      const socket = connect(portOf(server.server), '127.0.0.1')
      socket.write(`${line}\r\nHost: localhost\r\nCookie: prospect_session=secret\r\n\r\n`)
      let answer = ''
      for await (const chunk of socket) answer += String(chunk)
      const [head = '', body = ''] = answer.split('\r\n\r\n')
      expect(head).toContain('Content-Type: application/problem+json')
      expect(head).toContain('x-content-type-options: nosniff')
      expect(JSON.parse(body)).toMatchObject({ status, code, requestId: expect.any(String) })
    }
    const logged = logs.flatMap(({ mock }) => mock.calls)
    expect(logged.filter(([, message]) => message === 'answered an unreadable request')).toHaveLength(2)
    expect(JSON.stringify(logged)).not.toMatch(/secret|rawPacket/)
  })

  test('refuses to start without a built app and explains what to do', async () => {
    rmSync(join(folder, 'index.html'))
    await expect(start()).rejects.toThrow('The web app is not built')
  })
})

describe('the allowed host names', () => {
  const urls = ['/', '/prospects', '/assets/index-abc.js', '/favicon.svg', '/api/v1/session', '/no/such.file']

  test.each(['localhost:9999', '127.0.0.1', '[::1]', 'prospects.example', 'Prospects.Example:8443'])(
    'are those of loopback and PUBLIC_HOSTS, with any port: %s',
    async (host) => {
      const { url } = await startApi()
      const server = await start(url)
      for (const path of urls)
        expect((await server.inject({ url: path, headers: { host } })).statusCode, path).not.toBe(421)
    },
  )

  test('reject other names with 421 before the API is called', async () => {
    const { url, seen } = await startApi()
    const server = await start(url)
    for (const path of urls) {
      const answer = await server.inject({ url: path, headers: { host: 'evil.example' } })
      expect([path, answer.statusCode, answer.headers['cache-control']]).toEqual([path, 421, 'no-store'])
      expect(answer.json()).toMatchObject({ status: 421, code: 'misdirected_request' })
    }
    expect(seen).toEqual([])
  })

  test('do not apply to health routes, which accept any single valid name', async () => {
    const { url } = await startApi()
    const server = await start(url)
    for (const path of ['/healthz', '/healthz?x=1', '/api/v1/health/live', '/api/v1/health/ready']) {
      for (const host of ['10.1.2.3:8080', 'my_probe'])
        expect((await server.inject({ url: path, headers: { host } })).statusCode, path).toBe(200)
      expect((await server.inject({ url: path, headers: { host: 'a b' } })).statusCode, path).toBe(400)
    }
  })

  test('are checked in Host, and in X-Forwarded-Host only from a trusted proxy', async () => {
    const asked = async (trusted: string[], host: string, forwarded: string) => {
      const server = await start(undefined, trusted)
      const answer = await server.inject({ url: '/', headers: { host, 'x-forwarded-host': forwarded } })
      await server.close()
      return answer.statusCode
    }
    expect(await asked(['127.0.0.1'], 'localhost', 'prospects.example')).toBe(200)
    expect(await asked(['127.0.0.1'], 'localhost', 'evil.example')).toBe(421)
    expect(await asked(['127.0.0.1'], 'evil.example', 'prospects.example')).toBe(421)
    expect(await asked([], 'localhost', 'evil.example')).toBe(200)
    expect(await asked([], 'evil.example', 'prospects.example')).toBe(421)
  })

  test('must appear once in a request: two Host headers or a target with another name are rejected', async () => {
    const server = await start()
    await server.listen({ host: '127.0.0.1', port: 0 })
    const statusOf = async (...lines: string[]) => {
      const socket = connect(portOf(server.server), '127.0.0.1')
      socket.write([...lines, 'Connection: close', '', ''].join('\r\n'))
      return (await text(socket)).split(' ', 2)[1]
    }
    expect(await statusOf('GET / HTTP/1.1', 'Host: localhost', 'host: localhost')).toBe('400')
    expect(await statusOf('GET /healthz HTTP/1.1', 'Host: localhost', 'Host: evil.example')).toBe('400')
    expect(await statusOf('GET /healthz HTTP/1.0')).toBe('400')
    expect(await statusOf('GET http://evil.example/ HTTP/1.1', 'Host: localhost')).toBe('421')
    expect(await statusOf('GET http://localhost/ HTTP/1.1', 'Host: localhost')).toBe('200')
  })

  test('are logged once when a name is missing, with the setting that adds it', async () => {
    const lines = logLines()
    const server = await start(undefined, undefined, 'info')
    for (let times = 0; times < 3; times++) await server.inject({ url: '/', headers: { host: 'crm.example:8443' } })
    expect(lines).toMatchObject([
      { level: 40, host: 'crm.example', msg: expect.stringContaining('PUBLIC_HOSTS=prospects.example,crm.example') },
    ])
  })
})

describe('the proxy to the API', () => {
  test('forwards the Host of the browser, the body, the trace and the address of the client', async () => {
    const { url, seen } = await startApi()
    const answer = await (await start(url)).inject({
      method: 'POST',
      url: '/api/v1/session?x=a%2Fb',
      headers: {
        host: 'prospects.example:8080',
        'content-type': 'application/json',
        cookie: 'prospect_session=s',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      },
      payload: '{"email":"é"}',
    })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers.etag).toBe('"3"')
    expect(answer.headers['set-cookie']).toEqual(['a=b; HttpOnly'])
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/session?x=a%2Fb', body: '{"email":"é"}' })
    expect(seen[0]?.headers).toMatchObject({
      host: 'prospects.example:8080',
      cookie: 'prospect_session=s',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'prospects.example:8080',
    })
  })

  test('drops forwarding headers of the client', async () => {
    const { url, seen } = await startApi()
    await (await start(url)).inject({
      url: '/api/v1/session',
      headers: { 'x-forwarded-for': '8.8.8.8', 'x-forwarded-proto': 'https', forwarded: 'for=8.8.8.8' },
    })
    expect(seen[0]?.headers['x-forwarded-for']).toBe('127.0.0.1')
    expect(seen[0]?.headers['x-forwarded-proto']).toBe('http')
    expect(seen[0]?.headers.forwarded).toBeUndefined()
  })

  test('streams an upload of 100 MB without a length, with a timeout of 30 minutes', async () => {
    const chunk = Buffer.alloc(1_000_000, 'a,b\n')
    let received = 0
    const upstream = createServer((request, response) => {
      request.on('data', (data: Buffer) => {
        received += data.length
      })
      request.on('end', () => response.writeHead(202).end())
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    api = upstream
    const server = await start(`http://127.0.0.1:${portOf(upstream)}`)
    await server.listen({ host: '127.0.0.1', port: 0 })
    expect([server.server.requestTimeout, server.server.headersTimeout]).toEqual([1_800_000, 60_000])
    const answer = await fetch(`http://127.0.0.1:${portOf(server.server)}/api/v1/csv-previews`, {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: ReadableStream.from(Array.from({ length: 100 }, () => chunk)),
      duplex: 'half',
    })
    expect([answer.status, received]).toEqual([202, 100_000_000])
  })

  test.each(['127.0.0.1', 'loopback'])(
    'uses the forwarding headers of a trusted proxy, named as %s',
    async (trusted) => {
      const { url, seen } = await startApi()
      await (await start(url, [trusted])).inject({
        url: '/api/v1/session',
        headers: {
          'x-forwarded-for': '8.8.8.8',
          'x-forwarded-proto': 'https',
          'x-forwarded-host': 'prospects.example',
        },
      })
      expect(seen[0]?.headers['x-forwarded-for']).toBe('8.8.8.8')
      expect(seen[0]?.headers['x-forwarded-proto']).toBe('https')
      expect(seen[0]?.headers.host).toBe('prospects.example')
    },
  )

  test('forwards a 503 of the API once without a retry', async () => {
    const { url, seen } = await startApi(503)
    const answer = await (await start(url)).inject('/api/v1/businesses')
    expect(answer.statusCode).toBe(503)
    expect(seen).toHaveLength(1)
  })

  test('returns a problem with the code unavailable if the API is down', async () => {
    const answer = await (await start('http://127.0.0.1:9')).inject('/api/v1/businesses')
    expect(answer.statusCode).toBe(503)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '2' })
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ status: 503, code: 'unavailable' })
  })

  test('retries a read once if the API closes the connection, never a change, and does not report either as unreachable', async () => {
    const asked: string[] = []
    const upstream = createServer(({ method, socket }) => {
      asked.push(method ?? '')
      socket.resetAndDestroy()
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    api = upstream
    const server = await start(`http://127.0.0.1:${portOf(upstream)}`)
    const read = await server.inject('/api/v1/businesses')
    const changed = await server.inject({ method: 'POST', url: '/api/v1/businesses', payload: { name: 'Karoo' } })
    expect([read.statusCode, changed.statusCode]).toEqual([502, 502])
    expect(asked).toEqual(['GET', 'GET', 'POST'])
  })

  const notAsked = 'GET /api/v1/not-asked HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const inChunks = `${notAsked.length.toString(16)}\r\n${notAsked}\r\n0\r\n\r\n`
  test.each([
    ['of a GET', 'GET', `Content-Length: ${notAsked.length}`, notAsked, ''],
    ['of a GET, in chunks', 'GET', 'Transfer-Encoding: chunked', inChunks, ''],
    ['of a HEAD', 'HEAD', `Content-Length: ${notAsked.length}`, notAsked, ''],
    ['of a DELETE', 'DELETE', `Content-Length: ${notAsked.length}`, notAsked, notAsked],
    [
      'whose length is named in Connection',
      'DELETE',
      `Connection: content-length\r\nContent-Length: ${notAsked.length}`,
      notAsked,
      notAsked,
    ],
    [
      'whose chunks are named in Connection',
      'OPTIONS',
      'Connection: transfer-encoding\r\nTransfer-Encoding: chunked',
      inChunks,
      notAsked,
    ],
    [
      'with what concerns one connection alone',
      'POST',
      `Trailer: X\r\nTE: trailers\r\nUpgrade: h2c\r\nContent-Length: ${notAsked.length}`,
      notAsked,
      notAsked,
    ],
  ])('a body %s is never read as the next request', async (_what, method, headers, sent, reached) => {
    const { url, seen } = await startApi()
    const server = await start(url)
    await server.listen({ host: '127.0.0.1', port: 0 })
    const port = portOf(server.server)
    const socket = connect(port, '127.0.0.1')
    socket.write(`${method} /api/v1/session HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n\r\n${sent}`)
    await new Promise((resolve) => socket.once('data', resolve))
    // The next user's request must not be affected, whichever connection to the API it uses.
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/capabilities`)).status).toBe(200)
    socket.destroy()
    expect(seen.map((one) => [one.method, one.url, one.body])).toEqual([
      [method, '/api/v1/session', reached],
      ['GET', '/api/v1/capabilities', ''],
    ])
  })

  test.each(['end', 'reset'])(
    'a body aborted by the client with an %s is logged in one line without a stack',
    async (how) => {
      const lines = logLines()
      let reached = () => {}
      const atApi = new Promise<void>((resolve) => {
        reached = resolve
      })
      const upstream = createServer((request) => {
        request.on('error', () => {})
        request.once('data', reached)
      })
      await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
      api = upstream
      const server = await start(`http://127.0.0.1:${portOf(upstream)}`, [], 'info')
      await server.listen({ host: '127.0.0.1', port: 0 })
      const socket = connect(portOf(server.server), '127.0.0.1')
      socket.on('error', () => {})
      socket.write('POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"email":"jan@karoo')
      await atApi
      if (how === 'end') socket.end()
      else socket.resetAndDestroy()
      await expect.poll(() => lines.length).toBeGreaterThan(1)
      await server.close()
      expect(lines.filter(({ msg }) => !String(msg).startsWith('Server listening'))).toEqual([
        {
          level: 30,
          time: expect.any(String),
          requestId: expect.any(String),
          method: 'POST',
          route: '/api/*',
          msg: 'the client aborted while sending the body',
        },
      ])
    },
  )

  test('an API that closes the connection is logged in one line without a stack, beside the line of the response', async () => {
    const lines = logLines()
    const upstream = createServer(({ socket }) => socket.resetAndDestroy())
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    api = upstream
    const server = await start(`http://127.0.0.1:${portOf(upstream)}`, [], 'info')
    await server.inject({ method: 'POST', url: '/api/v1/businesses', payload: { name: 'Karoo' } })
    expect(lines).toMatchObject([
      { level: 40, code: 'ECONNRESET', msg: 'the API did not answer' },
      { level: 40, status: 502, msg: 'answered' },
    ])
    expect(JSON.stringify(lines)).not.toContain('stack')
  })

  test('an API that closes the connection during a body is not logged as an aborting client', async () => {
    const lines = logLines()
    const upstream = createServer((request) => request.once('data', () => request.socket.resetAndDestroy()))
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    api = upstream
    const server = await start(`http://127.0.0.1:${portOf(upstream)}`, [], 'info')
    await server.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect(portOf(server.server), '127.0.0.1')
    socket.write('POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{')
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('502 Bad Gateway')
    socket.destroy()
    await server.close()
    expect(lines.filter(({ msg }) => !String(msg).startsWith('Server listening'))).toMatchObject([
      { level: 40, code: 'ECONNRESET', msg: 'the API did not answer' },
      { level: 40, status: 502, msg: 'answered' },
    ])
  })

  test('a path traversal out of /api does not reach the API', async () => {
    const { url, seen } = await startApi()
    const server = await start(url)
    await server.listen({ host: '127.0.0.1', port: 0 })
    await rawRequest(portOf(server.server), '/api/../secret')
    await rawRequest(portOf(server.server), '/api/%2e%2e/secret')
    expect(seen.filter(({ url: path }) => !path.startsWith('/api/'))).toEqual([])
  })
})

/** Sends a raw request, because fetch would normalise the path. */
function rawRequest(port: number, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.0\r\nHost: localhost\r\n\r\n`))
    socket.on('data', () => undefined)
    socket.on('close', () => resolve())
    socket.on('error', reject)
  })
}

test('a streaming response reaches the browser immediately, and the API notices when the browser disconnects', async () => {
  let gone: () => void = () => {}
  const apiSawEnd = new Promise<void>((resolve) => {
    gone = resolve
  })
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('id: 1\n\n')
    response.on('close', gone)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  api = server
  const web = await start(`http://127.0.0.1:${portOf(server)}`)
  const address = await web.listen({ host: '127.0.0.1', port: 0 })
  const leaving = new AbortController()
  const answer = await fetch(`${address}/api/v1/jobs/x/events/stream`, { signal: leaving.signal })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const first = await answer.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toBe('id: 1\n\n')
  leaving.abort()
  await apiSawEnd
})

test('an event stream ends when the web server closes, without delaying it', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write('id: 1\n\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  api = server
  const web = await start(`http://127.0.0.1:${portOf(server)}`)
  const address = await web.listen({ host: '127.0.0.1', port: 0 })
  const answer = await fetch(`${address}/api/v1/jobs/x/events/stream`)
  await web.close()
  expect(await answer.text()).toBe('id: 1\n\n')
})

describe('compression of API responses', () => {
  const list = JSON.stringify({ items: Array.from({ length: 50 }, (_, n) => ({ id: n, name: 'Karoo Bakery' })) })
  const mark = { 'x-compressible': 'true' }

  async function answering(headers: Record<string, string>, body = list, status = 200) {
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': body.length, ...headers })
      response.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    api = server
    return start(`http://127.0.0.1:${portOf(server)}`)
  }
  const accepting = (encodings: string) => ({ url: '/api/v1/businesses', headers: { 'accept-encoding': encodings } })

  test.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ])('compresses marked responses with an accepted encoding: %s', async (encodings, encoding, read) => {
    const web = await answering(mark)
    const { headers, rawPayload } = await web.inject(accepting(encodings))
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect([headers['content-length'], headers['x-compressible']]).toEqual([undefined, undefined])
    expect(read(rawPayload).toString()).toBe(list)
    expect(rawPayload.length).toBeLessThan(list.length / 4)
  })

  test.each([
    ['not marked', {}, list, 200, 'GET'],
    ['short', mark, '{"items":[]}', 200, 'GET'],
    ['failures', mark, list, 404, 'GET'],
    ['answers to a POST', mark, list, 200, 'POST'],
    ['compressed already', { ...mark, 'content-encoding': 'identity' }, list, 200, 'GET'],
  ] as const)('leaves responses that are %s unchanged', async (_what, given, body, status, method) => {
    const web = await answering(given, body, status)
    const { headers, payload } = await web.inject({ ...accepting('br'), method })
    expect(headers['content-encoding']).not.toBe('br')
    expect([headers['x-compressible'], payload]).toEqual([undefined, body])
  })

  test('fails when the connection breaks, instead of delivering a short list', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': list.length, ...mark })
      response.write(list.slice(0, list.length / 2), () => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    api = server
    const web = await start(`http://127.0.0.1:${portOf(server)}`)
    const address = await web.listen({ host: '127.0.0.1', port: 0 })
    await expect(fetch(`${address}/api/v1/businesses`).then((answer) => answer.text())).rejects.toThrow()
  })
})
