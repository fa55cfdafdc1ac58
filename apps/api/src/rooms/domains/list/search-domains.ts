import { sql } from 'kysely'
import { MAX_COUNTED } from '../../../http/pagination.ts'
import type { VisibleRows } from '../../../http/visible-rows.ts'
import type { Db } from '../../../store/database.ts'
import { type Count, countWanted } from '../../../store/engine/count-up-to.ts'
import { contains } from '../../../store/engine/dialect.ts'
import type { DomainName } from '../domains.table.ts'
import { behind, type DomainFilter, domainsOf } from './domains.queries.ts'

/*
 * Free search in the list of domains. Domains that begin with the text come first, from an index. Domains that contain the text elsewhere follow; no
 * index finds them, so a page reads a limited number of domains and says where the next page continues.
 */

/** The part of the result in which a row is, and its domain: where the next page continues. */
export type SearchPlace = { part: 'begins' | 'contains'; domain: string }
export type FoundDomain = DomainName & Pick<SearchPlace, 'part'>

/** Returns up to `limit` domains after one, in alphabetical order. */
type ReadDomains = (after: string | undefined, limit: number) => Promise<VisibleRows<DomainName, { domain: string }>>

/** Returns a page of the result. `begins` reads the domains that begin with the text, `others` those that contain it elsewhere. */
export async function searchDomains(
  { begins, others }: { begins: ReadDomains; others: ReadDomains },
  { after, limit }: { after: SearchPlace | undefined; limit: number },
): Promise<VisibleRows<FoundDomain, SearchPlace>> {
  const rows: FoundDomain[] = []
  for (const part of ['begins', 'contains'] as const) {
    if (part === 'begins' && after?.part === 'contains') continue
    const read = part === 'begins' ? begins : others
    const found = await read(after?.part === part ? after.domain : undefined, limit - rows.length)
    rows.push(...found.rows.map((row) => ({ ...row, part })))
    const stop = found.stoppedAfter
    if (rows.length >= limit || stop !== undefined)
      return { rows, stoppedAfter: stop && rows.length < limit ? { part, domain: stop.domain } : undefined }
  }
  return { rows, stoppedAfter: undefined }
}

/** Limit of a search; `docs/limits.md` lists it. */
export const searchLimits = { domainsRead: 50_000 }

type Search = { tenantId: string; filter: DomainFilter & { search: string } }

/** Returns domains that contain the text, but do not begin with it. Reads at most `searchLimits.domainsRead` domains. */
export async function selectContaining(
  db: Db,
  { tenantId, filter }: Search,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<VisibleRows<DomainName, { domain: string }>> {
  const all = domainsOf(db, tenantId, { ...filter, search: undefined })
    .where('n.domain', '>', after)
    .orderBy('n.domain')
  const [end] = await all
    .limit(1)
    .offset(searchLimits.domainsRead - 1)
    .execute()
  const rows = await all
    .$if(end !== undefined, (query) => query.where('n.domain', '<=', end?.domain ?? ''))
    .where(contains(sql.ref('n.domain'), filter.search))
    .where(({ eb, or }) => or([eb('n.domain', '<', filter.search), eb('n.domain', '>=', behind(filter.search))]))
    .limit(limit)
    .execute()
  return { rows, stoppedAfter: rows.length < limit ? end : undefined }
}

/** Counts the domains that contain the text. The count ends after as many domains as a page reads. */
export function countFound(db: Db, { tenantId, filter }: Search): Promise<Count> {
  const rows = domainsOf(db, tenantId, { ...filter, search: undefined })
    .clearSelect()
    .select(contains(sql.ref('n.domain'), filter.search).as('is_wanted'))
  return countWanted(db, rows, { limit: MAX_COUNTED, maxWalked: searchLimits.domainsRead })
}
