import { defineFacts } from '../define-facts.ts'

export const erasureFacts = defineFacts({
  room: 'erasure',
  permissions: { 'erasure.erase': { role: 'administrator', label: 'Erase prospects permanently' } },
  workActions: { 'business.erase': 'Prospect erased', 'person.erase': 'Person at a prospect erased' },
  withholding: ['business.erase', 'person.erase'],
})
