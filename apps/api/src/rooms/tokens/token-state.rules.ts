import type { AccessToken } from './tokens.schema.ts'
import type { RefusalReason } from './tokens.table.ts'

/** What decides whether a token is valid. */
export type TokenState = {
  id: string
  endsAt: string
  revokedAt: string | null
  /** whether the person is an active member of the tenant */
  isMember: boolean
  /** tokens with a smaller id have ended with an earlier membership */
  validFrom: string | null
}

/** Returns the status of a token. A token that was revoked shows this also after its end. */
export function statusOf(
  { id, endsAt, revokedAt, isMember, validFrom }: TokenState,
  nowMs: number,
): AccessToken['status'] {
  if (revokedAt !== null) return 'revoked'
  if (!isMember || (validFrom !== null && id <= validFrom)) return 'ended'
  return Date.parse(endsAt) <= nowMs ? 'expired' : 'active'
}

/** Returns why a request with a token is refused; undefined if it is accepted. */
export function refusalOf(state: TokenState, isAddressAllowed: boolean, nowMs: number): RefusalReason | undefined {
  const status = statusOf(state, nowMs)
  if (status !== 'active') return status
  return isAddressAllowed ? undefined : 'address'
}
