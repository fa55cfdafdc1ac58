/** Texts about recalculations. */
import type { ScoringRun } from '@prospect/api-client'

export const runStatusWords: Readonly<Record<ScoringRun['status'], string>> = {
  queued: 'Waiting',
  running: 'Running',
  complete: 'Complete',
  partial: 'Partial',
  stopped: 'Stopped',
  cancelled: 'Cancelled',
}

/** Meaning of a run for its readers, besides its status. */
export function standingWords(run: ScoringRun): string {
  if (run.isActive) return 'The scores of this recalculation are active.'
  switch (run.status) {
    case 'queued':
    case 'running':
      return run.activate === 'when_complete'
        ? 'When this recalculation ends, its scores become active if all prospects were scored.'
        : 'When this recalculation ends, the current scores stay active until someone activates the new scores.'
    case 'stopped':
      return 'No new scores are stored, and the active scores do not change.'
    case 'cancelled':
      return 'No new scores are stored.'
    case 'complete':
    case 'partial':
      if (!run.isKept)
        return 'The scores of this recalculation are no longer stored. Recalculate with the same version to see scores.'
      return run.supersededAt === null
        ? 'You can activate the scores of this recalculation.'
        : 'You can activate the scores of this recalculation again.'
  }
}
