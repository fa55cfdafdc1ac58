import type { ApiProblem } from './api-problem.ts'

/** Who this page belongs to; a call must never go on as somebody else or in another tenant. */
export type SessionMark = { userId: string; tenantId: string }

type Listener = () => void

/**
 * Between the API calls and the screens: a call that meets a lapsed session waits here, the frame shows the sign-in
 * over the page, and all waiting calls go on together once it is done.
 */
function createSessionSeam() {
  let mark: SessionMark | null = null
  let csrfToken: string | null = null
  let lapsed = false
  let signIns = 0
  let waiting: { resolve: () => void; reject: (error: ApiProblem) => void; problem: ApiProblem }[] = []
  const listeners = new Set<Listener>()

  const notify = (): void => {
    for (const listener of listeners) listener()
  }

  return {
    get csrfToken(): string | null {
      return csrfToken
    },
    get isLapsed(): boolean {
      return lapsed
    },
    get mark(): SessionMark | null {
      return mark
    },
    /** How often somebody has signed in over this page: a 401 of a call sent before the last time says nothing of now. */
    get signIns(): number {
      return signIns
    },
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isSame(other: SessionMark): boolean {
      return mark === null || (mark.userId === other.userId && mark.tenantId === other.tenantId)
    },
    remember(next: SessionMark, token: string): void {
      mark = next
      csrfToken = token
    },
    forget(): void {
      mark = null
      csrfToken = null
      lapsed = false
      waiting = []
    },
    /** Resolves after a sign-in over the page; rejects with the problem itself when nobody was signed in or they gave up. */
    waitForSignIn(problem: ApiProblem): Promise<void> {
      if (mark === null) return Promise.reject(problem)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject, problem })
        if (!lapsed) {
          lapsed = true
          notify()
        }
      })
    },
    /** The sign-in over the page is done. Somebody else, or another tenant: nothing waiting may go on. */
    signedInAgain(next: SessionMark, token: string): void {
      if (!this.isSame(next)) {
        this.startOver()
        return
      }
      this.remember(next, token)
      const going = waiting
      waiting = []
      lapsed = false
      signIns += 1
      notify()
      for (const call of going) call.resolve()
    },
    /** Leave the page as it was and load it anew, for whoever is signed in now. */
    startOver(): void {
      const going = waiting
      waiting = []
      for (const call of going) call.reject(call.problem)
      window.location.assign('/')
    },
  }
}

export const sessionSeam = createSessionSeam()
