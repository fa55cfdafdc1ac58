import { createPublicKey, sign, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { type Keys, keysFingerprint } from '../../store/files/keys.ts'

export const MANIFEST_FILE = 'manifest.json'
/** File of the signed heads of all audit chains in the backup, one on each line. Backups of stores without an id have none. */
export const HEADS_FILE = 'audit-heads.jsonl'
/** Maximum size of a manifest, which grows with the number of tenants. A larger file is invalid. */
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const bytes = z.int().nonnegative()

/**
 * Schema of a manifest without its signature: the description of a backup, stored as plain text beside the encrypted files. It contains no record, no
 * name and no key.
 */
const unsignedSchema = z.strictObject({
  /** format version; in version 1 the store has a schema from before 2026-11-25, which cannot be upgraded */
  v: z.union([z.literal(1), z.literal(2)]),
  id: z.string().regex(/^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}$/),
  takenAt: z.iso.datetime(),
  /** number of migration steps that the store has taken */
  schemaVersion: z.int().nonnegative(),
  /** number of rows of each table */
  counts: z.record(z.string(), bytes),
  /** last event of each tenant's audit chain, and its newest signed checkpoint, if there is one */
  chains: z.array(
    z.strictObject({
      tenantId: z.string(),
      sequence: z.int().positive(),
      hash: sha256,
      checkpoint: z
        .strictObject({ sequence: z.int().positive(), number: z.int().positive(), lineHash: sha256 })
        .optional(),
    }),
  ),
  checks: z.strictObject({ integrity: z.literal('ok'), foreignKeys: z.literal('ok') }),
  /** for each stored file: size and checksum, and those of its content before compression and encryption */
  files: z
    .array(
      z.strictObject({
        name: z.enum(['prospect.sqlite.zst.age', 'audit-checkpoints.jsonl.zst.age']),
        bytes,
        sha256,
        plainBytes: bytes,
        plainSha256: sha256,
      }),
    )
    .length(2),
  /** public keys; the owners of their secret keys can open the backup */
  recipients: z.array(z.string()).min(1),
  /** fingerprint of the keys that this store needs; no backup contains the keys */
  keysFingerprint: sha256,
})

export const manifestSchema = unsignedSchema.extend({ signature: z.string() })
export type Manifest = z.infer<typeof manifestSchema>

/** Signs a manifest. The signature is needed because anybody can encrypt to a public key, but only this server can sign its backups. */
export function signManifest(
  keys: Keys,
  content: Omit<z.infer<typeof unsignedSchema>, 'v' | 'keysFingerprint'>,
): Manifest {
  const unsigned = { v: 2 as const, ...content, keysFingerprint: keysFingerprint(keys) }
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), keys.auditSigning).toString('base64url') }
}

export function isSignedWith(keys: Keys, { signature, ...unsigned }: Manifest): boolean {
  return verify(null, signedBytes(unsigned), createPublicKey(keys.auditSigning), Buffer.from(signature, 'base64url'))
}

/** Returns the bytes to sign. They begin with the purpose, so that a signature made for another purpose is not valid for a manifest. */
function signedBytes(unsigned: Omit<Manifest, 'signature'>): Buffer {
  return Buffer.from(`prospect-platform backup manifest\n${canonicalize(unsigned)}`)
}
