import { type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import type { CheckpointLine } from './checkpoint-file.ts'

/**
 * A signed statement: at that time, the tenant's event of that sequence had that hash. It stands outside the database and
 * is signed with a key outside it, so cutting the end off the chain, or writing the whole chain anew with right hashes,
 * does not go unseen. Who holds the key and the file can still forge both: copy the file to where the server cannot write.
 */
const checkpointSchema = z.strictObject({
  v: z.literal(1),
  tenantId: z.string(),
  sequence: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.string(),
  signature: z.string(),
})

export type Checkpoint = z.infer<typeof checkpointSchema>

export function signCheckpoint(key: KeyObject, statement: Omit<Checkpoint, 'v' | 'signature'>): Checkpoint {
  const { tenantId, sequence, hash, at } = statement
  const unsigned = { v: 1 as const, tenantId, sequence, hash, at }
  return { ...unsigned, signature: sign(null, signedBytes(unsigned), key).toString('base64url') }
}

export function isSignedBy(publicKey: KeyObject, checkpoint: Checkpoint): boolean {
  return verify(null, signedBytes(checkpoint), publicKey, Buffer.from(checkpoint.signature, 'base64url'))
}

/** Undefined for a line that is no checkpoint: damaged, or without a signature. */
export function parseCheckpoint({ text }: CheckpointLine): Checkpoint | undefined {
  if (text === undefined) return undefined
  try {
    return checkpointSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** Names its purpose, so that a signature made for this can never pass for another. */
function signedBytes({ v, tenantId, sequence, hash, at }: Omit<Checkpoint, 'signature'>): Buffer {
  return Buffer.from(JSON.stringify(['prospect-platform audit checkpoint', v, tenantId, sequence, hash, at]))
}
