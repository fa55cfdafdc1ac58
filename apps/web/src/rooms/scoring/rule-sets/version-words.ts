/** Texts about versions of a rule set. */
import type { ActorRef, ScoringVersionSummary } from '@prospect/api-client'

export type VersionState = ScoringVersionSummary['state']

export const stateWords: Readonly<Record<VersionState, string>> = {
  draft: 'Draft',
  submitted: 'Submitted',
  approved: 'Approved',
  rejected: 'Rejected',
  retired: 'Retired',
}

export type VersionStep = { state: VersionState; words: string; at: string; by: ActorRef | null; reason: string | null }

/** History of a version, oldest step first. */
export function stepsOf(version: ScoringVersionSummary): VersionStep[] {
  const steps: (Omit<VersionStep, 'at'> & { at: string | null })[] = [
    { state: 'draft', words: 'Created', at: version.createdAt, by: version.createdBy, reason: null },
    { state: 'submitted', words: 'Submitted', at: version.submittedAt, by: version.submittedBy, reason: null },
    {
      state: 'approved',
      words: 'Approved',
      at: version.approvedAt,
      by: version.approvedBy,
      reason: version.approvalReason,
    },
    {
      state: 'rejected',
      words: 'Rejected',
      at: version.rejectedAt,
      by: version.rejectedBy,
      reason: version.rejectionReason,
    },
    {
      state: 'retired',
      words: 'Retired',
      at: version.retiredAt,
      by: version.retiredBy,
      reason: version.retirementReason,
    },
  ]
  return steps.flatMap(({ at, ...step }) => (at === null ? [] : [{ ...step, at }]))
}

/** The next step of a version in this state. */
export function nextWords(state: VersionState, isActive: boolean): string {
  switch (state) {
    case 'draft':
      return 'A draft changes no score. Preview it, write a rollback plan and submit it for approval.'
    case 'submitted':
      return 'Its rules cannot be edited. A person who did not edit or submit it must decide.'
    case 'approved':
      return isActive
        ? 'The active scores are computed by this version.'
        : 'Its scores can be calculated and activated. Its rules are never edited again.'
    case 'rejected':
      return 'It stays for the record. Create new version from it to go on.'
    case 'retired':
      return 'It can no longer be run. Its past scores and history are kept.'
  }
}
