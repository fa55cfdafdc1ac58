import { countRows, dailyQuota, type Quota } from '../../store/change/quota.ts'

/** Tokens of a member in one tenant that were not revoked and have not expired. */
export const tokenQuota: Quota = {
  name: 'tokens',
  of: 'person',
  label: 'active access tokens',
  remedy: 'Revoke one first.',
  max: 20,
  error: 'limit_reached',
  count: (db, { tenantId, userId, now }, upTo) =>
    countRows(
      db,
      db
        .selectFrom('access_tokens')
        .select('id')
        .where('tenant_id', '=', tenantId)
        .where('user_id', '=', userId)
        .where('revoked_at', 'is', null)
        .where('ends_at', '>', now),
      upTo,
    ),
}

/** Tokens are never deleted, because the audit names them. */
export const dailyTokenQuota: Quota = dailyQuota({
  name: 'tokens_of_day',
  label: 'access tokens created',
  max: 200,
  action: 'token.create',
})
