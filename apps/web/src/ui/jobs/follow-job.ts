/**
 * Follows the events of a job, each once and in order: through a stream, and by polling while the stream is lost. The cursor is the sequence of the
 * last event, so no event is missed when one takes over from the other.
 */

import type { JobEvent, JobEventPage } from '@prospect/api-client'
import { isProblem } from '../api/api-problem.ts'
import { liveChanges } from '../api/live-changes.ts'

/** connecting: nothing received yet. polling: the stream was lost, so events arrive a little later. over: no more events will come. */
export type Following = 'connecting' | 'live' | 'polling' | 'over'

/** `forgotten`: the events up to this sequence number were deleted. */
export type Followed = { events: readonly JobEvent[]; forgotten: number; state: Following; error: unknown }

type LiveChanges = Pick<typeof liveChanges, 'state' | 'subscribe'>
export type Stream = { close(): void }
type StreamListener = { onOpen(): void; onEvent(event: JobEvent): void; onLoss(): void }

export type FollowOptions = {
  read(after: number): Promise<JobEventPage>
  openStream(after: number, listener: StreamListener): Stream
  /** Resolves to true if the service responds. Must use no session, because checks of a quiet stream would otherwise extend it forever. */
  isAnswering(): Promise<boolean>
  onChange(followed: Followed): void
  /** Timer, replaced in tests. */
  wait?: (run: () => void, ms: number) => () => void
}

const POLL_EVERY_MS = 2_000
/** Pause between polls after a failed read. */
const POLL_AFTER_FAILURE_MS = 5_000
/** Time within which the stream of changes must open. After it, the job is polled. */
const OPEN_WITHIN_MS = 5_000
/** Delay before the stream is opened again after a loss. Polling continues until the stream is open. */
const STREAM_AGAIN_AFTER_MS = 10_000
/** A stream that is silent this long may use a dead connection; then check whether the service responds. */
const SILENT_AFTER_MS = 30_000

/** Follows a job until no more events will come, or until the returned function is called. */
export function followJob({ read, openStream, isAnswering, onChange, wait = timer }: FollowOptions): () => void {
  let events: JobEvent[] = []
  let forgotten = 0
  let state: Following = 'connecting'
  let error: unknown = null
  let stream: Stream | null = null
  let isStopped = false
  let isReading = false
  const waiting = new Map<string, () => void>()

  const notify = () => onChange({ events, forgotten, state, error })
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
  function cancelTimers(): void {
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
    cancelTimers()
  }

  /** Appends new events and skips known ones. Returns false if there is a gap. */
  function append(more: readonly JobEvent[]): boolean {
    for (const event of more) {
      if (event.sequence <= last()) continue
      if (event.sequence !== last() + 1) return false
      events = [...events, event]
    }
    return true
  }

  /** Reads the events after the cursor. */
  async function catchUp(): Promise<void> {
    if (isReading || isStopped) return
    isReading = true
    try {
      for (let isMore = true; isMore && !isStopped; ) {
        const before = last()
        const page = await read(before)
        if (isStopped) return
        // Events are deleted only long after a job ended, so none can have been received before.
        if (page.forgotten !== null && events.length === 0) forgotten = page.forgotten.through
        append(page.items)
        if (page.isOver) finish()
        isMore = !page.isOver && last() > before && stream === null && state === 'connecting'
      }
      error = null
    } catch (failure) {
      // After a restore, the job has fewer events than were received, and others under the same numbers. Read all of them again.
      const isRestored = isProblem(failure, 'cursor_ahead') && last() > 0
      if (isRestored) [events, forgotten] = [[], 0]
      error = isRestored ? null : failure
    } finally {
      isReading = false
    }
    if (isStopped) return
    if (state === 'connecting') connect()
    else if (state === 'polling') later('poll', poll, error === null ? POLL_EVERY_MS : POLL_AFTER_FAILURE_MS)
    notify()
  }

  const poll = () => void catchUp()

  function listen(): void {
    const watched = stream
    later('silence', () => void check(), SILENT_AFTER_MS)
    async function check(): Promise<void> {
      if (stream !== watched) return
      const isAlive = await isAnswering()
      if (stream !== watched) return
      if (isAlive) listen()
      else switchToPolling()
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
        cancelTimers()
        listen()
        notify()
      },
      onEvent: (event) => {
        if (stream !== opened) return
        if (append([event])) {
          if (isLast(event)) finish()
          else listen()
          notify()
        } else switchToPolling()
      },
      onLoss: () => {
        if (stream === opened) switchToPolling()
      },
    })
    stream = opened
  }

  /** Switches to polling, which starts immediately, and tries to open the stream again later. */
  function switchToPolling(): void {
    closeStream()
    if (isStopped || state === 'over') return
    const wasPolling = state === 'polling'
    state = 'polling'
    later('stream', connect, STREAM_AGAIN_AFTER_MS)
    notify()
    if (!wasPolling || !waiting.has('poll')) poll()
  }

  poll()
  return () => {
    isStopped = true
    closeStream()
    cancelTimers()
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
 * Follows the events of a job through the stream of changes, which all windows of this browser share. The stream reports that there are new events,
 * and this function reads them. The returned source is lost while the stream is lost, or if the stream does not open in time.
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
    const readNewEvents = async (): Promise<void> => {
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
        // Polling finds the reason and shows it.
        if (!isClosed) onLoss()
      } finally {
        isReading = false
      }
    }
    const begin = () => {
      stopWaiting()
      onOpen()
      // Events may have been written before this window subscribed.
      void readNewEvents()
    }
    const stop = changes.subscribe((news) => {
      if (news.type === 'state' && news.state === 'live') begin()
      if (news.type === 'state' && news.state === 'lost') onLoss()
      if (news.type === 'reset') begin()
      if (news.type !== 'changes') return
      const item = news.items.find(({ kind, id }) => kind === 'job' && id === jobId)
      if (item !== undefined && (item.version ?? 0) > last) void readNewEvents()
    })
    const stopWaiting = wait(onLoss, OPEN_WITHIN_MS)
    // Call this in a later turn, because the caller does not have the returned stream yet.
    if (changes.state !== 'connecting')
      queueMicrotask(() => !isClosed && (changes.state === 'live' ? begin() : onLoss()))
    return { close }
  }
}
