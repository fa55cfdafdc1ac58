/** Fake network: responses of the API by method and path. Everything above `fetch` is the real app. */
import type { Problem } from '@prospect/api-client'

export type SentRequest = { method: string; path: string; query: URLSearchParams; headers: Headers; body: unknown }
export type Answer = (request: SentRequest) => Response | Promise<Response>

const prefix = '/api/v1'
const testServer = globalThis.fetch
let unanswered: string[] = []

export const json =
  (body: unknown, status = 200): Answer =>
  () =>
    Response.json(body, { status })

export const problem =
  (status: number, code: string, more: Partial<Problem> = {}): Answer =>
  () =>
    new Response(JSON.stringify({ status, code, title: code, detail: `${code}.`, requestId: 'r1', ...more }), {
      status,
      headers: { 'content-type': 'application/problem+json' },
    })

/** The connection breaks before a response arrives. */
export const connectionLost: Answer = () => {
  throw new TypeError('Failed to fetch')
}

/** A response that waits until the test sends it. */
export function heldAnswer(): { answer: Answer; send: (answer: Answer) => void } {
  const deferred = Promise.withResolvers<Answer>()
  return { answer: async (request) => (await deferred.promise)(request), send: (answer) => deferred.resolve(answer) }
}

/**
 * Replaces `fetch` until the end of the test. `answers` maps 'GET /notes' to one response, or to a list with one response per request, of which the
 * last one repeats. A request without a response fails the test.
 */
export function fakeApi(answers: Record<string, Answer | Answer[]> = {}) {
  const sent: SentRequest[] = []
  const queues = new Map(Object.entries(answers).map(([key, value]) => [key, [value].flat()]))
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (!url.pathname.startsWith(prefix)) return withoutApi(input, init)
    const path = url.pathname.slice(prefix.length)
    const one = {
      method: request.method,
      path,
      query: url.searchParams,
      headers: request.headers,
      body: await bodyOf(request.clone()),
    }
    sent.push(one)
    const queue = queues.get(`${request.method} ${path}`)
    const answer = queue !== undefined && queue.length > 1 ? queue.shift() : queue?.[0]
    if (answer === undefined) {
      unanswered.push(`${request.method} ${path}`)
      return problem(404, 'not_found')(one)
    }
    return answer(one)
  }
  return {
    sent,
    /** Requests by method and path, in order: `sentTo('POST /notes')`. */
    sentTo: (key: string) => sent.filter(({ method, path }) => `${method} ${path}` === key),
    answer: (key: string, ...next: Answer[]) => {
      queues.set(key, next)
    },
  }
}

async function bodyOf(request: Request): Promise<unknown> {
  if (request.headers.get('content-type')?.startsWith('multipart/form-data')) return request.formData()
  const text = await request.text()
  return text === '' ? undefined : JSON.parse(text)
}

/** Removes the API from the network. The web server stays, because the app asks for its page before it imports a part. */
export function restoreFetch(): void {
  globalThis.fetch = withoutApi
}

const withoutApi: typeof fetch = async (input, init) => {
  const { pathname } = new URL(new Request(input, init).url)
  return pathname === '/' ? new Response(document.documentElement.outerHTML) : testServer(input, init)
}

export function assertAllAnswered(): void {
  const missed = unanswered
  unanswered = []
  if (missed.length > 0) throw new Error(`The test gives no answer to ${missed.join(', ')}`)
}
