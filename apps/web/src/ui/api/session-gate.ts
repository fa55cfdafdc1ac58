import { ApiProblem } from './api-problem.ts'
import { isOwnerAnother, noteOwner, type SessionMark } from './session-owner.ts'

/**
 * Reasons why calls wait, in ascending priority: fresh proof (403 `step_up_required`), a missing step of the session (403 `mfa_required`,
 * `password_change_required`), a missing session, or a session of another user or workspace, started in another tab.
 */
export type Interruption = 'step_up' | 'hold' | 'sign_in' | 'another'
const weights: Record<Interruption, number> = { step_up: 1, hold: 2, sign_in: 3, another: 4 }

type Listener = () => void
type Waiting = { resolve: () => void; reject: (error: ApiProblem) => void; problem: ApiProblem }

/**
 * Connects API calls and screens. A call that meets an interruption waits here, the frame shows the matching dialog over the page, and all waiting
 * calls continue together once the user has completed it.
 */
function createSessionGate() {
  let mark: SessionMark | null = null
  let csrfToken: string | null = null
  let interruption: Interruption | null = null
  let turns = 0
  let rotating = 0
  let waiting: Waiting[] = []
  const settling: (() => void)[] = []
  const listeners = new Set<Listener>()

  const show = (next: Interruption | null): void => {
    if (next === interruption) return
    interruption = next
    for (const listener of listeners) listener()
  }
  const takeWaiting = (): Waiting[] => {
    const taken = waiting
    waiting = []
    return taken
  }

  return {
    get csrfToken(): string | null {
      return csrfToken
    },
    get interruption(): Interruption | null {
      return interruption
    },
    get mark(): SessionMark | null {
      return mark
    },
    /**
     * Number of times that this page's session was replaced or confirmed. A call sent in an earlier turn was refused for a state that no longer
     * applies.
     */
    get turns(): number {
      return turns
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
      noteOwner(next)
    },
    /**
     * Sets the token for the one call that switches the browser's session back to this page's workspace. The owner of the session stays unchanged
     * until that call succeeds.
     */
    borrowToken(token: string): void {
      csrfToken = token
    },
    /** True if the browser's session seems to belong to another user or workspace. Then this page must not send calls. */
    get isAnothers(): boolean {
      return mark !== null && isOwnerAnother(mark)
    },
    forget(): void {
      mark = null
      csrfToken = null
      interruption = null
      waiting = []
    },
    /** Wraps a call whose response sets a new cookie. A call that is refused meanwhile may have carried the old cookie, so it waits and repeats. */
    async rotate<T>(send: () => Promise<T>): Promise<T> {
      rotating += 1
      try {
        return await send()
      } finally {
        rotating -= 1
        turns += 1
        if (rotating === 0) for (const settle of settling.splice(0)) settle()
      }
    },
    settled(): Promise<void> {
      return rotating === 0 ? Promise.resolve() : new Promise((resolve) => settling.push(resolve))
    },
    /** Resolves when the user has completed the interruption. Rejects with the problem if nobody was signed in or the user declined. */
    waitFor(kind: Interruption, problem: ApiProblem): Promise<void> {
      if (mark === null) return Promise.reject(problem)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject, problem })
        this.raise(kind)
      })
    },
    /** Shows an interruption unless one of the same or higher priority is already shown. */
    raise(kind: Interruption): void {
      if (interruption === null || weights[kind] > weights[interruption]) show(kind)
    },
    /**
     * Ends an interruption. After a sign-in as another user, nothing that waits may continue and the page reloads. After a sign-in to another
     * workspace (the user was removed from this one), nothing may continue either, and the page stays to explain it.
     */
    goOn(next: SessionMark, token: string): void {
      if (mark !== null && mark.userId !== next.userId) {
        this.startOver()
        return
      }
      if (!this.isSame(next)) {
        noteOwner(next)
        this.raise('another')
        return
      }
      this.remember(next, token)
      turns += 1
      const going = takeWaiting()
      show(null)
      for (const call of going) call.resolve()
    },
    /** The user declined to prove their identity: all waiting calls are rejected and the page stays. */
    decline(): void {
      const going = takeWaiting()
      show(null)
      for (const call of going) {
        const { status, code, requestId } = call.problem
        const detail = 'Nothing was changed yet. Confirm that it is you to continue.'
        call.reject(new ApiProblem({ status, code, detail, ...(requestId === null ? {} : { requestId }) }))
      }
    },
    /** Rejects all waiting calls and loads the page again for the user who is now signed in. */
    startOver(): void {
      for (const call of takeWaiting()) call.reject(call.problem)
      window.location.assign('/')
    },
  }
}

export const sessionGate = createSessionGate()
