// Columns and lists of values: `npm run generate:tables`. By hand: comments, names, narrower types (docs/development.md).

import type { ContactText } from '../contact-gate/contact-gate.ts'

declare module '../../store/database.ts' {
  interface Database {
    holdings: HoldingTable
  }
}

export type HoldingTable = {
  tenant_id: string
  id: string
  /** first attempt of the job that writes the file */
  job_id: string
  business_id: string | null
  value_kind: 'email' | 'phone' | 'domain' | null
  /** the value as typed; null once the file was deleted */
  value: ContactText | null
  value_normalized: ContactText | null
  created_at: string
  created_by: string
  /** JSON: sizes, hashes and counts of the file */
  file: string | null
  ended_at: string | null
  ended_because: 'failed' | 'expired' | 'erasure' | null
}
