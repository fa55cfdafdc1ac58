/**
 * A job's events as they come, each once and in order: by stream while there is one, by asking again and again while there is none. The
 * cursor is the sequence of the last event that was taken, so nothing is missed when one takes over from the other.
 */

import type { JobEvent, JobEventPage } from '@prospect/api-client'
import { liveChanges } from '../api/live-changes.ts'

/** connecting: nothing known yet. polling: the stream was lost, and events come a little later. over: nothing comes any more. */
export type Following = 'connecting' | 'live' | 'polling' | 'over'

/** `forgotten`: events up to this sequence are no longer kept. */
export type Followed = { events: readonly JobEvent[]; forgotten: number; state: Following; error: unknown }

type LiveChanges = Pick<typeof liveChanges, 'state' | 'subscribe'>
export type Stream = { close(): void }
type StreamListener = { onOpen(): void; onEvent(event: JobEvent): void; onLoss(): void }

export type FollowOptions = {
  read(after: number): Promise<JobEventPage>
  openStream(after: number, listener: StreamListener): Stream
  /** Whether the service answers; asks for no session, which a quiet stream would keep from ending. */
  isAnswering(): Promise<boolean>
  onChange(followed: Followed): void
  /** Tests bring their own. */
  wait?: (run: () => void, ms: number) => () => void
}

const POLL_EVERY_MS = 2_000
/** Nothing can be read at all: ask less often. */
const POLL_AFTER_FAILURE_MS = 5_000
/** The stream of changes is given up for now if it does not stand by then. */
const STANDS_WITHIN_MS = 5_000
/** How long after a loss the stream is tried again; polling goes on until it stands. */
const STREAM_AGAIN_AFTER_MS = 10_000
/** A stream that says nothing for so long may lie on a dead line: then it is asked whether anything answers. */
const SILENT_AFTER_MS = 30_000

/** Follows until nothing comes any more, or until what it answers is called. */
export function followJob({ read, openStream, isAnswering, onChange, wait = timer }: FollowOptions): () => void {
  let events: JobEvent[] = []
  let forgotten = 0
  let state: Following = 'connecting'
  let error: unknown = null
  let stream: Stream | null = null
  let isStopped = false
  let isReading = false
  const waiting = new Map<string, () => void>()

  const tell = () => onChange({ events, forgotten, state, error })
  const last = () => events.at(-1)?.sequence ?? forgotten

  function later(name: string, run: () => void, ms: number): void {
    waiting.get(name)?.()
    waiting.set(
      name,
      wait(() => {
        waiting.delete(name)
        run()
      }, ms),
    )
  }
  function rest(): void {
    for (const cancel of waiting.values()) cancel()
    waiting.clear()
  }
  function closeStream(): void {
    stream?.close()
    stream = null
  }
  function finish(): void {
    state = 'over'
    closeStream()
    rest()
  }

  /** Takes what comes next; what was taken already is dropped. False: something in between is missing. */
  function take(more: readonly JobEvent[]): boolean {
    for (const event of more) {
      if (event.sequence <= last()) continue
      if (event.sequence !== last() + 1) return false
      events = [...events, event]
    }
    return true
  }

  /** Reads everything there is after the cursor. */
  async function catchUp(): Promise<void> {
    if (isReading || isStopped) return
    isReading = true
    try {
      for (let isMore = true; isMore && !isStopped; ) {
        const before = last()
        const page = await read(before)
        if (isStopped) return
        // Only a job that ended long ago has any, so what was taken before is nothing.
        if (page.forgotten !== null && events.length === 0) forgotten = page.forgotten.through
        take(page.items)
        if (page.isOver) finish()
        isMore = !page.isOver && last() > before && stream === null && state === 'connecting'
      }
      error = null
    } catch (failure) {
      error = failure
    } finally {
      isReading = false
    }
    if (isStopped) return
    if (state === 'connecting') connect()
    else if (state === 'polling') later('poll', poll, error === null ? POLL_EVERY_MS : POLL_AFTER_FAILURE_MS)
    tell()
  }

  const poll = () => void catchUp()

  function listen(): void {
    const heard = stream
    later('silence', () => void check(), SILENT_AFTER_MS)
    async function check(): Promise<void> {
      if (stream !== heard) return
      const isAlive = await isAnswering()
      if (stream !== heard) return
      if (isAlive) listen()
      else lose()
    }
  }

  function connect(): void {
    if (isStopped || state === 'over') return
    closeStream()
    const opened = openStream(last(), {
      onOpen: () => {
        if (stream !== opened) return
        state = 'live'
        error = null
        rest()
        listen()
        tell()
      },
      onEvent: (event) => {
        if (stream !== opened) return
        if (take([event])) {
          if (isLast(event)) finish()
          else listen()
          tell()
        } else lose()
      },
      onLoss: () => {
        if (stream === opened) lose()
      },
    })
    stream = opened
  }

  /** From here on by asking, at once the first time; the stream is tried again meanwhile. */
  function lose(): void {
    closeStream()
    if (isStopped || state === 'over') return
    const wasPolling = state === 'polling'
    state = 'polling'
    later('stream', connect, STREAM_AGAIN_AFTER_MS)
    tell()
    if (!wasPolling || !waiting.has('poll')) poll()
  }

  poll()
  return () => {
    isStopped = true
    closeStream()
    rest()
  }
}

function isLast({ type }: JobEvent): boolean {
  return type === 'succeeded' || type === 'failed' || type === 'cancelled'
}

function timer(run: () => void, ms: number): () => void {
  const id = setTimeout(run, ms)
  return () => clearTimeout(id)
}

/**
 * The events of a job by the stream of changes, which all windows of this browser share: it says that there are more, and they are read. Lost while
 * that stream is lost, or does not stand in time.
 */
export function followLive(
  jobId: string,
  { read, changes = liveChanges, wait = timer }: Pick<FollowOptions, 'read' | 'wait'> & { changes?: LiveChanges },
): FollowOptions['openStream'] {
  return (after, { onOpen, onEvent, onLoss }) => {
    let last = after
    let isReading = false
    let hasMore = false
    let isClosed = false
    const close = () => {
      isClosed = true
      stop()
      stopWaiting()
    }
    const readOn = async (): Promise<void> => {
      hasMore = true
      if (isReading) return
      isReading = true
      try {
        while (hasMore && !isClosed) {
          hasMore = false
          const { items } = await read(last)
          for (const event of items) {
            hasMore = true
            last = event.sequence
            if (!isClosed) onEvent(event)
          }
        }
      } catch {
        // Polling finds out why, and shows it.
        if (!isClosed) onLoss()
      } finally {
        isReading = false
      }
    }
    const begin = () => {
      stopWaiting()
      onOpen()
      // Events may have been written before this window listened.
      void readOn()
    }
    const stop = changes.subscribe((news) => {
      if (news.type === 'state' && news.state === 'live') begin()
      if (news.type === 'state' && news.state === 'lost') onLoss()
      if (news.type === 'reset') begin()
      if (news.type !== 'changes') return
      const item = news.items.find(({ kind, id }) => kind === 'job' && id === jobId)
      if (item !== undefined && (item.version ?? 0) > last) void readOn()
    })
    const stopWaiting = wait(onLoss, STANDS_WITHIN_MS)
    // Not in this turn: the caller does not know the stream yet.
    if (changes.state !== 'connecting')
      queueMicrotask(() => !isClosed && (changes.state === 'live' ? begin() : onLoss()))
    return { close }
  }
}
