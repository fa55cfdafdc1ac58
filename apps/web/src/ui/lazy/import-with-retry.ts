import { type ApiProblem, neverFetched, newerVersion, unreachable } from '../api/api-problem.ts'

/**
 * Loads a file of the app that is not in the initial bundle. Rejects with an error for the user: the service is unreachable, or the page must be
 * reloaded.
 */
export async function importWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    const page = await pageNow()
    if (page === null) throw because(unreachable(), cause)
    if (!page.includes(ownFile())) throw because(newerVersion(), cause)
    // The connection failed briefly. Most browsers cache a failed import and fail again immediately; then only a reload helps.
    return load().catch((again: unknown) => {
      throw because(neverFetched(), again)
    })
  }
}

function because(problem: ApiProblem, cause: unknown): ApiProblem {
  return Object.assign(problem, { cause })
}

/** The current page from the server, or null if it does not respond or is being built. */
function pageNow(): Promise<string | null> {
  return fetch('/', { cache: 'no-store' }).then(
    (response) => (response.ok ? response.text() : null),
    () => null,
  )
}

/** Entry file of the loaded page. Its name changes with each version. */
function ownFile(): string {
  return document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''
}
