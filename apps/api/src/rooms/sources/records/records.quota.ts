import type { Quota } from '../../../store/change/quota.ts'
import { countKeptRaws } from './records.queries.ts'

/** Raw texts of up to 16 KiB each, until their retention ends: some 1.6 GB at most. */
export const rawTextQuota: Quota = {
  name: 'raw_texts',
  of: 'tenant',
  label: 'stored raw texts of source records',
  remedy: 'Add the reference without its text, or shorten the storage period in the contract of the source.',
  max: 100_000,
  error: 'limit_reached',
  count: async (db, { tenantId }, upTo) => Math.min(upTo, await countKeptRaws(db, tenantId)),
}
