/** Interval of the check whether the page still loads something. */
const CHECK_MS = 250

/**
 * Calls `step` at each check at which `isLoading` is false, until `step` returns true. On a slow connection, loading in advance would otherwise delay
 * the visible content. Returns a function that stops the checks.
 */
export function whenQuiet(isLoading: () => boolean, step: () => boolean): () => void {
  const timer = setInterval(() => {
    if (!isLoading() && step()) clearInterval(timer)
  }, CHECK_MS)
  return () => clearInterval(timer)
}
