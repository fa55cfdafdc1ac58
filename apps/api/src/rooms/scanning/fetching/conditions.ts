import type { Kysely } from 'kysely'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import type { Database } from '../../../store/database.ts'
import type { Business } from '../../businesses/businesses.ts'
import { findPurposeState } from '../../sources/sources.ts'
import { runningBounds } from '../bounds.ts'
import { findCurrentPolicy } from '../policies/policies.queries.ts'
import { scanCounts } from '../scans/scans.queries.ts'
import type { Condition } from './fetching.schema.ts'
import { webPages } from './purpose.ts'

type Asked = {
  db: Kysely<Database>
  tenantId: string
  now: string
  adapters: LoadedAdapters
  business?: Pick<Business, 'doNotContact'>
}

export type FetchState = { conditions: Condition[]; sourceId: string | null }

/** Returns the conditions of a fetch: whether each is met, since when it is not, and who can resolve it. Sends nothing. */
export async function stateOfFetching({ db, tenantId, now, adapters, business }: Asked): Promise<FetchState> {
  const source = await findPurposeState({ db, tenantId, at: now, adapters }, webPages.name)
  const terms = source?.openItems.find(({ item, problem }) => item === 'terms' && problem === 'expired')
  const { fetched } = await scanCounts.read(db, { tenantId, at: now })
  const fetchedByAll = await scanCounts.readOfAll(db, now, 'fetched')
  const { budgets } = await findCurrentPolicy(db, tenantId)
  const isWithinDay = fetched < budgets.fetchedPerDay && fetchedByAll < runningBounds.fetchedByAllPerDay
  const conditions: Condition[] = [
    {
      key: 'adapter_not_loaded',
      isMet: source === undefined ? adapters.items.length > 0 : source.isLoaded,
      since: null,
      resolvedBy: 'server operator',
    },
    { key: 'terms_expired', isMet: terms === undefined, since: terms?.since ?? null, resolvedBy: 'sources.propose' },
    {
      key: 'source_not_enabled',
      isMet: source?.status === 'enabled',
      since: source?.openItems[0]?.since ?? null,
      resolvedBy: 'sources.enable',
    },
    {
      key: 'circuit_open',
      isMet: source === undefined || source.openSince === null,
      since: source?.openSince ?? null,
      resolvedBy: 'sources.reset_circuit',
    },
    { key: 'daily_limit', isMet: isWithinDay, since: null, resolvedBy: 'the next day in UTC' },
  ]
  if (business !== undefined)
    conditions.push({
      key: 'do_not_contact',
      isMet: business.doNotContact === null,
      since: business.doNotContact?.at ?? null,
      resolvedBy: 'suppression.remove',
    })
  return { conditions, sourceId: source?.sourceId ?? null }
}

export function unmetOf({ conditions }: Pick<FetchState, 'conditions'>): Condition['key'][] {
  return conditions.filter(({ isMet }) => !isMet).map(({ key }) => key)
}
