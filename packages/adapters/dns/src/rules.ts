/** Maximum size of a message: over TCP the largest 16-bit length, over UDP the size that the question announces. */
export const MAX_MESSAGE_BYTES = 65_535
export const EDNS_BYTES = 1_232
/** Maximum duration of a query; a source contract may set a lower one. */
export const MAX_DURATION_MS = 10_000

/** Returns true for a forbidden name and for every name below one. */
export function isForbidden(name: string, forbidden: readonly string[]): boolean {
  return forbidden.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

export type DnsSettings = { resolvers: string[]; forbiddenNames: string[] }

export type Resolver = { name: string; address: string; port: number }
