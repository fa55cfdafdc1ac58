import { ApiProblem } from './api-problem.ts'
import { isOwnerAnother, noteOwner, type SessionMark } from './session-owner.ts'

/**
 * What a call waits for, the weightier last: a fresh proof of who asks (403 `step_up_required`), something that the
 * session itself still lacks (403 `mfa_required`, `password_change_required`), a session at all, or this page's own:
 * in another tab of this browser another person signed in, or the tenant was changed.
 */
export type Interruption = 'step_up' | 'hold' | 'sign_in' | 'another'
const weights: Record<Interruption, number> = { step_up: 1, hold: 2, sign_in: 3, another: 4 }

type Listener = () => void
type Waiting = { resolve: () => void; reject: (error: ApiProblem) => void; problem: ApiProblem }

/**
 * Between the API calls and the screens: a call that meets an interruption waits here, the frame shows over the page
 * what is asked for, and all waiting calls go on together once it is given.
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
    /** How often this page's session was replaced or proven anew: a refusal of a call sent before the last time says nothing of now. */
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
    /** For the one call that brings the session of this browser back to what this page is of; the other tabs are told when it is. */
    borrowToken(token: string): void {
      csrfToken = token
    },
    /** Whether the session of this browser seems to be another's by now, so that nothing may be asked under this page's name. */
    get isAnothers(): boolean {
      return mark !== null && isOwnerAnother(mark)
    },
    forget(): void {
      mark = null
      csrfToken = null
      interruption = null
      waiting = []
    },
    /** Around a call whose answer brings another cookie: what is refused meanwhile may only have carried the old one. */
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
    /** Resolves when what was asked for is given; rejects with the problem when nobody was signed in or they gave up. */
    waitFor(kind: Interruption, problem: ApiProblem): Promise<void> {
      if (mark === null) return Promise.reject(problem)
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject, problem })
        this.raise(kind)
      })
    },
    /** Asks for this instead of something lighter that was asked for before. */
    raise(kind: Interruption): void {
      if (interruption === null || weights[kind] > weights[interruption]) show(kind)
    },
    /**
     * What was asked for is done. By somebody else: nothing waiting may go on, and the page is theirs. In another tenant, as the person was
     * taken out of this page's meanwhile: nothing may go on either, and the page stays to say so.
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
    /** The person would rather not prove who they are: what waited for it is refused, and the page stays as it is. */
    decline(): void {
      const going = takeWaiting()
      show(null)
      for (const call of going) {
        const { status, code, requestId } = call.problem
        const detail = 'Nothing was changed yet. Confirm that it is you to continue.'
        call.reject(new ApiProblem({ status, code, detail, ...(requestId === null ? {} : { requestId }) }))
      }
    },
    /** Leave the page as it was and load it anew, for whoever is signed in now. */
    startOver(): void {
      for (const call of takeWaiting()) call.reject(call.problem)
      window.location.assign('/')
    },
  }
}

export const sessionGate = createSessionGate()
