declare module '../../store/database.ts' {
  interface Database {
    suppression_record_keys: SuppressionRecordKeyTable
    suppression_matches: SuppressionMatchTable
  }
}

export type Scope = 'exact' | 'with_subdomains'

type SuppressionRecordKeyTable = { tenant_id: string; key: string; business_id: string; source: 'record' | 'evidence' }

/** What made a match: the entry came later, the record did, a merge brought it, or new rules found it. */
export type MatchCause = 'entry' | 'record' | 'merge' | 'reevaluation'

type SuppressionMatchTable = {
  tenant_id: string
  suppression_id: string
  business_id: string
  at: string
  cause: MatchCause
  live: 0 | 1
}
