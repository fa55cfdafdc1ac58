import { openThreadRows } from '../../../store/thread-rows.ts'
import { NORMALIZATION_VERSION } from '../../normalization/normalization.ts'
import type { MatchIdentifier, MatchInput } from '../rules/match-record.ts'

const AT_ONCE = 4_000
/** Size of the page cache. It is small, because each page is read once, in the order of ids. */
const CACHE_KIB = 4_096

const BUSINESSES = `
  SELECT id, name, trading_name, registration_number, street, suburb, city, province, postal_code, country, status
  FROM businesses WHERE tenant_id = ? AND id > ? ORDER BY id LIMIT ${AT_ONCE}`
const IDENTIFIERS = `
  SELECT business_id, kind, original, region, normalized FROM business_identifiers
  WHERE tenant_id = ? AND business_id > ? AND business_id <= ? ORDER BY business_id, kind, position`
const OPEN = `
  SELECT id, business_a, business_b FROM match_suggestions
  WHERE tenant_id = ? AND (business_a, business_b) > (?, ?) AND status = 'open' ORDER BY business_a, business_b LIMIT ${AT_ONCE}`
const KEYS = `
  SELECT business_id, facts, normalization_version FROM match_records
  WHERE tenant_id = ? AND business_id > ? ORDER BY business_id LIMIT ${AT_ONCE}`

const LAST_SEQUENCE = 'SELECT sequence FROM audit_events WHERE tenant_id = ? ORDER BY sequence DESC LIMIT 1'

type BusinessRow = [
  string,
  string,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string | null,
  string,
]
type IdentifierRow = [string, MatchIdentifier['kind'], string, string | null, string | null]

/** The stored row of a business: the hash of its facts, and true if the current rules computed it. */
export type KeptRow = [businessId: string, facts: number, isCurrent: boolean]
/** An open suggestion with its pair. */
export type OpenRow = [id: string, a: string, b: string]

const none: readonly MatchIdentifier[] = []

/**
 * Reads a tenant from one snapshot of the store, in slices ordered by id, in the reading thread of a run. It uses plain statements, because for a
 * million rows a query builder costs more than the rows.
 */
export function openMatchInputs(dataDir: string, tenantId: string) {
  const { rows: select, holdView, close } = openThreadRows({ dataDir, cacheKib: CACHE_KIB })
  holdView()
  const businesses = select<[string, string], BusinessRow>(BUSINESSES)
  const identifiers = select<[string, string, string], IdentifierRow>(IDENTIFIERS)

  function readAll(onInput: (input: MatchInput) => void): void {
    let last = ''
    for (;;) {
      const rows = businesses(tenantId, last)
      const end = rows.at(-1)?.[0]
      if (end === undefined) return
      const found = identifiers(tenantId, last, end)
      let at = 0
      for (const [
        id,
        name,
        tradingName,
        registrationNumber,
        street,
        suburb,
        city,
        province,
        postalCode,
        country,
        status,
      ] of rows) {
        const own: MatchIdentifier[] = []
        for (let row = found[at]; row !== undefined && row[0] <= id; row = found[at]) {
          const [businessId, kind, original, region, normalized] = row
          if (businessId === id) own.push({ kind, original, region, normalized })
          at += 1
        }
        if (status !== 'active') continue
        onInput({
          id,
          name,
          tradingName,
          registrationNumber,
          street,
          suburb,
          city,
          province,
          postalCode,
          country,
          identifiers: own.length === 0 ? none : own,
        })
      }
      last = end
    }
  }

  return {
    readAll,
    /** Returns the sequence of the last audit event in this snapshot. */
    lastSequence: (): number => select<[string], [sequence: number]>(LAST_SEQUENCE)(tenantId)[0]?.[0] ?? 0,
    /** Reads the open suggestions in slices, ordered by pair. */
    eachOpen: (onSlice: (rows: OpenRow[]) => void): void => {
      const open = select<[string, string, string], OpenRow>(OPEN)
      let last: readonly [string, string] = ['', '']
      for (;;) {
        const rows = open(tenantId, ...last)
        const end = rows.at(-1)
        if (end === undefined) return
        onSlice(rows)
        last = [end[1], end[2]]
      }
    },
    keptFacts: (onSlice: (rows: KeptRow[]) => void): void => {
      const kept = select<[string, string], [string, number, string]>(KEYS)
      let last = ''
      for (;;) {
        const rows = kept(tenantId, last)
        const end = rows.at(-1)?.[0]
        if (end === undefined) return
        onSlice(rows.map(([id, facts, version]) => [id, facts, version === NORMALIZATION_VERSION]))
        last = end
      }
    },
    close,
  }
}
