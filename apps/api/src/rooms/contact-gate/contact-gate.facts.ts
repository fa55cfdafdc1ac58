import { defineFacts } from '../define-facts.ts'

export const contactGateFacts = defineFacts({
  room: 'contact-gate',
  permissions: {
    'suppression.see_values': {
      role: 'operator',
      label: 'See contact values of do-not-contact records',
    },
  },
  otherBusinessTables: {
    suppression_matches: 'merges compare the entries that match each record',
  },
})
