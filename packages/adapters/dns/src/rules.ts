/** A message has a 16-bit length; over UDP the size that we announce. */
export const MAX_MESSAGE_BYTES = 65_535
export const EDNS_BYTES = 1_232
/** A source contract may allow less. */
export const MAX_DURATION_MS = 10_000

/** A forbidden name forbids all names below it. */
export function isForbidden(name: string, forbidden: readonly string[]): boolean {
  return forbidden.some((suffix) => name === suffix || name.endsWith(`.${suffix}`))
}

export type DnsSettings = { resolvers: string[]; forbiddenNames: string[] }

export type Resolver = { name: string; address: string; port: number }
