import { type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { sha256 } from '../../../lib/hashing.ts'
import type { CheckpointLine } from './checkpoint-file.ts'

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const statement = { tenantId: z.string(), sequence: z.int().positive(), hash: hex, at: z.string() }

/**
 * A signed statement: at this time, the tenant's event with this sequence had this hash. It is stored outside the database, and so is the key that
 * signs it. A chain that was truncated, or rewritten with valid hashes, is therefore detected. From form 2 on, each line is numbered and contains the
 * SHA-256 of the previous line, so removed, replaced or added lines are detected too (docs/decisions/audit-checkpoints.md). An attacker with both the
 * key and the file can still forge them, so copy the file to a place to which the server cannot write.
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

/** The position of a line in the chain of checkpoints: its number and the SHA-256 of its text. */
export type Link = { number: number; hash: string }

/** The link before the first line of a file: number 0 and a hash of zeros. */
export const CHECKPOINTS_START: Link = { number: 0, hash: '0'.repeat(64) }

/** Returns the signed line that follows `previous`, and the link of this line. */
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

/** Parses a line. Returns undefined if the line is not a checkpoint (damaged, or without a signature). */
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

/** Returns the link of a line that follows `previous`. Lines of form 1 contain no number, so their number is counted. */
export function linkOf({ text = '' }: CheckpointLine, checkpoint: Checkpoint | undefined, previous: Link): Link {
  return { number: checkpoint?.v === 2 ? checkpoint.number : previous.number + 1, hash: sha256(text) }
}

type Unsigned<C> = C extends Checkpoint ? Omit<C, 'signature'> : never

/** Returns the text to sign. It names its purpose, so that a signature made for another purpose is not valid for a checkpoint. */
function signedBytes(checkpoint: Unsigned<Checkpoint>): Buffer {
  const { v, tenantId, sequence, hash, at } = checkpoint
  const place = checkpoint.v === 1 ? [] : [checkpoint.number, checkpoint.previous]
  return Buffer.from(JSON.stringify(['prospect-platform audit checkpoint', v, tenantId, sequence, hash, at, ...place]))
}
