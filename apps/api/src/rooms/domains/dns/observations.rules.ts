import { type DnsRecord, MAX_NEGATIVE_TTL_SECONDS, MAX_TTL_SECONDS } from '@prospect/adapter-contract/dns'
import type { StoredStatus } from '../domains.table.ts'

/* Rules for the TTL and the freshness of observations (RFC 2181, RFC 2308). Pure. */

/** Returns the TTL of a record. By RFC 2181 a TTL with the highest bit set is 0. */
export function readTtl(ttl: number): number {
  return ttl >= 2 ** 31 ? 0 : ttl
}

/**
 * Returns the time for which an answer may be used: its lowest TTL, at most a day. A negative answer uses the TTL of its SOA record, at most three
 * hours. A failure has no such time.
 */
export function usedTtl(status: StoredStatus, ttl: number | null, records: readonly DnsRecord[]): number | null {
  switch (status) {
    case 'resolved': {
      const all = [...records.map((record) => readTtl(record.ttl)), ...(ttl === null ? [] : [readTtl(ttl)])]
      return Math.min(MAX_TTL_SECONDS, ...all)
    }
    case 'no_data':
    case 'nxdomain':
      return ttl === null ? null : Math.min(MAX_NEGATIVE_TTL_SECONDS, readTtl(ttl))
    default:
      return null
  }
}

/** Returns the freshness of an observation. An answer without a TTL is stale from the time of its observation. */
export function freshnessOf(
  observedAt: string | null,
  ttl: number | null,
  now: Date,
): { state: 'fresh' | 'stale'; until: string } | null {
  if (observedAt === null) return null
  const until = new Date(Date.parse(observedAt) + (ttl ?? 0) * 1_000)
  return { state: now < until ? 'fresh' : 'stale', until: until.toISOString() }
}
