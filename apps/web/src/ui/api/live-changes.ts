/** Messages of the stream of changes for this window. `app/live` connects the stream; lists and open jobs subscribe. */

/** One change, as in `ChangeItem` of the API. It names the changed subject but contains no values. */
export type ChangeItem = { kind: string; id: string; businessId: string | null; version: number | null }

/** State of the stream. `connecting`: not known yet. `live`: changes are sent. `lost`: subscribers must poll. */
export type LiveState = 'connecting' | 'live' | 'lost'

export type LiveNews =
  | { type: 'state'; state: LiveState }
  | { type: 'changes'; items: readonly ChangeItem[] }
  /** too many changes were missed, so everything must be read again */
  | { type: 'reset' }

type Listener = (news: LiveNews) => void

export function createLiveChanges() {
  const listeners = new Set<Listener>()
  let state: LiveState = 'connecting'
  return {
    get state(): LiveState {
      return state
    },
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    publish(news: LiveNews): void {
      if (news.type === 'state') {
        if (news.state === state) return
        state = news.state
      }
      for (const listener of [...listeners]) listener(news)
    },
  }
}

export const liveChanges = createLiveChanges()
