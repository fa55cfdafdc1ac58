import { defineFacts } from '../define-facts.ts'

export const healthFacts = defineFacts({
  room: 'health',
  capabilities: [
    {
      phase: 17,
      area: 'Final acceptance report',
      status: 'operational',
      reason:
        'A running service is tried from outside, and the report is written against its schema; what stands in the way is in its blockers.',
    },
  ],
})
