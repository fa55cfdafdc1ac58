import type { KeyObject } from 'node:crypto'
import { createBreather } from '../../../lib/event-loop.ts'
import { CHECKPOINT_FILE } from '../../../store/files/store-files.ts'
import {
  CHECKPOINTS_START,
  type Checkpoint,
  follows,
  isSignedBy,
  type Link,
  linkOf,
  parseCheckpoint,
} from './checkpoint.ts'
import { type CheckpointLine, readCheckpointLines } from './checkpoint-file.ts'

/**
 * A line of the file after verification. `checkpoint`: undefined if the line is invalid. `fault`: its fault as a sentence. `isSigned`: false for a
 * line that another key signed.
 */
export type WalkedLine = {
  checkpoint: Checkpoint | undefined
  link: Link
  isSigned: boolean
  fault: string | null
}

type Held = { line: CheckpointLine; checkpoint: Checkpoint; link: Link }

/**
 * Yields the lines of the file in order and checks that each follows the previous one. A signature covers the hash of the previous line, and so all
 * lines before it. Therefore only the signature of the last line of an unbroken sequence is verified. An incomplete last line, which a crash leaves,
 * is ignored.
 */
export async function* walkCheckpoints(file: string, publicKey: KeyObject): AsyncGenerator<WalkedLine> {
  const breathe = createBreather()
  let last = CHECKPOINTS_START
  /** the last line read, if it contains the correct hash of the line before it and its signature has not been verified yet */
  let held: Held | undefined
  const settle = ({ line, checkpoint, link }: Held): WalkedLine => {
    const isSigned = isSignedBy(publicKey, checkpoint)
    if (isSigned) last = link
    return { checkpoint, link, isSigned, fault: isSigned ? null : unsigned(line) }
  }
  for await (const line of readCheckpointLines(file)) {
    await breathe()
    const checkpoint = parseCheckpoint(line)
    if (checkpoint === undefined && !line.isWhole) continue
    if (checkpoint?.v === 2 && held !== undefined && follows(checkpoint, held.link)) {
      yield { ...held, isSigned: true, fault: null }
      last = held.link
      held = { line, checkpoint, link: linkOf(line, checkpoint, last) }
      continue
    }
    if (held !== undefined) yield settle(held)
    held = undefined
    const link = linkOf(line, checkpoint, last)
    if (checkpoint === undefined) {
      yield { checkpoint, link, isSigned: false, fault: damaged(line) }
      last = link
    } else if (checkpoint.v === 2 && follows(checkpoint, last)) {
      held = { line, checkpoint, link }
    } else {
      const before = last
      const walked = settle({ line, checkpoint, link })
      yield walked.isSigned && !follows(checkpoint, before) ? { ...walked, fault: astray(line, link, before) } : walked
    }
  }
  if (held !== undefined) yield settle(held)
}

function damaged({ number }: CheckpointLine): string {
  return `Line ${number} of ${CHECKPOINT_FILE} is damaged.`
}

function unsigned({ number }: CheckpointLine): string {
  return `Line ${number} of ${CHECKPOINT_FILE} does not carry the signature of this server.`
}

function astray({ number: line }: CheckpointLine, { number }: Link, before: Link): string {
  const [first, last] = [before.number + 1, number - 1]
  if (last < first)
    return `Line ${line} of ${CHECKPOINT_FILE} does not follow the line before it: lines were removed, replaced or added.`
  const missing = first === last ? `Checkpoint ${first} is` : `Checkpoints ${first} to ${last} are`
  return `${missing} missing before line ${line} of ${CHECKPOINT_FILE}.`
}
