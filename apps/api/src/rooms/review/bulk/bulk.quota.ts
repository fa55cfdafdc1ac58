import { countRows, dailyQuota, type Quota } from '../../../store/change/quota.ts'
import { openPreviews } from './bulk.queries.ts'
import { limits } from './bulk.schema.ts'

/** Previews of one person that are neither confirmed nor expired. Each stores up to 10,000 records until it expires. */
export const openPreviewQuota: Quota = {
  name: 'bulk_previews',
  of: 'person',
  label: 'open previews of bulk actions',
  remedy: `Confirm an open preview, or wait. A preview expires after ${limits.previewMinutes} minutes.`,
  max: limits.openPreviews,
  error: 'too_many_previews',
  count: (db, owner, upTo) => countRows(db, openPreviews(db, owner).select('p.id'), upTo),
  freeAt: async (db, owner) => {
    const oldest = await openPreviews(db, owner)
      .select('p.expires_at')
      .orderBy('p.expires_at')
      .limit(1)
      .executeTakeFirst()
    return oldest?.expires_at
  },
}

/** A bulk action keeps its selection and an outcome for each record. */
export const bulkQuota = dailyQuota({
  name: 'bulk_actions_of_day',
  label: 'bulk actions confirmed',
  action: 'bulk_review.create',
  max: 1_000,
})
