/** What the stream of changes tells this window. `app/live` connects it; lists and followers of jobs listen. */

/** Mirrors `ChangeItem` of the stream: only what changed, never its values. */
export type ChangeItem = { kind: string; id: string; businessId: string | null; version: number | null }

/** connecting: nothing known yet. live: changes arrive by themselves. lost: whoever follows something asks for it. */
export type LiveState = 'connecting' | 'live' | 'lost'

export type LiveNews =
  | { type: 'state'; state: LiveState }
  | { type: 'changes'; items: readonly ChangeItem[] }
  /** too much was missed: read everything again */
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
