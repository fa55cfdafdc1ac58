import type { Role } from '../define-facts.ts'

/** Label and description of each role, as `GET /roles` shows them. */
export const roleWords: Readonly<Record<Role, { label: string; description: string }>> = {
  administrator: {
    label: 'Administrator',
    description: 'Everything, including people and tenant settings.',
  },
  manager: {
    label: 'Manager',
    description: 'All of the work, sensitive notes and the audit log; no people, no tenant settings.',
  },
  operator: { label: 'Operator', description: 'The daily work: records, evidence, notes, the pipeline.' },
  viewer: { label: 'Viewer', description: 'Reads, and changes nothing.' },
}
