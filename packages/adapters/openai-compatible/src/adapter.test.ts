import { gzipSync } from 'node:zlib'
import type { NoSettings } from '@prospect/adapter-contract/adapter'
import { type CheckedPrompt, completionSchema, completionTraceSchema } from '@prospect/adapter-contract/prompt'
import { closedPort, drip, httpServer, LOOPBACK, rawServer } from '@prospect/adapter-contract/test-kit/servers'
import { type Expected, type Scene, testAdapter, unavailable } from '@prospect/adapter-contract/test-kit/test-adapter'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { completion, limits, parts, prompt } from '../test/prompt.ts'
import { openAiCompatibleAdapter } from './adapter.ts'

const adapter = openAiCompatibleAdapter({ baseUrl: `http://${LOOPBACK}:8080/v1`, model: 'llama-3', limits })

type Server = { port: number; connections?(): number; open?(): number }

async function at(
  server: Server,
  expected: Expected<CheckedPrompt>,
  part: Partial<Scene<CheckedPrompt, NoSettings>> = {},
) {
  const baseUrl = `http://${LOOPBACK}:${server.port}/v1`
  return {
    transport: await openAiCompatibleAdapter({ baseUrl, model: 'llama-3', limits }).load(),
    query: prompt,
    settings: {},
    received: () => server.connections?.() ?? 0,
    open: () => server.open?.() ?? 0,
    expected,
    ...part,
  } satisfies Scene<CheckedPrompt, NoSettings>
}

/** Creates a server that sends this text once the whole prompt has arrived. */
const raw = (text: string) =>
  rawServer((socket, received) => {
    if (received.endsWith('}')) socket.end(text)
  })
const status = (code: number, headers = {}) =>
  httpServer((_request, response) => response.writeHead(code, headers).end())
const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

testAdapter({
  version: manifest.version,
  adapter,
  query: prompt,
  settings: {},
  badQueries: {
    'the parts of an unchecked prompt': parts,
    'a prompt as it comes out of JSON': JSON.parse(JSON.stringify(prompt)),
    'a copy of a checked prompt': { ...prompt },
    'a text': 'Answer with the word karoo.',
    nothing: undefined,
  },
  badSettings: {
    'a host': { baseUrl: 'https://elsewhere.example/' },
    'a model': { model: 'other' },
    'a key': { key: 'secret' },
  },
  recordSchema: completionSchema,
  traceSchema: completionTraceSchema,
  scenes: {
    answers: async () =>
      at(await httpServer((_request, response) => response.end(completion())), {
        outcome: 'answered',
        isComplete: true,
        next: null,
      }),
    silent: async () => at(await rawServer(() => {}), unavailable('timeout'), { call: { timeoutMs: 200 } }),
    dripping: async () =>
      at(await rawServer((socket) => drip(socket, ok(completion()))), unavailable('timeout'), {
        call: { timeoutMs: 200 },
      }),
    absent: async () => at({ port: await closedPort() }, unavailable('connection_failed')),
    malformed: async () => at(await raw('SSH-2.0\r\n'), unavailable('answer_invalid')),
    oversized: async () => at(await raw(ok('x'.repeat(70_000))), unavailable('answer_too_large')),
  },
  more: {
    'answers something other than JSON': async () => at(await raw(ok('<html>')), unavailable('answer_invalid')),
    'answers JSON of another shape': async () => at(await raw(ok('{"error":"busy"}')), unavailable('answer_invalid')),
    'is cut off': async () => at(await raw(ok(completion()).slice(0, -10)), unavailable('connection_failed')),
    'sends less than it announces': async () =>
      at(await raw(`HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n${completion()}`), unavailable('connection_failed')),
    'never ends': async () =>
      at(await raw('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{'), unavailable('connection_failed')),
    'encodes what was to be plain': async () =>
      at(
        await httpServer((_request, response) =>
          response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(completion())),
        ),
        unavailable('answer_invalid'),
      ),
    'defers the request': async () =>
      at(await status(429, { 'retry-after': '7' }), {
        outcome: 'deferred',
        cause: 'rate_limited',
        retryAfterMs: 7_000,
      }),
    'is overloaded': async () =>
      at(await status(503, { 'retry-after': '7' }), { outcome: 'deferred', cause: 'overloaded', retryAfterMs: 7_000 }),
    fails: async () => at(await status(500), unavailable('server_error')),
    'does not permit access': async () => at(await status(401), unavailable('access_denied')),
    'rejects the request': async () => at(await status(400), unavailable('request_rejected')),
    redirects: async () => at(await status(307, { location: '/elsewhere' }), unavailable('redirect_refused')),
  },
})

test('shows the exact bytes of its request, and the values that the operator set', () => {
  const plan = adapter.plan({ query: prompt, settings: {} })
  expect(plan).toMatchObject({
    requests: [
      {
        content:
          '{"model":"llama-3","messages":[{"role":"system","content":"Answer with the word karoo."},{"role":"user","content":"[{\\"E1\\":\\"Windpumps since 1974 — “the best”\\"}]"}],"max_tokens":300,"temperature":0,"n":1,"stream":false,"response_format":{"type":"json_schema","json_schema":{"name":"answer","strict":true,"schema":{"type":"object","properties":{"receipt":{"type":"string"}},"required":["receipt"]}}}}',
      },
    ],
    maxRequests: 1,
  })
  expect(adapter.details).toEqual({ model: 'llama-3', limits })
})

describe('a wrong configuration is refused by a sentence without values', () => {
  const right = { baseUrl: 'https://models.example/v1', model: 'llama-3', limits }
  test.each([
    ['an empty base URL', { baseUrl: '' }, 'baseUrl must be a web address.'],
    ['no base URL', { baseUrl: undefined }, 'baseUrl must be a text.'],
    ['another scheme', { baseUrl: 'ftp://models.example' }, 'baseUrl must be a web address.'],
    [
      'plain text to a public address',
      { baseUrl: 'http://8.8.8.8/v1' },
      'baseUrl must use https, as its address is not private.',
    ],
    [
      'plain text to a public address, spelled otherwise',
      { baseUrl: 'http://0x08080808/v1' },
      'baseUrl must use https',
    ],
    ['plain text to link-local metadata', { baseUrl: 'http://169.254.169.254/v1' }, 'baseUrl must use https'],
    [
      'a password in the URL',
      { baseUrl: 'https://me:secret@models.example/v1' },
      'baseUrl must not contain a name or a password',
    ],
    ['a query in the URL', { baseUrl: 'https://models.example/v1?key=secret' }, 'baseUrl must end with its path.'],
    ['a relative key file', { keyFile: 'secret' }, 'keyFile must be an absolute path.'],
    ['a key', { key: 'secret' }, ''],
    ['no limits', { limits: undefined }, 'limits '],
    ['more calls at once than 2', { limits: { ...limits, concurrentCalls: 3 } }, 'limits.concurrentCalls '],
  ])('%s', (_what, part, sentence) => {
    const configure = () => openAiCompatibleAdapter({ ...right, ...part } as never)
    expect(configure).toThrow(`The openai-compatible adapter is configured wrongly: ${sentence}`)
    expect(configure).not.toThrow('secret@')
    expect(configure).not.toThrow('key=secret')
  })

  test.each([
    'http://127.0.0.1:8080/v1',
    'http://[::1]:8080/v1',
    'http://10.0.0.5/v1',
    'http://ollama:11434/v1',
    'https://models.example',
  ])('%s is right', (baseUrl) => {
    expect(openAiCompatibleAdapter({ ...right, baseUrl }).id).toBe('openai-compatible')
  })
})
