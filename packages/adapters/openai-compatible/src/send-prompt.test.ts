import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transportResultSchema } from '@prospect/adapter-contract/adapter'
import { completionSchema } from '@prospect/adapter-contract/prompt'
import { requestOf } from '@prospect/adapter-contract/test-kit/request-of'
import { httpServer, httpsServer, LOOPBACK, rawServer } from '@prospect/adapter-contract/test-kit/servers'
import { tlsIdentity } from '@prospect/adapter-contract/test-kit/tls-identity'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { completion, limits, parts, prompt } from '../test/prompt.ts'
import { openAiCompatibleAdapter } from './adapter.ts'
import { readCompletion } from './completion.ts'
import { bodyOf } from './request.ts'
import { type Provider, sendPrompt } from './send-prompt.ts'

const names = vi.hoisted((): Record<string, string[]> => ({}))

vi.mock('node:dns/promises', async (original) => {
  const { lookup } = await original<typeof import('node:dns/promises')>()
  return {
    lookup: async (host: string, options: { all: true }) =>
      names[host]?.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })) ?? lookup(host, options),
  }
})

/** Sends one prompt. `query` is a checked prompt unless the test passes another one. */
async function send(part: Partial<Provider> & { port?: number; query?: unknown } = {}) {
  const { port = 1, query = prompt, ...provider } = part
  const endpoint = new URL(`http://${LOOPBACK}:${port}/v1/chat/completions`)
  const means = { endpoint, model: 'llama-3', keyFile: undefined, ca: undefined, ...provider }
  return requestOf({
    transport: { request: (input) => sendPrompt(input, means) },
    query: query as typeof prompt,
    settings: {},
  })
}

async function sendTo(serve: RequestListener, part: Partial<Provider> = {}) {
  const server = await httpServer(serve)
  return { server, result: await send({ port: server.port, ...part }) }
}

function keyFile(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'prospect-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'key')
  writeFileSync(file, content)
  return file
}

test('the request is one POST of exactly the planned bytes, with these headers and no other', async () => {
  let received = ''
  const server = await rawServer((socket, text) => {
    received = text
    if (text.endsWith('}}}}')) socket.end(`HTTP/1.1 200 OK\r\n\r\n${completion()}`)
  })
  expect(await send({ port: server.port, keyFile: keyFile('sk-karoo\n') })).toMatchObject({ outcome: 'answered' })
  const body = bodyOf(prompt, 'llama-3')
  const planned = openAiCompatibleAdapter({ baseUrl: 'https://models.example', model: 'llama-3', limits }).plan({
    query: prompt,
    settings: {},
  })
  expect(planned).toMatchObject({ requests: [{ content: body }] })
  expect(Buffer.from(received, 'latin1').toString()).toBe(
    [
      'POST /v1/chat/completions HTTP/1.1',
      `Host: ${LOOPBACK}:${server.port}`,
      'Authorization: Bearer sk-karoo',
      'Accept: application/json',
      'Accept-Encoding: identity',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
})

test('every status is answered after one POST, and no redirect is followed', async () => {
  for (let status = 200; status < 600; status++) {
    const { server, result } = await sendTo((_request, response) =>
      response.writeHead(status, { location: '/elsewhere' }).end(),
    )
    expect({ status, requests: server.requests }).toEqual({ status, requests: ['POST /v1/chat/completions'] })
    expect(result.outcome).not.toBe('answered')
  }
})

test('a connection that breaks after the prompt was sent is not tried again', async () => {
  const server = await rawServer((socket) => socket.resetAndDestroy())
  expect(await send({ port: server.port })).toMatchObject({ outcome: 'unavailable', cause: 'connection_failed' })
  expect(server.connections()).toBe(1)
})

test('the proxy of the environment is passed by', async () => {
  const provider = await httpServer((_request, response) => response.end(completion()))
  const proxy = await httpServer((_request, response) => response.end(completion()))
  const proxyUrl = `http://${LOOPBACK}:${proxy.port}`
  const env = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxyUrl, http_proxy: proxyUrl, HTTPS_PROXY: proxyUrl }
  const program = join(import.meta.dirname, '../test/send-process.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, `http://${LOOPBACK}:${provider.port}/v1`], {
    env,
  })
  expect([stdout, provider.requests, proxy.requests]).toEqual(['answered\n', ['POST /v1/chat/completions'], []])
})

describe('an unchecked prompt', () => {
  test.each([
    ['its parts', parts],
    ['a copy', { ...prompt }],
    ['what JSON makes of it', JSON.parse(JSON.stringify(prompt))],
  ])('is not sent: %s', async (_what, query) => {
    const server = await httpServer((_request, response) => response.end(completion()))
    expect(await send({ port: server.port, query })).toMatchObject({
      outcome: 'unavailable',
      cause: 'destination_denied',
      bytesReceived: 0,
    })
    expect(server.connections()).toBe(0)
  })
})

describe('the key', () => {
  const authorizations = async (file: string) => {
    const seen: unknown[] = []
    const { result } = await sendTo(
      (request, response) => {
        seen.push(request.headers.authorization)
        response.end(completion())
      },
      { keyFile: file },
    )
    return { seen, result }
  }

  test('is read for each call, so that it can be replaced', async () => {
    const file = keyFile('first')
    expect((await authorizations(file)).seen).toEqual(['Bearer first'])
    writeFileSync(file, 'second\r\n')
    expect((await authorizations(file)).seen).toEqual(['Bearer second'])
  })

  test.each([
    ['nothing', ''],
    ['two lines', 'one\ntwo'],
    ['a header', 'key\r\nX-Other: 1'],
    ['letters beyond ASCII', 'schlüssel'],
    ['5,000 characters', 'x'.repeat(5_000)],
  ])('that is %s ends the call before anything is sent', async (_what, content) => {
    const { seen, result } = await authorizations(keyFile(content))
    expect([seen, result]).toEqual([
      [],
      {
        outcome: 'unavailable',
        cause: 'secret_unreadable',
        fault: 'transport',
        trace: { status: null, reason: null },
        bytesReceived: 0,
      },
    ])
  })

  test('whose file is gone ends the call before anything is sent', async () => {
    expect(await authorizations('/nowhere/key')).toMatchObject({ seen: [], result: { cause: 'secret_unreadable' } })
  })
})

describe('plain text', () => {
  test.each([
    ['a public address', ['8.8.8.8']],
    ['a public address beside a private one', ['10.0.0.1', '8.8.8.8']],
    ['the metadata of a cloud', ['169.254.169.254']],
    ['metadata inside the private range', ['fd00:ec2::254']],
  ])('is not sent where the name leads to %s', async (_what, addresses) => {
    names['models.example'] = addresses
    expect(await send({ endpoint: new URL('http://models.example/v1') })).toMatchObject({
      outcome: 'unavailable',
      cause: 'destination_denied',
      fault: 'transport',
      trace: { reason: 'unsafe_address' },
    })
  })

  test('is sent to the address that was judged, where the name leads to a private one', async () => {
    names.ollama = [LOOPBACK]
    const server = await httpServer((request, response) => response.end(completion({ model: request.headers.host })))
    const result = await send({ endpoint: new URL(`http://ollama:${server.port}/v1/chat/completions`) })
    expect(result).toMatchObject({ outcome: 'answered', records: [{ model: `ollama:${server.port}` }] })
  })

  test('is not sent where the name does not exist', async () => {
    expect(await send({ endpoint: new URL('http://nowhere.invalid/v1') })).toMatchObject({
      outcome: 'unavailable',
      cause: 'name_not_resolved',
    })
  })
})

describe('over TLS', () => {
  test('the certificate is verified by the name, even where the environment switches verification off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    names['models.example'] = [LOOPBACK]
    names['other.example'] = [LOOPBACK]
    const identity = await tlsIdentity(['models.example'])
    const server = await httpsServer(identity, (_request, response) => response.end(completion()))
    const to = (host: string, ca: string | undefined) =>
      send({ endpoint: new URL(`https://${host}:${server.port}/v1/chat/completions`), ca })
    expect(await to('models.example', identity.cert)).toMatchObject({ outcome: 'answered' })
    for (const result of [
      await to('other.example', identity.cert),
      await to('models.example', undefined),
      await to(LOOPBACK, identity.cert),
    ])
      expect(result).toMatchObject({ outcome: 'unavailable', cause: 'tls_failed' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('the answer', () => {
  test('contains text, finish reason, usage, model and the body as received', () => {
    const received = completion()
    expect(readCompletion(received)).toEqual({
      text: '{"receipt":"karoo"}',
      finishReason: 'stop',
      usage: { promptTokens: 41, completionTokens: 7 },
      model: 'llama-3',
      received,
    })
  })

  test.each([
    ['none', undefined],
    ['null', null],
    ['zeros', { prompt_tokens: 0, completion_tokens: 0 }],
    ['nonsense', { prompt_tokens: 'many', completion_tokens: -1 }],
    ['a text', 'free'],
  ])('with usage that is %s has no usage, not a usage of zero', (_what, usage) => {
    expect(readCompletion(completion({ usage }))).toMatchObject({ usage: null })
  })

  test('that contains only reasoning is an empty text', () => {
    const message = { role: 'assistant', content: null, reasoning_content: '{"receipt":"karoo"}' }
    expect(readCompletion(completion({ choices: [{ finish_reason: 'length', message }] }))).toMatchObject({
      text: '',
      finishReason: 'length',
    })
  })

  test.each([
    ['no choice', { choices: [] }],
    ['two choices', { choices: [1, 2].map(() => ({ message: { content: 'x' } })) }],
    ['a choice without a message', { choices: [{ text: 'x' }] }],
    ['content that is no text', { choices: [{ message: { content: [{ type: 'text' }] } }] }],
  ])('with %s is none', (_what, part) => {
    expect(readCompletion(completion(part))).toBeUndefined()
  })

  test('whatever it is, has the form of the contract', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc
            .record({ choices: fc.anything(), usage: fc.anything() })
            .map((value) => JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? 0 : part))),
        ),
        (received) => {
          const read = readCompletion(received ?? '')
          if (read !== undefined) completionSchema.parse(read)
        },
      ),
    )
  })

  test('of 100,000 bytes is read no further than its limit', async () => {
    const { result } = await sendTo((_request, response) => response.end('x'.repeat(10_000_000)))
    expect(transportResultSchema.parse(result)).toMatchObject({ outcome: 'unavailable', cause: 'answer_too_large' })
    expect(result.bytesReceived).toBeLessThan(1_000_000)
  })
})
