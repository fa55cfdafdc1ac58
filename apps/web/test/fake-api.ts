/** A stand-in for the network: answers of the API by method and path. The app above it is the real one, down to `fetch`. */
import type { Problem } from '@prospect/api-client'

export type SentRequest = { method: string; path: string; query: URLSearchParams; headers: Headers; body: unknown }
type Answer = (request: SentRequest) => Response | Promise<Response>

const prefix = '/api/v1'
const realFetch = globalThis.fetch
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

/** The connection breaks before an answer arrives. */
export const connectionLost: Answer = () => {
  throw new TypeError('Failed to fetch')
}

/** An answer that waits until the test sends it. */
export function heldAnswer(): { answer: Answer; send: (answer: Answer) => void } {
  const held = Promise.withResolvers<Answer>()
  return { answer: async (request) => (await held.promise)(request), send: (answer) => held.resolve(answer) }
}

/**
 * Replaces `fetch` until the end of the test. `answers` maps 'GET /notes' to one answer, or to a list of answers for one request each; the
 * last one repeats. A request without an answer fails the test.
 */
export function fakeApi(answers: Record<string, Answer | Answer[]> = {}) {
  const sent: SentRequest[] = []
  const queues = new Map(Object.entries(answers).map(([key, value]) => [key, [value].flat()]))
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (!url.pathname.startsWith(prefix)) return realFetch(input, init)
    const path = url.pathname.slice(prefix.length)
    const text = await request.clone().text()
    const one = {
      method: request.method,
      path,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
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
    /** Requests of one kind, in order: `sentTo('POST /notes')`. */
    sentTo: (key: string) => sent.filter(({ method, path }) => `${method} ${path}` === key),
    answer: (key: string, ...next: Answer[]) => {
      queues.set(key, next)
    },
  }
}

export function restoreFetch(): void {
  globalThis.fetch = realFetch
}

export function assertAllAnswered(): void {
  const missed = unanswered
  unanswered = []
  if (missed.length > 0) throw new Error(`The test gives no answer to ${missed.join(', ')}`)
}
