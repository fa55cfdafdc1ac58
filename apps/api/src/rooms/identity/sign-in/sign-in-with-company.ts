import { recordFailure, recordUnknownAttempt } from '../accounts/account-failures.ts'
import { findIdentity, useIdentity } from '../company/company-identities.queries.ts'
import { type CompanyAnswer, identityOf, requireCompany, SIGN_IN } from '../company/company-sign-in.ts'
import { type CompanyIdentity, CompanyRefused } from '../company/id-token.ts'
import { findCredentialsOfUser, findFirstMembership, isMember } from '../identity.queries.ts'
import type { Accounts } from '../sessions/account-context.ts'
import { startSession } from '../sessions/sessions.ts'
import { refused } from './company-refusal.ts'
import { refusingOnTheBeat } from './refusing-on-the-beat.ts'
import type { Visitor } from './sign-in.ts'

const BY = 'company sign-in'

/**
 * Signs in by the provider's answer and returns the token of the session. It counts as the first factor, and as the second one only if the provider
 * checked one by a trusted value. Errors: `company_sign_in_refused`, recorded with its reason; `company_sign_in_off`; `unavailable`; `rate_limited`.
 */
export function signInWithCompany(
  accounts: Accounts,
  { answer, browser }: { answer: CompanyAnswer; browser: string },
  visitor: Visitor,
): Promise<string> {
  const { store, signInLimits } = accounts
  const company = requireCompany(accounts.company)
  const attempt = { account: `company ${browser}`, address: visitor.client.address ?? '' }
  return refusingOnTheBeat(async () => {
    signInLimits.take(attempt)
    try {
      const token = await signInLimits.whileAvailable(attempt, async () => {
        const identity = await identityOf(company, { browser, purpose: SIGN_IN }, answer, store.clock())
        return beginSession(accounts, identity, visitor)
      })
      signInLimits.giveBack(attempt)
      return token
    } catch (error) {
      if (!(error instanceof CompanyRefused)) throw error
      await recordRefused(accounts, error, visitor)
      throw await refused(accounts, error)
    }
  })
}

async function beginSession(
  { store, lifetime }: Accounts,
  identity: CompanyIdentity,
  { client, correlationId }: Visitor,
): Promise<string> {
  const { subject, factorAt } = identity
  const linked = await findIdentity(store.reader, identity)
  const user = linked && (await findCredentialsOfUser(store.reader, linked.userId))
  const member = await findFirstMembership(store.reader, user?.id ?? '')
  if (linked === undefined || user?.status !== 'active' || member === undefined) {
    throw new CompanyRefused('not_linked', { subject })
  }
  return startSession(store, member, {
    lifetime,
    correlationId,
    client,
    by: BY,
    companyFactorAt: factorAt,
    // Checks the link and the membership again in the transaction. Removing one of them in the meantime ends only the sessions that exist then.
    consume: async (tx) => {
      const isActive = await isMember(tx.db, member.tenantId, member.userId)
      if (!isActive || !(await useIdentity(tx.db, { ...linked, at: tx.at }))) {
        throw new CompanyRefused('not_linked', { subject })
      }
    },
  })
}

/** Records a refusal in the tenant of the person whom a correctly signed token names; otherwise it belongs to no tenant. */
async function recordRefused(
  { store, company }: Accounts,
  { reason, subject }: CompanyRefused,
  { client, correlationId }: Visitor,
): Promise<void> {
  const issuer = company?.settings.issuer ?? ''
  const linked = subject === undefined ? undefined : await findIdentity(store.reader, { issuer, subject })
  const member = linked && (await findFirstMembership(store.reader, linked.userId))
  if (member === undefined) return recordUnknownAttempt(store, `${BY}: ${reason}`, client)
  const { tenantId, userId } = member
  await recordFailure(store, { action: 'session.fail', tenantId, userId, client, correlationId, by: BY, reason })
}
