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
  if (run.isActive) return 'Its scores are active.'
  switch (run.status) {
    case 'queued':
    case 'running':
      return run.activate === 'when_complete'
        ? 'Its scores become active when it ends, if all prospects were scored.'
        : 'When it ends, the scores in use stay until someone activates the new ones.'
    case 'stopped':
      return 'Nothing is stored, and the active scores do not change.'
    case 'cancelled':
      return 'Nothing is stored.'
    case 'complete':
    case 'partial':
      if (!run.isKept)
        return 'The scores of this recalculation are no longer stored. Recalculate with the same version to see scores.'
      return run.supersededAt === null ? 'Its scores can be activated.' : 'Its scores can be activated again.'
  }
}
