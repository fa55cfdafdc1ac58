import { defineFacts } from '../define-facts.ts'

export const pipelineFacts = defineFacts({
  room: 'pipeline',
  permissions: {
    'pipeline.read': { role: 'viewer', label: 'See the pipeline' },
    'pipeline.move': { role: 'operator', label: 'Move prospects through the pipeline' },
    'pipeline.configure': { role: 'administrator', label: 'Set up the pipeline' },
  },
  errors: {
    transition_not_allowed: [422, 'Move not allowed'],
    reason_required: [422, 'A reason is required'],
  },
  workActions: {
    'pipeline.move': 'Pipeline move',
    'pipeline.configure': 'Pipeline settings',
  },
  auditSubjects: {
    pipeline: { label: 'Pipeline', visibleTo: 'pipeline.read' },
  },
  businessChildren: {
    transitions: { table: 'pipeline_transitions', changed: 'was moved in the pipeline' },
  },
  erasedCounts: { moves: 'Moves whose reason was removed' },
  capabilities: [
    {
      phase: 12,
      area: 'CRM',
      status: 'operational',
      reason:
        'The pipeline follows its canonical table; the suppression centre is the gate of every write and response; interactions, reports, exports and erasure work, and exports check the gate again.',
      pilot:
        'Operational, pilot: a record of people’s work, not outbound engagement. Reports, exports and erasure go beyond the pilot.',
    },
  ],
})
