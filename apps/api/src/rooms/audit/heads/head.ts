import { createPublicKey, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { sha256OfBytes } from '../../../lib/hashing.ts'
import { isStatementSignedBy, signStatement } from '../signed-statement.ts'

/** Part of the signed bytes, so that no other signature of the key is valid for a head. */
const HEAD_PURPOSE = 'prospect-platform audit head'

const hex = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * A signed statement that the chain of a tenant had this event as its newest. It is kept by people and other machines, so that a chain which was cut or
 * rewritten together with its checkpoints is found.
 */
export const headSchema = z
  .strictObject({
    v: z.literal(1).describe('Version of the format (docs/proof-format.md).'),
    store: z.string().describe('Id of the store. A restored store keeps its id.'),
    tenant: z.string(),
    sequence: z.int().positive().describe('The newest event of the chain.'),
    hash: hex,
    at: z.iso.datetime(),
    keyId: hex.describe('SHA-256 of the public key in DER (SPKI).'),
    signature: z.string(),
  })
  .meta({ id: 'AuditHead', description: 'The signed end of an audit chain. Keep it where the server cannot write.' })
export type Head = z.infer<typeof headSchema>

/** Returns the id of a public key: the SHA-256 of its DER form (SPKI). */
export function keyIdOf(publicKey: KeyObject): string {
  return sha256OfBytes(publicKey.export({ type: 'spki', format: 'der' }))
}

export function signHead(key: KeyObject, end: Pick<Head, 'store' | 'tenant' | 'sequence' | 'hash' | 'at'>): Head {
  const { store, tenant, sequence, hash, at } = end
  const unsigned = { v: 1 as const, store, tenant, sequence, hash, at, keyId: keyIdOf(createPublicKey(key)) }
  return { ...unsigned, signature: signStatement(key, HEAD_PURPOSE, unsigned).signature }
}

export function isHeadSignedBy(publicKey: KeyObject, { signature, ...statement }: Head): boolean {
  return isStatementSignedBy(publicKey, HEAD_PURPOSE, { statement, signature })
}
