import type { Problem, ProblemError } from '@prospect/api-client'

/** Writes the sentences of the API in the format of the workspace. Set by the app, because formatting belongs to `ui/text`. */
let written = (sentence: string): string => sentence

export function writeSentencesWith(format: (sentence: string) => string): void {
  written = format
}

/** A failed or rejected API call, with texts that can be shown to the user. `status` is 0 when no response came. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly requestId: string | null
  readonly errors: ProblemError[]
  readonly currentVersion: number | null
  readonly retryAfterSeconds: number | null

  constructor(problem: Partial<Problem> & { status: number; code: string }, retryAfterSeconds: number | null = null) {
    const detail = written(problem.detail ?? '')
    super(detail || problem.title || problem.code)
    this.name = 'ApiProblem'
    this.status = problem.status
    this.code = problem.code
    this.title = problem.title ?? 'The request failed'
    this.detail = detail
    this.requestId = problem.requestId ?? null
    this.errors = (problem.errors ?? []).map((error) => ({ ...error, message: written(error.message) }))
    this.currentVersion = problem.currentVersion ?? null
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** True if a retry of the same call may succeed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 502 || this.status === 503 || this.status === 504
  }
}

export function isProblem(error: unknown, ...codes: string[]): error is ApiProblem {
  return error instanceof ApiProblem && (codes.length === 0 || codes.includes(error.code))
}

/** Message of the server about one field, to show beside it. Undefined if the error concerns something else. */
export function messageAbout(error: unknown, field: string): string | undefined {
  return isProblem(error) ? error.errors.find(({ path }) => path === field)?.message : undefined
}

/** True when no complete response came, so the change may have been made. A 503, and an offline device, mean that it was not made. */
export const isUnanswered = (error: unknown): boolean =>
  isProblem(error) && [0, 502, 504].includes(error.status) && error.code !== OFFLINE

/** One sentence for the user about any thrown value. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'Something on this page failed. Reload the page, then try again.'
  if (error.code === OFFLINE) return error.detail
  if (error.status === 0) return 'Could not reach the server. Try again in a moment.'
  if (error.code === 'idempotency_key_reused')
    return 'Your entry was already saved, and what was saved has since changed or been erased. Check the prospect or the list first. If you save again, a second entry is created.'
  return error.detail || error.title
}

export const unreachable = (): ApiProblem =>
  new ApiProblem({
    status: 0,
    code: 'unreachable',
    title: 'No connection',
    detail: 'Could not reach the server.',
  })

const OFFLINE = 'offline'

/** Error for a call that started while the device was offline: nothing was sent. */
export const offline = (): ApiProblem =>
  new ApiProblem({
    status: 0,
    code: OFFLINE,
    title: 'Offline',
    detail: 'You are offline, so nothing was sent. Try again when you are back online.',
  })

/** Error that the web server also returns when the API does not respond in time: the change may have been made. */
export const tooLate = (): ApiProblem =>
  new ApiProblem({
    status: 504,
    code: 'unavailable',
    title: 'No response in time',
    detail: 'The server took too long to respond. Try again in a moment.',
  })

export const notOwn = (): ApiProblem =>
  new ApiProblem({
    status: 401,
    code: 'session_replaced',
    title: 'Another session',
    detail:
      'In another tab of this browser, another person signed in, or the workspace was changed. Reload this page to continue.',
  })

/** Code for a file of the app that this page can no longer load. Only a reload helps. */
export const LOAD_ANEW = 'load_anew'

export const newerVersion = (): ApiProblem =>
  new ApiProblem({
    status: 404,
    code: LOAD_ANEW,
    title: 'A newer version is available',
    detail: 'A newer version of this app is available.',
  })

export const neverFetched = (): ApiProblem =>
  new ApiProblem({
    status: 404,
    code: LOAD_ANEW,
    title: 'Part of this page is missing',
    detail: 'Part of this page could not be loaded.',
  })

/** Converts the parsed body of an error response into an ApiProblem, including bodies that are not problem+json, such as a proxy's page. */
export function problemOf(body: unknown, { status, headers }: Pick<Response, 'status' | 'headers'>): ApiProblem {
  const seconds = Number(headers.get('retry-after'))
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null
  if (isProblemBody(body)) return new ApiProblem({ ...body, status }, retryAfter)
  return new ApiProblem(
    {
      status,
      code: status >= 500 ? 'unavailable' : 'invalid_request',
      title: status >= 500 ? 'The service is unavailable' : 'The request was refused',
      detail:
        status >= 500
          ? 'The server returned an unexpected response. Try again in a moment.'
          : `The server returned status ${status}.`,
    },
    retryAfter,
  )
}

export async function problemFrom(response: Response): Promise<ApiProblem> {
  return problemOf(await response.json().catch(() => null), response)
}

function isProblemBody(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
}
