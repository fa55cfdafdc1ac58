/** Texts for the subject of an audit event. */
import { fieldName } from '../../ui/text/field-names.ts'

const subjectNames: Record<string, string> = {
  business: 'Prospect',
  csv_preview: 'CSV preview',
  evidence: 'Evidence',
  export: 'Export',
  note: 'Note',
  interaction: 'Interaction',
  invitation: 'Invitation',
  job: 'Job',
  match_snapshot: 'Snapshot of word counts',
  match_suggestion: 'Suggested duplicate',
  merge: 'Merge',
  merge_snapshot: 'Snapshot before a merge',
  pipeline: 'Pipeline',
  pipeline_transition: 'Pipeline move',
  report: 'Report',
  session: 'Session',
  store: 'Store',
  suppression: 'Suppression entry',
  tenant: 'Workspace',
  user: 'User',
}

/** Subject types offered by the filter of the audit list. */
export const subjectTypes = [
  'business',
  'evidence',
  'note',
  'interaction',
  'job',
  'match_suggestion',
  'merge',
  'pipeline',
  'report',
  'session',
  'suppression',
  'tenant',
  'user',
]

export function subjectName(type: string): string {
  return subjectNames[type] ?? fieldName(type)
}
