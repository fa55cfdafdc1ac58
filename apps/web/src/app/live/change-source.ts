import type { ChangeItem } from '../../ui/api/live-changes.ts'

/** Message of the connection to the stream, for all windows of this browser. A new connection continues at `cursor`. */
export type SourceNews =
  | { type: 'live'; cursor: string }
  | { type: 'changes'; items: ChangeItem[]; cursor: string }
  | { type: 'reset'; cursor: string }
  | { type: 'lost' }

export type SourceEvent = 'start' | 'changes' | 'heartbeat' | 'reset'
type SourceListener = { onEvent(event: SourceEvent, data: string, id: string): void; onLoss(): void }

export type FollowChanges = {
  open(cursor: string | null, listener: SourceListener): { close(): void }
  tell(news: SourceNews): void
  /** Position at which the first connection starts; null for changes from now on. */
  cursor: string | null
  /** Timer, replaced in tests. */
  wait?: (run: () => void, ms: number) => () => void
}

/** Pause before a new connection attempt. It is doubled after each failure, so that the browsers do not overload a service that restarts. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** Time without any event after which the connection is considered dead. The stream sends a heartbeat every 15 seconds. */
export const SILENT_AFTER_MS = 40_000

/**
 * Keeps a connection to the stream of changes open. After a loss it reconnects and continues at its cursor. Returns a function that closes the
 * connection.
 */
export function followChanges({ open, tell, cursor: first, wait = timer }: FollowChanges): () => void {
  let cursor = first
  let pauseMs = FIRST_PAUSE_MS
  let isStopped = false
  let source: { close(): void } | null = null
  let stopWaiting = () => {}

  function later(run: () => void, ms: number): void {
    stopWaiting()
    stopWaiting = wait(run, ms)
  }

  function connect(): void {
    if (isStopped) return
    const opened = open(cursor, {
      onEvent: (event, data, id) => {
        if (source !== opened || isStopped) return
        later(lose, SILENT_AFTER_MS)
        pauseMs = FIRST_PAUSE_MS
        cursor = id
        if (event === 'changes') tell({ type: 'changes', items: itemsOf(data), cursor })
        else tell({ type: event === 'reset' ? 'reset' : 'live', cursor })
      },
      onLoss: () => {
        if (source === opened) lose()
      },
    })
    source = opened
    later(lose, SILENT_AFTER_MS)
  }

  function lose(): void {
    source?.close()
    source = null
    if (isStopped) return
    tell({ type: 'lost' })
    later(connect, pauseMs)
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)
  }

  connect()
  return () => {
    isStopped = true
    stopWaiting()
    source?.close()
    source = null
  }
}

function itemsOf(data: string): ChangeItem[] {
  const parsed: { items?: unknown } = JSON.parse(data)
  return Array.isArray(parsed.items) ? parsed.items.filter(isChangeItem) : []
}

function isChangeItem(value: unknown): value is ChangeItem {
  return typeof value === 'object' && value !== null && 'kind' in value && 'id' in value
}

function timer(run: () => void, ms: number): () => void {
  const id = setTimeout(run, ms)
  return () => clearTimeout(id)
}

const events = ['start', 'changes', 'heartbeat', 'reset'] as const satisfies readonly SourceEvent[]

/**
 * Opens an EventSource. The browser would reconnect automatically, but `followChanges` closes it on the first error, because the app must know
 * when the stream is lost.
 */
export const openEventSource: FollowChanges['open'] = (cursor, { onEvent, onLoss }) => {
  const source = new EventSource(`/api/v1/changes/stream${cursor === null ? '' : `?after=${cursor}`}`)
  for (const event of events)
    source.addEventListener(event, ({ data, lastEventId }) => onEvent(event, String(data), lastEventId))
  source.addEventListener('error', onLoss)
  return source
}
