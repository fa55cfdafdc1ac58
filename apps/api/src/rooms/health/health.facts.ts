import { defineFacts } from '../define-facts.ts'

export const healthFacts = defineFacts({
  room: 'health',
  capabilities: [
    {
      phase: 17,
      area: 'Final acceptance report',
      status: 'operational',
      reason:
        'A running service is tested from outside, and the report is validated against its schema; open points are listed as blockers.',
    },
  ],
})
