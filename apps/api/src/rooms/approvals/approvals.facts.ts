import { defineFacts } from '../define-facts.ts'

export const approvalFacts = defineFacts({
  room: 'approvals',
  errors: { own_approval: [422, 'Approval by another person required'] },
})
