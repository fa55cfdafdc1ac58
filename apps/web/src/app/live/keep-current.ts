import type { QueryClient } from '@tanstack/react-query'
import { type ChangeItem, liveChanges } from '../../ui/api/live-changes.ts'
import { answersOf } from '../../ui/api/query-keys.ts'
import { refreshLists } from '../../ui/prospects/record-keys.ts'
import { markChanged, refreshAll, refreshChanged } from './refresh-changed.ts'

/** Time for which changes are collected before they are read together. */
const GATHER_MS = 400
/** Polling interval while the stream is not live. */
const POLL_EVERY_MS = 10_000
/** Polling interval while the stream is live, for changes of kinds that the stream does not send. */
const LOOK_EVERY_MS = 60_000
/** Time without input after which reading stops. Requests without a user would keep the session from expiring. */
const AWAY_AFTER_MS = 5 * 60_000

const signs = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const

/**
 * Reads visible data again: after an event of the stream only the data that changed, and lists and open records at an interval. Nothing is read
 * while the user is away or the page is hidden; the missed changes are read when the user returns. Nothing is read either while a change of this
 * window is being sent, because its result is shown anyway. Returns a function that stops all of this.
 */
export function keepCurrent(queryClient: QueryClient): () => void {
  let touchedAt = performance.now()
  let readAt = performance.now()
  let gathered: ChangeItem[] = []
  /** Changes that arrived while nobody was there. */
  let unseen: ChangeItem[] = []
  let isAllOutdated = false
  let timer: ReturnType<typeof setTimeout> | null = null

  const isAttended = () => document.visibilityState !== 'hidden' && performance.now() - touchedAt < AWAY_AFTER_MS
  const isWaiting = () => isAllOutdated || gathered.length > 0

  function gather(): void {
    timer ??= setTimeout(() => {
      timer = null
      if (!isAttended() || !isWaiting()) return
      if (queryClient.isMutating() > 0) return gather()
      const items = gathered
      const isAll = isAllOutdated
      gathered = []
      isAllOutdated = false
      readAt = performance.now()
      markChanged(unseen)
      unseen = []
      void (isAll ? refreshAll(queryClient) : refreshChanged(queryClient, items))
    }, GATHER_MS)
  }

  const look = () => {
    if (!isAttended() || queryClient.isMutating() > 0) return
    readAt = performance.now()
    void readAgain(queryClient)
  }
  const stopListening = liveChanges.subscribe((news) => {
    // Changes between the reads of this page and the begin of the stream are in no event.
    if (news.type === 'state' && news.state === 'live') look()
    if (news.type === 'changes') {
      // Nobody changes anything in this window now, so others did, also where the rows are read again before these items are.
      if (!isAttended()) unseen = newestOf([...unseen, ...news.items])
      gathered = newestOf([...gathered, ...news.items])
    }
    if (news.type === 'reset') isAllOutdated = true
    if (isWaiting()) gather()
  })

  const looks = setInterval(() => {
    const pauseMs = liveChanges.state === 'live' ? LOOK_EVERY_MS : POLL_EVERY_MS
    if (performance.now() - readAt >= pauseMs) look()
  }, POLL_EVERY_MS)
  const comeBack = () => {
    const wasAway = performance.now() - touchedAt > AWAY_AFTER_MS
    touchedAt = performance.now()
    if (isWaiting()) gather()
    if (wasAway || touchedAt - readAt > 2 * LOOK_EVERY_MS) look()
  }
  const onVisible = () => {
    if (document.visibilityState === 'visible' && isWaiting()) gather()
  }
  document.addEventListener('visibilitychange', onVisible)
  for (const sign of signs) document.addEventListener(sign, comeBack, { capture: true, passive: true })
  return () => {
    stopListening()
    clearInterval(looks)
    if (timer !== null) clearTimeout(timer)
    document.removeEventListener('visibilitychange', onVisible)
    for (const sign of signs) document.removeEventListener(sign, comeBack, { capture: true })
  }
}

/** Returns the last item of each subject. */
function newestOf(items: readonly ChangeItem[]): ChangeItem[] {
  return [...new Map(items.map((item) => [`${item.kind} ${item.id}`, item])).values()]
}

const isOrigin = (key: unknown) => typeof key === 'object' && key !== null && 'isOrigin' in key

/** Reads lists, boards, counts and each open record again. A read that is already running is not repeated. */
async function readAgain(queryClient: QueryClient): Promise<void> {
  const open = queryClient
    .getQueryCache()
    .findAll({ type: 'active', queryKey: answersOf('getBusiness') })
    .filter(({ queryKey: [key] }) => !isOrigin(key))
  const options = { cancelRefetch: false }
  await Promise.all([
    refreshLists(queryClient, options),
    ...open.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey }, options)),
  ])
}
