import { domainToUnicode } from 'node:url'
import { type Cursors, type Page, toPage, totalOf } from '../../../http/pagination.ts'
import { countVisibleRows, readVisibleRows, type VisibleRows } from '../../../http/visible-rows.ts'
import { actorRef, type UserActor } from '../../../lib/actor.ts'
import { notFound } from '../../../lib/app-error.ts'
import { readTexts } from '../../../store/json-column.ts'
import type { Store } from '../../../store/store.ts'
import { findHiddenValues, hidesValuesFrom } from '../../contact-gate/contact-gate.ts'
import {
  isFreeMailDomain,
  isSharedHost,
  NORMALIZATION_VERSION,
  readDomainName,
  SUFFIX_LIST_VERSION,
  unitOf,
} from '../../normalization/normalization.ts'
import { lookalikesOf } from '../candidates/surroundings.ts'
import { findObservationRows } from '../dns/observations.queries.ts'
import { freshnessOf } from '../dns/observations.rules.ts'
import { toObservations } from '../dns/observations.ts'
import { type DomainName, dnsKinds } from '../domains.table.ts'
import { getDomainName } from '../names/domain-names.queries.ts'
import { findSuppressedDomains, isWithheld } from '../names/withheld.ts'
import {
  type DomainFilter,
  domainsOf,
  type LatestRow,
  selectAssociations,
  selectDomains,
  selectLatest,
  selectOtherNames,
  selectSurvivors,
  selectUsers,
  type UserRow,
} from './domains.queries.ts'
import { type DomainDetail, type DomainSummary, type DomainsQuery, listLimits } from './domains.schema.ts'
import { countFound, type SearchPlace, searchDomains, selectContaining } from './search-domains.ts'

/*
 * Lists registrable domains that the tenant knows, with the records that use them, their observations and open decisions. For readers who may not see
 * contact values, a domain that is suppressed or that a do not contact record has does not exist: the list is in alphabetical order and is searched by
 * a part of a domain, so a row without its name would still show where the name sorts.
 */

/** Returns a page of domains in alphabetical order; those that begin with the searched text come first. Errors: `invalid_request` (the cursor). */
export async function listDomains(
  store: Store,
  cursors: Cursors,
  reader: UserActor,
  { limit, cursor, search: typed, isWaiting = false }: DomainsQuery,
): Promise<Page<DomainSummary>> {
  const { tenantId } = reader
  const search = typed === undefined || typed === '' ? undefined : typed.toLowerCase()
  const binding = ['domains', tenantId, search ?? '', isWaiting]
  const [last, part] = cursor === undefined ? [] : cursors.decode(binding, cursor)
  const after = last === undefined ? undefined : String(last)
  const isPartHidden = hidesValuesFrom(reader, { doNotContact: true })
  const filter = { search, isWaiting, withoutBlocked: isPartHidden }
  const reading = isPartHidden ? visibleReading(store, reader, filter) : wholeReading(store, tenantId, filter)
  const place = { domain: after ?? '', part: part === 'contains' ? ('contains' as const) : ('begins' as const) }
  const { rows, stoppedAfter }: VisibleRows<ListedDomain> | VisibleRows<ListedDomain, SearchPlace> =
    search === undefined
      ? await reading.listed(after, limit + 1)
      : await searchDomains(reading, { after: after === undefined ? undefined : place, limit: limit + 1 })
  const names = rows.map(({ domain }) => domain)
  const suppressed = await findSuppressedDomains(store, tenantId, names)
  const latest = Map.groupBy(await selectLatest(store.reader, { tenantId, names, kinds: dnsKinds }), ({ name }) => name)
  const users = Map.groupBy(
    await selectUsers(store.reader, { tenantId, domains: names, limit: listLimits.namesInList }),
    ({ domain }) => domain,
  )
  return toPage({
    rows,
    limit,
    total: await totalOf(store, { tenantId, rows, limit, cursor, isStopped: stoppedAfter !== undefined }, (db) =>
      isPartHidden
        ? countVisibleRows(visibleDomains(store, reader, filter, 'containing'), MAX_SHOWN_COUNTED)
        : search === undefined
          ? domainsOf(db, tenantId, filter)
          : countFound(db, { tenantId, filter: { ...filter, search } }),
    ),
    toItem: (row): DomainSummary => ({
      ...common(row, suppressed),
      businesses: (users.get(row.domain) ?? []).filter((user) => isShown(reader, user)).map(toBusiness),
      statuses: statusesOf(latest.get(row.domain) ?? [], store.clock()),
    }),
    cursorAfter: (row) => cursors.encode(binding, placeOf(row)),
    // The last domain that was read may be hidden from this reader.
    stoppedAt: stoppedAfter && cursors.encodeHidden(binding, placeOf(stoppedAfter)),
  })
}

type ListedDomain = DomainName & Partial<Pick<SearchPlace, 'part'>>

const placeOf = ({ domain, part }: Pick<ListedDomain, 'domain' | 'part'>) =>
  part === undefined ? [domain] : [domain, part]

/** Maximum number of domains that are counted for a reader who may not see some of them. The total of a longer list is unknown. */
const MAX_SHOWN_COUNTED = 2_000

/**
 * Returns how the domains after one are read for a reader who may not see some of them. The query leaves out those of do not contact records. An
 * entry can also match a domain that no record has, such as one that was only observed. These are few, and entries are compared by keys that only
 * the gate can compute.
 */
function visibleDomains(
  store: Store,
  reader: UserActor,
  { search = '', ...filter }: DomainFilter,
  wanted: 'beginning' | 'containing' | 'others',
  after?: string,
) {
  const { tenantId } = reader
  const isBeginning = wanted === 'beginning' && search !== ''
  const listed = { ...filter, search: isBeginning ? search : undefined }
  return {
    read: (last: DomainName | undefined, limit: number) =>
      selectDomains(store.backgroundOf(tenantId), tenantId, listed, { after: last?.domain ?? after, limit }),
    onlyVisible: async (read: readonly DomainName[]) => {
      const rows = read.filter(
        ({ domain }) => domain.includes(search) && (wanted !== 'others' || !domain.startsWith(search)),
      )
      const values = rows.map(({ domain }) => ({ kind: 'domain' as const, value: domain }))
      const hidden = await findHiddenValues({ db: store.reader, keys: store.keys }, reader, values)
      return rows.filter((_, at) => !hidden.has(at))
    },
  }
}

/** Reads the parts of a list for a reader from whom some domains are hidden. */
function visibleReading(store: Store, reader: UserActor, filter: DomainFilter) {
  const begins = (after: string | undefined, limit: number) =>
    readVisibleRows(visibleDomains(store, reader, filter, 'beginning', after), limit)
  const others = (after: string | undefined, limit: number) =>
    readVisibleRows(visibleDomains(store, reader, filter, 'others', after), limit)
  return { listed: begins, begins, others }
}

/** Reads the parts of a list for a reader who may see all domains. */
function wholeReading(store: Store, tenantId: string, filter: DomainFilter) {
  const begins = async (after: string | undefined, limit: number) => ({
    rows: await selectDomains(store.reader, tenantId, filter, { after, limit }),
    stoppedAfter: undefined,
  })
  const { search = '' } = filter
  const others = (after: string | undefined, limit: number) =>
    selectContaining(store.backgroundOf(tenantId), { tenantId, filter: { ...filter, search } }, { after, limit })
  return { listed: begins, begins, others }
}

function common(
  { domain, uses, observations, open_candidates: openCandidates }: DomainName,
  suppressed: ReadonlySet<string>,
) {
  const unicode = domainToUnicode(domain)
  return { domain, unicode, uses, observations, openCandidates, doNotContact: suppressed.has(domain) }
}

function isShown(reader: UserActor, { do_not_contact: blocked }: Pick<UserRow, 'do_not_contact'>): boolean {
  return !hidesValuesFrom(reader, { doNotContact: blocked === 1 })
}

function toBusiness({ id, name, do_not_contact: blocked }: Pick<UserRow, 'id' | 'name' | 'do_not_contact'>) {
  return { id, name, doNotContact: blocked === 1 }
}

function statusesOf(rows: readonly LatestRow[], now: Date): DomainSummary['statuses'] {
  return dnsKinds.map((kind) => {
    const row = rows.find((one) => one.kind === kind)
    if (row === undefined) return { kind, status: 'not_checked', state: null }
    return { kind, status: row.status, state: freshnessOf(row.observed_at, row.ttl, now)?.state ?? null }
  })
}

/** Returns one domain, typed in any spelling. Errors: `not_found` for a domain that the tenant does not know, or that the reader may not see. */
export async function getDomain(store: Store, reader: UserActor, typed: string): Promise<DomainDetail> {
  const { tenantId } = reader
  const domain = unitOf(readDomainName(typed))
  // Checked before the domain is read, so that the answer for a hidden domain takes the time of that for an unknown one.
  if (domain === null || (await isWithheld(store, reader, domain))) throw notFound()
  const row = await getDomainName(store.reader, tenantId, domain)
  const { suffix, suffixKind, reason } = readDomainName(domain)
  const users = await selectUsers(store.reader, { tenantId, domains: [domain], limit: listLimits.shown })
  const shown = users.filter((user) => isShown(reader, user))
  const names = await selectOtherNames(store.reader, tenantId, domain, listLimits.shown + 1)
  return {
    ...common(row, await findSuppressedDomains(store, tenantId, [domain])),
    label: domainToUnicode(domain.split('.', 1).join()),
    suffix: suffix ?? '',
    suffixKind: suffixKind ?? 'unknown',
    reason,
    isFreeMail: isFreeMailDomain(domain),
    isSharedHost: isSharedHost(domain),
    normalizationVersion: NORMALIZATION_VERSION,
    suffixListVersion: SUFFIX_LIST_VERSION,
    businesses: shown.map((user) => ({
      ...toBusiness(user),
      byRecord: user.by_record === 1,
      byEmail: user.by_email === 1,
      hosts: readTexts(user.hosts),
    })),
    hiddenBusinesses: users.length - shown.length,
    associations: await associationsOf(store, reader, domain),
    latest: await latestOf(store, reader, domain),
    otherNames: await withStatuses(store, tenantId, names.slice(0, listLimits.shown)),
    hasMoreNames: names.length > listLimits.shown,
    lookalikes: await lookalikesOf(store.reader, tenantId, domain),
  }
}

async function withStatuses(
  store: Store,
  tenantId: string,
  rows: Awaited<ReturnType<typeof selectOtherNames>>,
): Promise<DomainDetail['otherNames']> {
  const names = rows.map(({ name }) => name)
  const latest = Map.groupBy(await selectLatest(store.reader, { tenantId, names, kinds: dnsKinds }), ({ name }) => name)
  return rows.map((row) => ({ ...row, statuses: statusesOf(latest.get(row.name) ?? [], store.clock()) }))
}

async function latestOf(store: Store, reader: UserActor, domain: string): Promise<DomainDetail['latest']> {
  const { tenantId } = reader
  const latest = await selectLatest(store.reader, { tenantId, names: [domain], kinds: dnsKinds })
  const rows = await findObservationRows(
    store.reader,
    tenantId,
    latest.map(({ id }) => id),
  )
  const observations = await toObservations(store, tenantId, rows)
  return dnsKinds.map((kind) => {
    const observation = observations.find((one) => one.kind === kind) ?? null
    return { kind, status: observation?.status ?? 'not_checked', observation }
  })
}

async function associationsOf(store: Store, reader: UserActor, domain: string): Promise<DomainDetail['associations']> {
  const { tenantId } = reader
  const rows = await selectAssociations(store.reader, tenantId, domain, listLimits.shown)
  const survivors = await selectSurvivors(
    store.reader,
    tenantId,
    rows.map(({ business_id: id }) => id),
  )
  return rows.flatMap((row) => {
    const survivor = survivors.get(row.business_id)
    if (survivor === undefined || !isShown(reader, survivor)) return []
    return {
      candidateId: row.candidate_id,
      business: toBusiness(survivor),
      originBusinessId: row.business_id,
      acceptedAt: row.created_at,
      acceptedBy: actorRef(row.created_by, row.creator_name),
      withdrawnAt: row.withdrawn_at,
    }
  })
}
