import { countRows, type Quota } from '../../../store/change/quota.ts'

/** Passkeys of an account, in all tenants. */
export const passkeyQuota: Quota = {
  name: 'passkeys',
  of: 'person',
  label: 'passkeys',
  remedy: 'Remove one first.',
  max: 10,
  error: 'limit_reached',
  count: (db, { userId }, upTo) =>
    countRows(db, db.selectFrom('passkeys').select('id').where('user_id', '=', userId), upTo),
}
