import { type ApiProblem, neverFetched, newerVersion, tooLate, unreachable } from '../api/api-problem.ts'
import { ANSWER_WITHIN_MS } from '../api/gated-fetch.ts'

/**
 * Loads a file of the app that is not in the initial bundle. Rejects with an error for the user: the service is unreachable, or the page must be
 * reloaded. While the page itself loads, its server responds; later the server is asked before the import, because a browser that caches failed imports
 * could not load the file after an outage.
 */
export async function importWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  if (document.readyState === 'complete' && (await pageNow()) === null) throw unreachable()
  try {
    return await inTime(load())
  } catch (cause) {
    const page = await pageNow()
    if (page === null) throw because(unreachable(), cause)
    if (!page.includes(ownFile())) throw because(newerVersion(), cause)
    // The connection failed briefly. Most browsers cache a failed import and fail again immediately; then only a reload helps. The same holds for a
    // file on a dead connection, because a second import waits for the first one.
    return inTime(load()).catch((again: unknown) => {
      throw because(neverFetched(), again)
    })
  }
}

/** Rejects if the file does not arrive in time. The browser itself would wait for minutes. */
function inTime<Part>(loading: Promise<Part>): Promise<Part> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooLate()), ANSWER_WITHIN_MS)
  return Promise.race([loading, late.promise]).finally(() => clearTimeout(timer))
}

function because(problem: ApiProblem, cause: unknown): ApiProblem {
  return Object.assign(problem, { cause })
}

/** The current page from the server, or null if it does not respond or is being built. */
function pageNow(): Promise<string | null> {
  return fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    .then((response) => (response.ok ? response.text() : null))
    .catch(() => null)
}

/** Entry file of the loaded page. Its name changes with each version. */
function ownFile(): string {
  return document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''
}
