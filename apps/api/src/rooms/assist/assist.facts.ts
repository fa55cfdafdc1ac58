import { defineFacts } from '../define-facts.ts'

export const assistFacts = defineFacts({
  room: 'assist',
  capabilities: [
    {
      phase: 13,
      area: 'Optional AI assistance',
      status: 'disabled',
      reason: 'A brief by rules is available; no provider is configured, and nothing is sent to one.',
    },
  ],
})
