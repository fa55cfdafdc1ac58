import { AppError, notFound } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import { change, type Tx } from '../../../store/change/change.ts'
import { recordFailure } from '../accounts/account-failures.ts'
import type { CompanyIdentities } from '../company/company.schema.ts'
import { deleteIdentity, findIdentity, insertIdentity, listIdentities } from '../company/company-identities.queries.ts'
import { type CompanyAnswer, identityOf, linkOf, requireCompany } from '../company/company-sign-in.ts'
import { type CompanyIdentity, CompanyRefused } from '../company/id-token.ts'
import type { Accounts, Caller } from '../sessions/account-context.ts'
import { endSessionsOf } from '../sessions/own-sessions.ts'
import { refused } from '../sign-in/company-refusal.ts'
import { refusingOnTheBeat } from '../sign-in/refusing-on-the-beat.ts'

export async function getCompanyIdentities(
  { store, company }: Accounts,
  { actor }: Caller,
): Promise<CompanyIdentities> {
  const linked = await listIdentities(store.reader, actor.userId)
  return {
    name: company?.settings.name ?? null,
    identities: linked.map((identity) => ({ ...identity, isCurrent: identity.issuer === company?.settings.issuer })),
  }
}

/**
 * Links the company account that the provider's answer names to the caller, and ends the caller's other sessions. Errors:
 * `company_sign_in_refused`, recorded in the audit with its reason; `conflict` (another account of this provider is linked); `unavailable`.
 */
export function linkCompanyIdentity(
  accounts: Accounts,
  caller: Caller,
  { answer, browser }: { answer: CompanyAnswer; browser: string },
): Promise<void> {
  const { store } = accounts
  const company = requireCompany(accounts.company)
  return refusingOnTheBeat(async () => {
    try {
      const request = { browser, purpose: linkOf(caller.sessionId) }
      const identity = await identityOf(company, request, answer, store.clock())
      await change(store, caller.actor, { permission: null, action: 'company.link' }, (tx) =>
        link(tx, caller, identity),
      )
    } catch (error) {
      if (!(error instanceof CompanyRefused)) throw error
      const { tenantId, userId, correlationId } = caller.actor
      const failure = { tenantId, userId, correlationId, client: caller.client, by: 'company sign-in' }
      await recordFailure(store, { ...failure, action: 'company.fail', reason: error.reason })
      throw await refused(accounts, error)
    }
  })
}

async function link(tx: Tx, { actor, sessionId, client }: Caller, { issuer, subject }: CompanyIdentity): Promise<void> {
  const { userId } = actor
  const known = await findIdentity(tx.db, { issuer, subject })
  if (known !== undefined && known.userId !== userId) throw new CompanyRefused('linked_elsewhere', { subject })
  const linked = await listIdentities(tx.db, userId)
  if (linked.some((identity) => identity.issuer === issuer)) {
    throw new AppError('conflict', 'A company account is already linked. Unlink it first to link another one.')
  }
  const id = newId()
  await insertIdentity(tx.db, { id, userId, issuer, subject, at: tx.at })
  await tx.record({ subject: { type: 'user', id: userId }, after: { ...client, issuer, identityId: id } })
  await endSessionsOf(tx, userId, { except: sessionId, after: { ...client } })
}

/** Unlinks a company account of the caller, and ends the caller's other sessions. Errors: `not_found`, also for another person's account. */
export async function unlinkCompanyIdentity(
  { store }: Accounts,
  { actor, sessionId, client }: Caller,
  id: string,
): Promise<void> {
  const { userId } = actor
  await change(store, actor, { permission: null, action: 'company.unlink' }, async (tx) => {
    if (!(await deleteIdentity(tx.db, { id, userId }))) throw notFound()
    await tx.record({ subject: { type: 'user', id: userId }, after: { ...client, identityId: id } })
    await endSessionsOf(tx, userId, { except: sessionId, after: { ...client } })
  })
}
