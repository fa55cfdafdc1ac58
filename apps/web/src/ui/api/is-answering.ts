/** What is not answered by then was asked over a line that is dead: the next time another one is tried. */
const ANSWER_WITHIN_MS = 10_000

/** Whether the service answers. No session is asked for, and so none is kept from ending. */
export function isAnswering(): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  return fetch('/api/v1/health/live', { cache: 'no-store', signal }).then(
    (response) => response.ok,
    () => false,
  )
}
