import { afterEach, expect, test, vi } from 'vitest'
import { importWithRetry } from './import-with-retry.ts'

const gone = new TypeError('Failed to fetch dynamically imported module')

/** Fakes a page that was loaded with index-1.js, and a server that gives `answer` to every request. */
function stubPage(answer: () => Promise<Response>, readyState: DocumentReadyState = 'interactive'): void {
  vi.stubGlobal('document', { readyState, querySelector: () => ({ getAttribute: () => '/assets/index-1.js' }) })
  vi.stubGlobal('fetch', answer)
}
const pageWith = (file: string) => async () => new Response(`<script type="module" src="/assets/${file}"></script>`)

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('returns a loaded file without further requests', async () => {
  stubPage(() => Promise.reject(new Error('asked')))
  expect(await importWithRetry(() => Promise.resolve('part'))).toBe('part')
})

test('imports no file of a loaded page while the server does not respond', async () => {
  const load = vi.fn(() => Promise.resolve('part'))
  for (const answer of [
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response('', { status: 503 }),
  ]) {
    stubPage(answer, 'complete')
    await expect(importWithRetry(load)).rejects.toMatchObject({ code: 'unreachable' })
  }
  expect(load).not.toHaveBeenCalled()
  stubPage(pageWith('index-1.js'), 'complete')
  expect(await importWithRetry(load)).toBe('part')
})

test.each([
  ['the page begins with another file by now', pageWith('index-2.js'), 'load_anew', 'A newer version is available'],
  ['the page is the same', pageWith('index-1.js'), 'load_anew', 'Part of this page is missing'],
  ['a build is under way', async () => new Response('', { status: 503 }), 'unreachable', 'No connection'],
  ['nothing answers', () => Promise.reject(new TypeError('Failed to fetch')), 'unreachable', 'No connection'],
])('a file that fails to load when %s', async (_, answer, code, title) => {
  stubPage(answer)
  const load = vi.fn(() => Promise.reject(gone))
  await expect(importWithRetry(load)).rejects.toMatchObject({ name: 'ApiProblem', code, title, cause: gone })
})

test('returns a file that loads at the second attempt', async () => {
  stubPage(pageWith('index-1.js'))
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(gone).mockResolvedValueOnce('part')
  expect(await importWithRetry(load)).toBe('part')
})

test('a file that never arrives is reported as missing, and the page as unreachable if it does not answer either', async () => {
  vi.useFakeTimers()
  for (const [answer, code] of [
    [pageWith('index-1.js'), 'load_anew'],
    [() => Promise.reject(new TypeError('Failed to fetch')), 'unreachable'],
  ] as const) {
    stubPage(answer)
    const reported = importWithRetry(() => new Promise(() => {})).catch((problem: unknown) => problem)
    await vi.runAllTimersAsync()
    expect(await reported).toMatchObject({ code, cause: { title: 'No response in time' } })
  }
})
