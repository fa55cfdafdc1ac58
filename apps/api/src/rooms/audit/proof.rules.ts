import { CHECKPOINT_FILE } from '../../store/files/store-files.ts'

/** Age from which an event without a checkpoint is reported as unproven. A running server signs within a minute. */
const UNPROVEN_AFTER_MS = 10 * 60_000

/** The part of a chain that checkpoints cover. */
export type Coverage = {
  /** the newest event */
  newest: { sequence: number; at: string } | null
  /** sequence of the newest checkpoint in the file that matches the chain; 0 if there is none */
  coveredTo: number
  /** sequence of the newest checkpoint that is recorded in the store; 0 if there is none */
  recordedTo: number
  /** first event that no checkpoint covers */
  uncovered: { sequence: number; at: string } | null
}

/**
 * Returns the reason why the checkpoints do not prove the chain, although none contradicts it; null if they prove it. `now`: null if no signing
 * server runs.
 */
export function unprovenBecause(
  { newest, coveredTo, recordedTo, uncovered }: Coverage,
  now: Date | null,
): string | null {
  if (newest === null) return 'It has no event, not even the creation of its workspace.'
  if (coveredTo < recordedTo)
    return `${CHECKPOINT_FILE} ends with a checkpoint of event ${coveredTo}, and the store records one of event ${recordedTo}: lines of the file are missing.`
  if (uncovered === null) return null
  const latestMs = Math.max(Date.parse(newest.at), now?.getTime() ?? 0)
  if (latestMs - Date.parse(uncovered.at) <= UNPROVEN_AFTER_MS) return null
  return `No checkpoint covers event ${uncovered.sequence} of ${uncovered.at} or a later one.`
}
