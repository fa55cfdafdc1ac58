import { defineFacts } from '../define-facts.ts'

export const erasureFacts = defineFacts({
  room: 'erasure',
  permissions: { 'erasure.erase': { role: 'administrator', label: 'Erase prospects permanently' } },
  actions: { 'business.erase': 'Prospect erased' },
  otherBusinessTables: {
    erasures: 'marks an erased record, which no merge accepts',
  },
})
