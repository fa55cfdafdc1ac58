import type { ScoringVersion } from '@prospect/api-client'

const at = '2026-11-20T08:00:00.000Z'
const person = { kind: 'user', id: 'user-1', name: 'Ann Mokoena' } as const

/** The first draft of a rule set with two rules; `changes` replaces single properties. */
export function scoringVersionOf(changes: Partial<ScoringVersion> = {}): ScoringVersion {
  return {
    ruleSetId: 'set-1',
    version: 1,
    edit: 4,
    state: 'draft',
    basedOn: null,
    template: null,
    contentHash: 'h',
    editors: [],
    submittedAt: null,
    submittedBy: null,
    approvedAt: null,
    approvedBy: null,
    approvalReason: null,
    rejectedAt: null,
    rejectedBy: null,
    rejectionReason: null,
    retiredAt: null,
    retiredBy: null,
    retirementReason: null,
    previewId: null,
    currentPreviewId: null,
    rollbackPlan: null,
    createdAt: at,
    createdBy: person,
    updatedAt: at,
    words: {},
    problems: [],
    warnings: [],
    approvers: [],
    tenant: { id: 'tenant-1', name: 'Karoo Trading' },
    content: {
      groups: [
        {
          id: 'fit',
          name: 'Fit',
          min: 0,
          max: 100,
          rules: [
            { id: 'phone', signal: 'record.phones', op: 'at_least', value: 1, points: 20 },
            { id: 'mine', signal: 'record.tags', op: 'has_any', value: ['Mining'], points: 10 },
          ],
        },
      ],
      gates: [],
      bands: [
        { id: 'A', name: 'A', from: 50 },
        { id: 'B', name: 'B', from: 0 },
      ],
      straddling: 'lowest',
      rounding: 'half_up',
      tieBreak: 'completeness',
      suppression: 'first',
    },
    ...changes,
  }
}
