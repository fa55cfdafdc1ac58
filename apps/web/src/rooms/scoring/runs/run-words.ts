/** Recalculations in words. */
import type { ScoringRun } from '@prospect/api-client'

export const runStatusWords: Readonly<Record<ScoringRun['status'], string>> = {
  queued: 'Waiting',
  running: 'Running',
  complete: 'Complete',
  partial: 'Partial',
  stopped: 'Stopped',
  cancelled: 'Cancelled',
}

/** What a run is to its readers, besides its status. */
export function standingWords(run: ScoringRun): string {
  if (run.isActive) return 'Its scores are active.'
  switch (run.status) {
    case 'queued':
    case 'running':
      return run.activate === 'when_complete'
        ? 'Its scores become active at its end, if every prospect was scored.'
        : 'Its scores wait for activation at its end.'
    case 'stopped':
      return 'Nothing of it is stored, and the active scores stay.'
    case 'cancelled':
      return 'Nothing of it is stored.'
    case 'complete':
    case 'partial':
      if (!run.isKept) return 'Its scores are no longer stored. Run its version again.'
      return run.supersededAt === null ? 'Its scores can be activated.' : 'Its scores can be activated again.'
  }
}
