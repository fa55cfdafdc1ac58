import { readFile, stat } from 'node:fs/promises'
import { createLocalJWKSet, importJWK, type JWK, type JWTVerifyGetKey } from 'jose'
import { z } from 'zod'
import type { CompanySettings } from '../../../config.ts'
import { DAY_MS } from '../../../lib/clock.ts'

/** Largest file that is read. The files of large providers have some ten kilobytes. */
const MAX_JWKS_BYTES = 256 * 1_024
const MAX_JWKS_KEYS = 100
/** Shortest RSA modulus in bytes: 2,048 bits (RFC 7518, 3.3). */
const MIN_RSA_BYTES = 256

/** Members that only secret keys have (RFC 7518, 6). */
const secretMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'] as const

const jwksSchema = z.object({
  keys: z
    .array(
      z.looseObject({
        kty: z.string(),
        kid: z.string().exactOptional(),
        use: z.string().exactOptional(),
        alg: z.string().exactOptional(),
        n: z.string().exactOptional(),
      }),
    )
    .max(MAX_JWKS_KEYS),
})
type Key = z.output<typeof jwksSchema>['keys'][number]

/** A key file that cannot be used. The message is a sentence for the operator and contains nothing of the file. */
export class JwksUnusable extends Error {}

export type CompanyKeys = {
  /** Returns the function that finds the key of a token. The file is read again after it changed. Throws `JwksUnusable`. */
  current(): Promise<JWTVerifyGetKey>
}

/**
 * Creates the reader of the key file. An unusable file is not replaced by the keys that were read before: the operator may have removed a key that
 * must no longer be trusted.
 */
export function createCompanyKeys(file: string): CompanyKeys {
  let known: { version: string; keys: Promise<JWTVerifyGetKey> } | undefined
  return {
    async current() {
      const { size, mtimeMs, ino } = await statOf(file)
      const version = `${ino} ${mtimeMs} ${size}`
      if (known?.version !== version) known = { version, keys: readKeys(file, size) }
      return known.keys
    },
  }
}

/** State of the key file for operators: keys and age in days, or the problem as a sentence. */
type CompanyKeysState = { keys: number | null; ageDays: number | null; problem: string | null }

/** Reads the key file for the probe and the page of the deployment. A file older than the setting still works, and is a problem to solve. */
export async function inspectCompanyKeys(
  { jwksFile, jwksMaxAgeDays }: Pick<CompanySettings, 'jwksFile' | 'jwksMaxAgeDays'>,
  now: Date,
): Promise<CompanyKeysState> {
  try {
    const { size, mtimeMs } = await statOf(jwksFile)
    const { length: keys } = await parseJwks(await textOf(jwksFile, size))
    const ageDays = Math.floor((now.getTime() - mtimeMs) / DAY_MS)
    return { keys, ageDays, problem: ageDays > jwksMaxAgeDays ? oldSentence(ageDays, jwksMaxAgeDays) : null }
  } catch (error) {
    if (!(error instanceof JwksUnusable)) throw error
    return { keys: null, ageDays: null, problem: error.message }
  }
}

function oldSentence(ageDays: number, maxDays: number): string {
  return `The key file is ${ageDays} days old (limit: ${maxDays}). Replace it by the current keys of the provider, before the provider signs with a newer key.`
}

async function readKeys(file: string, size: number): Promise<JWTVerifyGetKey> {
  return createLocalJWKSet({ keys: await parseJwks(await textOf(file, size)) })
}

function statOf(file: string) {
  return stat(file).catch((cause: unknown) => {
    throw new JwksUnusable(`OIDC_JWKS_FILE names ${file}, which cannot be read.`, { cause })
  })
}

async function textOf(file: string, size: number): Promise<string> {
  if (size > MAX_JWKS_BYTES) throw new JwksUnusable(`The key file is larger than ${MAX_JWKS_BYTES} bytes.`)
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new JwksUnusable(`OIDC_JWKS_FILE names ${file}, which cannot be read.`, { cause })
  })
}

/** Returns the keys of a JWK Set (RFC 7517) that verify signatures. Throws `JwksUnusable`, also if the text contains a secret key. */
export async function parseJwks(text: string): Promise<JWK[]> {
  const parsed = jwksSchema.safeParse(jsonOf(text))
  if (!parsed.success) throw new JwksUnusable('The key file is not a JWK Set: an object with a list of keys.')
  const { keys } = parsed.data
  if (keys.some(isSecret)) {
    throw new JwksUnusable('The key file contains a secret key. Replace it by the public keys of the provider.')
  }
  const signing = keys.filter(({ use, kty }) => use !== 'enc' && ['RSA', 'EC', 'OKP'].includes(kty))
  if (signing.length === 0) throw new JwksUnusable('The key file contains no key that verifies signatures.')
  for (const key of signing) await requireImportable(key)
  return signing
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new JwksUnusable('The key file is not JSON.', { cause })
  }
}

function isSecret(key: Key): boolean {
  return key.kty === 'oct' || secretMembers.some((member) => member in key)
}

const defaultAlgorithms: Record<string, string | undefined> = { RSA: 'RS256', EC: 'ES256', OKP: 'Ed25519' }
const algorithmOfCurve: Record<string, string | undefined> = { 'P-384': 'ES384', 'P-521': 'ES512' }

/** Imports the key once, because an invalid key would otherwise fail at the first token that names it. */
async function requireImportable(key: Key): Promise<void> {
  const algorithm = key.alg ?? algorithmOfCurve[String(key.crv)] ?? defaultAlgorithms[key.kty] ?? ''
  const isShort = key.kty === 'RSA' && Buffer.from(key.n ?? '', 'base64url').length < MIN_RSA_BYTES
  if (isShort)
    throw new JwksUnusable('The key file contains an RSA key of fewer than 2,048 bits, or without a modulus.')
  await importJWK(key, algorithm).catch((cause: unknown) => {
    throw new JwksUnusable('The key file contains an invalid key.', { cause })
  })
}
