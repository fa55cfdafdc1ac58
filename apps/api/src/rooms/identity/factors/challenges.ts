import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'

const CHALLENGE_BYTES = 32
export const CHALLENGE_LIFE_MS = 5 * 60_000
export const MAX_OPEN = 20_000

/** The challenges that authenticators must sign, or that a provider must return. Each is valid for one response and one purpose. */
export type Challenges = {
  /** returns a challenge bound to `purpose`, such as a session or the sign-in */
  issue(purpose: string): string
  /** Consumes the challenge. Returns true if it was issued recently for this purpose and was not consumed before. */
  take(purpose: string, challenge: string): boolean
}

/** Stores challenges in memory, up to a maximum number. If a challenge is lost in a restart or a flood, the client requests another. */
export function createChallenges(clock: Clock, lifeMs = CHALLENGE_LIFE_MS): Challenges {
  const open = new Map<string, { purpose: string; endsAt: number }>()

  function dropEnded(now: number): void {
    for (const [challenge, { endsAt }] of open) {
      if (endsAt > now && open.size < MAX_OPEN) return
      open.delete(challenge)
    }
  }

  return {
    issue(purpose) {
      const now = clock().getTime()
      dropEnded(now)
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
      open.set(challenge, { purpose, endsAt: now + lifeMs })
      return challenge
    },
    take(purpose, challenge) {
      const issued = open.get(challenge)
      if (issued === undefined || issued.purpose !== purpose) return false
      open.delete(challenge)
      return issued.endsAt > clock().getTime()
    },
  }
}
