import { type ApiProblem, neverFetched, newerVersion, unreachable } from '../api/api-problem.ts'

/**
 * A file of the app that is fetched apart from the first load. Rejects with what a person can be told: nothing answers, or the page has to
 * be loaded anew.
 */
export async function importWithRetry<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load()
  } catch (cause) {
    const page = await pageNow()
    if (page === null) throw because(unreachable(), cause)
    if (!page.includes(ownFile())) throw because(newerVersion(), cause)
    // The way was broken for a moment. Most browsers remember the failure and fail again at once: for them a new page alone helps.
    return load().catch((again: unknown) => {
      throw because(neverFetched(), again)
    })
  }
}

function because(problem: ApiProblem, cause: unknown): ApiProblem {
  return Object.assign(problem, { cause })
}

/** The page as the server has it by now; null: it does not answer, or is being built. */
function pageNow(): Promise<string | null> {
  return fetch('/', { cache: 'no-store' }).then(
    (response) => (response.ok ? response.text() : null),
    () => null,
  )
}

/** The file that this page began with: its name changes with every version. */
function ownFile(): string {
  return document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? ''
}
