import { type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { sha256 } from '../../../lib/hashing.ts'
import type { CheckpointLine } from './checkpoint-file.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const statement = { tenantId: z.string(), sequence: z.int().positive(), hash: hex, at: z.string() }

/**
 * A signed statement: at that time, the tenant's event of that sequence had that hash. It stands outside the database and
 * is signed with a key outside it, so cutting the end off the chain, or writing the whole chain anew with right hashes,
 * does not go unseen. From form 2 on each line is numbered and holds the SHA-256 of the line before it, so a line cannot be removed,
 * replaced or added unseen (docs/decisions/audit-checkpoints.md). The holder of the key and the file can still forge both: copy the file to where the server cannot write.
 */
const checkpointSchema = z.discriminatedUnion('v', [
  z.strictObject({ v: z.literal(1), ...statement, signature: z.string() }),
  z.strictObject({
    v: z.literal(2),
    number: z.int().positive(),
    ...statement,
    previous: hex,
    signature: z.string(),
  }),
])

export type Checkpoint = z.infer<typeof checkpointSchema>
export type Statement = Pick<Checkpoint, 'tenantId' | 'sequence' | 'hash' | 'at'>

/** A line's place in the chain of checkpoints: its number and the SHA-256 of its text. */
export type Link = { number: number; hash: string }

/** Before the first line. */
export const CHECKPOINTS_START: Link = { number: 0, hash: '0'.repeat(64) }

/** The line that follows `previous`, signed, and its own link. */
export function signCheckpoint(
  key: KeyObject,
  previous: Link,
  { tenantId, sequence, hash, at }: Statement,
): { text: string; link: Link } {
  const number = previous.number + 1
  const unsigned = { v: 2 as const, number, tenantId, sequence, hash, at, previous: previous.hash }
  const text = JSON.stringify({ ...unsigned, signature: sign(null, signedBytes(unsigned), key).toString('base64url') })
  return { text, link: { number, hash: sha256(text) } }
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

export function follows(checkpoint: Checkpoint, previous: Link): boolean {
  return checkpoint.v === 1 || (checkpoint.number === previous.number + 1 && checkpoint.previous === previous.hash)
}

/** The link of a line that stands behind `previous`. Lines of form 1 hold no number: they are counted. */
export function linkOf({ text = '' }: CheckpointLine, checkpoint: Checkpoint | undefined, previous: Link): Link {
  return { number: checkpoint?.v === 2 ? checkpoint.number : previous.number + 1, hash: sha256(text) }
}

type Unsigned<C> = C extends Checkpoint ? Omit<C, 'signature'> : never

/** Names its purpose, so that a signature made for this can never pass for another. */
function signedBytes(checkpoint: Unsigned<Checkpoint>): Buffer {
  const { v, tenantId, sequence, hash, at } = checkpoint
  const place = checkpoint.v === 1 ? [] : [checkpoint.number, checkpoint.previous]
  return Buffer.from(JSON.stringify(['prospect-platform audit checkpoint', v, tenantId, sequence, hash, at, ...place]))
}
