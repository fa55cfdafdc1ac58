import { factFields, facts } from './facts.ts'
import { sentenceCase } from './sentence-case.ts'

/** Labels of fields, shared by forms, facts, conflicts and history. */
const names: Record<string, string> = {
  ...Object.fromEntries(factFields.map((field) => [field, facts[field].label])),
  name: 'Registered name',
  emails: 'Emails',
  phones: 'Phones',
  domains: 'Web domains',
  address: 'Address',
  provinceCode: 'Province code',
  tags: 'Tags',
  assigneeId: 'Assignee',
  assignee: 'Assignee',
  status: 'Record status',
  mergedInto: 'Merged into',
  merged: 'Merged record',
  separated: 'Separated record',
  mergeId: 'Merge',
  snapshotId: 'Snapshot',
  suggestionId: 'Suggestion',
  identifiers: 'Addresses and numbers',
  pipelineState: 'Pipeline state',
  stateBeforePause: 'State before the pause',
  doNotContact: 'Do not contact',
  field: 'About',
  value: 'Value',
  observation: 'Observation',
  sourceReference: 'Source reference',
  sourceLabel: 'Source',
  capturedAt: 'Captured',
  capturedOn: 'Captured',
  observedAt: 'Observed',
  observedOn: 'Observed',
  confidence: 'Confidence',
  context: 'Context',
  url: 'Web address of the source',
  supersedesId: 'Replaces evidence',
  sensitive: 'Sensitive',
  occurredAt: 'When',
  channel: 'Channel',
  direction: 'Direction',
  outcome: 'Outcome',
  participants: 'Participants',
  followUpOn: 'Follow up on',
  correctsId: 'Corrects',
  onDoNotContact: 'During do not contact',
  summaryCharacters: 'Length of the summary',
  pausedEnabled: 'Paused is on',
  disqualifiedEnabled: 'Disqualified is on',
  role: 'Role',
  timeZone: 'Time zone',
  suppressionReviewMonths: 'Review entries of the do-not-contact list after (months)',
  userId: 'User',
  tenantId: 'Workspace',
  businessId: 'Prospect',
  characters: 'Characters',
  transitionId: 'Move',
  idempotencyKey: 'Key of the request',
  assurance: 'Signed in with',
  expiresAt: 'Ends at',
  agent: 'Device',
  sessionId: 'Session',
  expired: 'Expired',
  by: 'With',
  factor: 'Second factor',
}

/** 'registrationNumber' becomes 'Registration number'. The label of an unknown name is derived from its words. */
export function fieldName(path: string): string {
  const known = names[path]
  if (known !== undefined) return known
  const words = path
    .replaceAll('.', ' · ')
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return sentenceCase(words)
}
