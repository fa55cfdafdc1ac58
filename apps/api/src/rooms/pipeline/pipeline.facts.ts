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
  actions: {
    'pipeline.move': 'Pipeline move',
    'pipeline.configure': 'Pipeline settings',
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
        'The pipeline follows its canonical table. The suppression center is the gate of every write and response: a match marks at once, and only an authorized removal lifts it. Interactions are recorded as history. Reports are made, read and printed. Jobs export prospects and figures and check the gate again. A record can be erased for good.',
    },
  ],
})
