import {
  type FollowChanges,
  followChanges,
  openEventSource,
  SILENT_AFTER_MS,
  type SourceNews,
} from './change-source.ts'

type Wait = NonNullable<FollowChanges['wait']>
type Channel = Pick<BroadcastChannel, 'postMessage' | 'close'> & { onmessage: BroadcastChannel['onmessage'] }
type Message = { news: SourceNews } | { asks: true }

type ShareOptions = {
  /** Name of the session. Windows with the same name share a stream. */
  name: string
  tell: (news: SourceNews) => void
  locks: Pick<LockManager, 'request'>
  channel: Channel
  open?: FollowChanges['open']
  wait?: Wait
}

/**
 * Shares one stream among all windows of a browser. The window that holds the lock opens the stream and passes its messages to the others. When it
 * is closed, another window gets the lock and continues at the last cursor. Without this, the streams would use up the six connections that a
 * browser allows per origin.
 */
export function shareChanges(options: ShareOptions): () => void {
  const { name, tell, locks, channel, open = openEventSource, wait = browserWait } = options
  const ended = new AbortController()
  let cursor: string | null = null
  let newest: SourceNews | null = null
  let leads = false
  let stopWaiting = () => {}

  const take = (news: SourceNews): void => {
    if (news.type !== 'lost') cursor = news.cursor
    newest = news
    tell(news)
  }
  /** Reports the stream as lost if the leading window sends nothing. That window is then frozen, or was closed; if closed, its lock becomes free. */
  const watch = (): void => {
    stopWaiting()
    stopWaiting = wait(() => take({ type: 'lost' }), SILENT_AFTER_MS)
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('asks' in data) {
      if (leads && newest !== null) channel.postMessage({ news: statusOf(newest) })
      return
    }
    if (leads) return
    take(data.news)
    watch()
  }
  channel.postMessage({ asks: true })
  watch()

  const lead = (): Promise<void> =>
    new Promise((resolve) => {
      stopWaiting()
      leads = true
      const stop = followChanges({
        open,
        cursor,
        wait,
        tell: (news) => {
          take(news)
          channel.postMessage({ news })
        },
      })
      ended.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })
  locks.request(name, { signal: ended.signal }, lead).catch((error: unknown) => {
    if (!ended.signal.aborted) throw error
  })

  return () => {
    ended.abort()
    stopWaiting()
    channel.onmessage = null
    channel.close()
  }
}

/** Returns the message for a window that was opened later. It contains the state but no changes, because that window has just read current data. */
function statusOf(news: SourceNews): SourceNews {
  return news.type === 'lost' ? news : { type: 'live', cursor: news.cursor }
}

const browserWait: Wait = (run, ms) => {
  const id = setTimeout(run, ms)
  return () => clearTimeout(id)
}
