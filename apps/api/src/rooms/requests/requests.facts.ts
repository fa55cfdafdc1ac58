import { defineFacts } from '../define-facts.ts'

export const requestFacts = defineFacts({
  room: 'requests',
  permissions: {
    'requests.read': { role: 'manager', label: 'See requests of people about their own data' },
    'requests.manage': { role: 'manager', label: 'Enter, extend and answer requests of people about their own data' },
  },
  errors: {
    subject_request_answered: [409, 'Already answered'],
    subject_request_extended: [409, 'Already extended'],
  },
  workActions: {
    'subject_request.add': 'Subject request entered',
    'subject_request.edit': 'Subject request changed',
    'subject_request.extend': 'Subject request extended',
    'subject_request.answer': 'Subject request answered',
    'subject_request.empty': 'Subject request emptied after its period',
  },
  auditSubjects: { subject_request: { label: 'Subject request', visibleTo: 'requests.read' } },
  otherBusinessTables: { subject_requests: 'refers to the record that a person asked about, and stays with it' },
  systemActors: ['requests'],
  erasedCounts: { subjectRequests: 'Subject requests that lost the data of the person' },
})
