import { createPublicKey } from 'node:crypto'
import { existsSync } from 'node:fs'
import { AppError } from '../../../lib/app-error.ts'
import type { Store } from '../../../store/store.ts'
import { readCheckpointLines } from '../checkpoints/checkpoint-file.ts'
import { type Head, headSchema, isHeadSignedBy, keyIdOf } from './head.ts'
import { getStoreId } from './newest-head.ts'

/** Maximum number of lines of a file of heads: one an hour for ten years. */
const MAX_HEADS = 100_000

/**
 * Reads a file of heads, one on each line. Every head must be of this store and carry its signature. Errors: `not_found`; `invalid_request` (a line
 * that is no head, was edited, or is of another store or key; too many lines).
 */
export async function readHeads(store: Store, file: string): Promise<Head[]> {
  if (!existsSync(file)) throw new AppError('not_found', `There is no file ${file}.`)
  const publicKey = createPublicKey(store.keys.auditSigning)
  const own = { store: await getStoreId(store.reader), keyId: keyIdOf(publicKey) }
  const heads: Head[] = []
  for await (const { number, text } of readCheckpointLines(file)) {
    if (text?.trim() === '') continue
    if (heads.length === MAX_HEADS) throw refused(`${file} has more than ${MAX_HEADS} heads.`)
    const head = text === undefined ? undefined : parseHead(text)
    const where = `Line ${number} of ${file}`
    if (head === undefined) throw refused(`${where} is not a head of an audit chain.`)
    if (head.store !== own.store) throw refused(`${where} is a head of another store.`)
    if (head.keyId !== own.keyId) throw refused(`${where} is signed with another key, ${head.keyId}.`)
    if (!isHeadSignedBy(publicKey, head)) throw refused(`${where} was edited: its signature does not fit.`)
    heads.push(head)
  }
  if (heads.length === 0) throw refused(`${file} contains no head.`)
  return heads
}

function parseHead(text: string): Head | undefined {
  try {
    return headSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function refused(sentence: string): AppError {
  return new AppError('invalid_request', sentence)
}
