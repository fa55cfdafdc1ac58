import { Readable } from 'node:stream'
import type { App } from '../src/app.ts'

export type Answer<T> = { status: number; body: T; headers: Record<string, string | string[] | number | undefined> }

/** Request headers. An undefined header is not sent, so a test can omit one. */
export type Headers = Record<string, string | undefined>

/** Sends requests as a browser does. Paths omit /api/v1. A body of text, bytes or a stream is sent unchanged. */
export type TestClient = {
  get<T = unknown>(path: string, headers?: Headers): Promise<Answer<T>>
  head(path: string, headers?: Headers): Promise<Answer<null>>
  post<T = unknown>(path: string, body?: unknown, headers?: Headers): Promise<Answer<T>>
  put<T = unknown>(path: string, body?: unknown, headers?: Headers): Promise<Answer<T>>
  patch<T = unknown>(path: string, body?: unknown, headers?: Headers): Promise<Answer<T>>
  delete<T = unknown>(path: string, body?: unknown, headers?: Headers): Promise<Answer<T>>
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export function createTestClient(app: App, defaults: Headers, remoteAddress = '127.0.0.1'): TestClient {
  async function send<T>(method: Method, path: string, body: unknown, headers: Headers = {}): Promise<Answer<T>> {
    const hasBody = body !== undefined
    const contentType = hasBody ? { 'content-type': 'application/json' } : {}
    const response = await app.inject({
      method,
      url: `/api/v1${path}`,
      remoteAddress,
      headers: sent({ ...contentType, ...defaults, ...headers }),
      ...(hasBody ? { payload: isSentAsItIs(body) ? body : JSON.stringify(body) } : {}),
    })
    return { status: response.statusCode, headers: response.headers, body: bodyOf<T>(response) }
  }
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    head: (path, headers) => send('HEAD', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, body, headers) => send('DELETE', path, body, headers),
  }
}

function isSentAsItIs(body: unknown): body is string | Buffer | Readable {
  return typeof body === 'string' || Buffer.isBuffer(body) || body instanceof Readable
}

/** Returns the body of a response: null if it is empty, text for a file or a page. */
function bodyOf<T>(response: { body: string; headers: Answer<T>['headers']; json<J>(): J }): T {
  if (response.body === '') return JSON.parse('null')
  const { 'content-disposition': disposition, 'content-type': type } = response.headers
  const isText = disposition !== undefined || !String(type).includes('json')
  return isText ? JSON.parse(JSON.stringify(response.body)) : response.json<T>()
}

function sent(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
  )
}
