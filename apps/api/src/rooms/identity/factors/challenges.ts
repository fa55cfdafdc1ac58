import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../lib/clock.ts'

const CHALLENGE_BYTES = 32
export const CHALLENGE_LIFE_MS = 5 * 60_000
export const MAX_OPEN = 20_000

/** The challenges for authenticators to sign, each valid for one answer and one purpose. */
export type Challenges = {
  /** returns a challenge bound to `purpose`: a session, or a sign-in */
  issue(purpose: string): string
  /** true if the challenge was issued for this purpose, recently, and is not answered yet; the check consumes it */
  take(purpose: string, challenge: string): boolean
}

/** Stores challenges in bounded memory. A challenge that is lost in a restart or a flood is requested again. */
export function createChallenges(clock: Clock): Challenges {
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
      open.set(challenge, { purpose, endsAt: now + CHALLENGE_LIFE_MS })
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
