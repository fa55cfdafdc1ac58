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
      return 'A draft changes no score. Preview the draft, write a rollback plan, and submit the draft for approval.'
    case 'submitted':
      return 'Nobody can edit the rules now. A person who did not edit or submit this version must decide.'
    case 'approved':
      return isActive
        ? 'The active scores use this version.'
        : 'You can recalculate all scores with this version and activate them. Nobody can edit its rules any more.'
    case 'rejected':
      return 'This version was rejected. To continue, create a new version from it.'
    case 'retired':
      return 'This version can no longer be used. Its past scores and its history are kept.'
  }
}
