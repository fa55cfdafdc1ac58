import { liveChanges } from '../../ui/api/live-changes.ts'
import type { SessionMark } from '../../ui/api/session-owner.ts'
import type { SourceNews } from './change-source.ts'
import { shareChanges } from './share-changes.ts'

/**
 * Connects this window to the stream of its session: with Web Locks and a channel, or with a shared worker in an insecure context. If the browser
 * supports neither, the window does not connect, and `keep-current.ts` polls instead. Returns a function that ends the connection.
 */
export function connectChanges({ userId, tenantId }: SessionMark): () => void {
  const name = `prospect-changes:${userId}:${tenantId}`
  const { locks } = navigator as { locks?: LockManager }
  const stop =
    locks !== undefined && 'BroadcastChannel' in window
      ? shareChanges({ name, tell, locks, channel: new BroadcastChannel(name) })
      : 'SharedWorker' in window
        ? joinWorker(name)
        : without()
  return () => {
    stop()
    liveChanges.publish({ type: 'state', state: 'connecting' })
  }
}

function joinWorker(name: string): () => void {
  let worker: SharedWorker
  try {
    worker = new SharedWorker(new URL('./changes-worker.ts', import.meta.url), { type: 'module', name })
  } catch {
    // The user's settings block workers.
    return without()
  }
  const { port } = worker
  // The script did not load, for example because a newer version replaced it.
  worker.onerror = () => tell({ type: 'lost' })
  port.onmessage = ({ data }: MessageEvent<SourceNews>) => tell(data)
  const leave = () => port.postMessage('leaves')
  // A page that the browser keeps for Back uses its port again.
  const onHide = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) leave()
  }
  window.addEventListener('pagehide', onHide)
  return () => {
    window.removeEventListener('pagehide', onHide)
    leave()
    port.close()
  }
}

function without(): () => void {
  liveChanges.publish({ type: 'state', state: 'lost' })
  return () => {}
}

function tell(news: SourceNews): void {
  liveChanges.publish({ type: 'state', state: news.type === 'lost' ? 'lost' : 'live' })
  if (news.type === 'changes') liveChanges.publish({ type: 'changes', items: news.items })
  if (news.type === 'reset') liveChanges.publish({ type: 'reset' })
}
