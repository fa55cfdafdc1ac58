import { defineFacts } from '../define-facts.ts'

export const scoringFacts = defineFacts({
  room: 'scoring',
  permissions: {
    'scoring.read': { role: 'viewer', label: 'See scores and the rules behind them' },
    'scoring.write': { role: 'manager', label: 'Write and preview scoring rules' },
    'scoring.approve': { role: 'manager', label: 'Approve, reject and retire scoring rules' },
    'scoring.recalculate': { role: 'manager', label: 'Recalculate and activate scores' },
  },
  errors: {
    scores_switched: [409, 'Active scores switched'],
    active_run_changed: [409, 'Another run is active'],
    preview_required: [422, 'Full preview required'],
    content_changed: [422, 'Content changed'],
    not_approved: [422, 'Version not approved'],
  },
  workActions: {
    'scoring_rule_set.create': 'Scoring rule set created',
    'scoring_rule_set.edit': 'Scoring rule set edited',
    'scoring_version.create': 'Scoring version created',
    'scoring_version.edit': 'Scoring version edited',
    'scoring_version.submit': 'Scoring version submitted',
    'scoring_version.withdraw': 'Scoring version withdrawn',
    'scoring_version.approve': 'Scoring version approved',
    'scoring_version.approval_failed': 'Approval of a scoring version failed',
    'scoring_version.reject': 'Scoring version rejected',
    'scoring_version.retire': 'Scoring version retired',
    'scoring_preview.request': 'Scoring preview requested',
    'scoring_preview.complete': 'Scoring preview completed',
    'scoring_run.create': 'Recalculation requested',
    'scoring_run.start': 'Recalculation started',
    'scoring_run.end': 'Recalculation ended',
    'scoring_run.stop': 'Recalculation stopped',
    'scoring_run.activate': 'Scores activated',
  },
  auditSubjects: {
    scoring_rule_set: { label: 'Scoring rule set', visibleTo: 'scoring.read' },
    scoring_run: { label: 'Scoring run', visibleTo: 'scoring.read' },
  },
  otherBusinessTables: {
    scores: 'derived from the record, and removed when it ends',
    score_order: 'the order of scores',
    score_due: 'the deadlines of scores',
    score_changes: 'records that await scoring',
    score_history: 'results of the record itself, without its content',
    score_moves: 'results of the record itself, without its content',
    scoring_failures: 'records that a run could not score',
    scoring_preview_moves: 'kept for some days with a preview',
  },
  capabilities: [
    {
      phase: 10,
      area: 'Scoring',
      status: 'operational',
      reason:
        'Rule sets are versioned, approved by a second person and never edited afterwards; scores are ranges that name their rules, evidence and version, computed over a whole workspace by runs and activated in one commit; no template was compared with outcomes of this workspace.',
      pilot:
        'Operational, pilot: no rule set was compared with outcomes of this workspace. Approval, previews, atomic activation and rollback go beyond the pilot.',
    },
  ],
})
