/** Largest message: 16 bits of length, or over UDP the announced size. */
export const MAX_MESSAGE_BYTES = 65_535
export const EDNS_BYTES = 1_232
/** Longest duration; a source contract may allow less. */
export const MAX_DURATION_MS = 10_000

/** True for a forbidden name and for every name below one. */
export function isForbidden(name: string, forbidden: readonly string[]): boolean {
  return forbidden.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

export type DnsSettings = { resolvers: string[]; forbiddenNames: string[] }

export type Resolver = { name: string; address: string; port: number }
