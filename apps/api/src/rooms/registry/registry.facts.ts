import { defineFacts } from '../define-facts.ts'

export const registryFacts = defineFacts({
  room: 'registry',
  permissions: {
    'registry.read': { role: 'manager', label: 'See registry rounds and their certificates' },
    'registry.manage': { role: 'manager', label: 'Start, confirm and cancel registry rounds' },
  },
  errors: {
    registry_round_open: [409, 'Round open'],
    registry_round_state: [409, 'Not in this state'],
    registry_result_changed: [409, 'Result changed'],
    registry_file_not_ready: [409, 'File not ready'],
    registry_file_outdated: [409, 'File may not be downloaded'],
    registry_file_gone: [410, 'File deleted'],
  },
  workActions: {
    'registry_round.start': 'Registry round started',
    'registry_round.write': 'Registry file written',
    'registry_round.download': 'Registry file fetched',
    'registry_round.remove_file': 'Registry file deleted',
    'registry_round.upload': 'Registry result uploaded',
    'registry_round.read': 'Registry result read',
    'registry_round.confirm': 'Registry result confirmed',
    'registry_round.stop': 'Registry run stopped',
    'registry_round.close': 'Registry round closed',
    'registry_round.cancel': 'Registry round cancelled',
    'registry.register': 'Registration with the registry changed',
  },
  auditSubjects: {
    registry_round: { label: 'Registry round', visibleTo: 'registry.read' },
    registry_registration: { label: 'Registration with the registry', visibleTo: 'businesses.read' },
  },
  systemActors: ['registry'],
  erasedCounts: { registryRounds: 'Registry rounds whose files and result were deleted' },
})
