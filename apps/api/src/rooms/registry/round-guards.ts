import { AppError } from '../../lib/app-error.ts'
import type { Tx } from '../../store/change/change.ts'
import { wasErasedSince } from '../businesses/businesses.ts'
import type { RegistryRoundTable, RoundState } from './registry.table.ts'

const words: Record<RoundState, string> = {
  preparing: 'This round is still writing its file.',
  awaiting_result: 'This round waits for its result.',
  confirming: 'A confirmed result of this round is being added.',
  closed: 'This round is closed. Start another one.',
  cancelled: 'This round was cancelled. Start another one.',
}

/** Errors: `registry_round_state`, with a sentence about the state in which the round is. */
export function requireState(row: Pick<RegistryRoundTable, 'state'>, ...wanted: readonly RoundState[]): void {
  if (!wanted.includes(row.state)) throw wrongState(words[row.state])
}

export function wrongState(message: string): AppError {
  return new AppError('registry_round_state', message)
}

/** Throws if a record was erased since `at`, because a file that was read then can contain its values. Errors: `registry_file_outdated`. */
export async function requireNoErasureSince(tx: Tx, at: string): Promise<void> {
  if (!(await wasErasedSince(tx, at))) return
  throw new AppError(
    'registry_file_outdated',
    'A prospect was erased meanwhile, and its values may be among those that were read. Nothing of them was kept; repeat this step.',
  )
}
