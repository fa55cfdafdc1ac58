import type { SuppressionCheck } from '../src/rooms/csv-preview/csv/suppressed-values.ts'

/** Suppression gate of a tenant without suppression entries. */
export const clearGate: SuppressionCheck = {
  prepare: async () => {},
  mayMatch: () => false,
  suppressed: async () => new Set(),
}
