import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inputLimits } from './input-limits.ts'

type Limit = keyof typeof inputLimits

const openApi = JSON.parse(readFileSync('apps/api/src/http/openapi.json', 'utf8'))

const bases = 'post /businesses/{businessId}/legal-bases'
const draft = 'patch /scoring/rule-sets/{ruleSetId}/versions/{version}'

/** Each place of the API that a limit applies to: a field of a body, or after `?` a query parameter. */
const places: Record<Limit, string[]> = {
  reason: [
    'post /suppressions reason',
    'post /suppressions/batches reason',
    'post /suppressions/{suppressionId}/removal reason',
    'post /businesses/{businessId}/do-not-contact reason',
    'post /businesses doNotContact.reason',
    'post /businesses/{businessId}/do-not-contact-removal reason',
    'post /businesses/{businessId}/pipeline-transitions reason',
    'post /match-runs reason',
    'post /match-suggestions/{suggestionId}/rejection reason',
    'post /match-suggestions/{suggestionId}/merge reason',
    'post /merges/{mergeId}/reversal reason',
    'post /scoring/rule-sets/{ruleSetId}/versions/{version}/approval reason',
    'post /scoring/rule-sets/{ruleSetId}/versions/{version}/rejection reason',
    'post /scoring/rule-sets/{ruleSetId}/versions/{version}/retirement reason',
    'post /scoring/runs reason',
    'post /scoring/runs/{runId}/activation reason',
    'post /domain-candidates reason',
    'post /domain-candidates/{candidateId}/decision reason',
    'post /domain-candidates/{candidateId}/withdrawal reason',
    'post /official-sites/{siteId}/decision reason',
    'post /bulk-reviews reason',
  ],
  search: ['get /businesses ?q', 'get /match-suggestions ?q'],
  suppressionSearch: ['get /suppressions ?q'],
  registrationNumber: ['put /registry-registration number'],
  suppressedValue: ['post /suppressions value'],
  requestedBy: ['post /suppressions requestedBy', 'post /suppressions/batches requestedBy'],
  suppressionReference: ['post /suppressions reference', 'post /suppressions/batches reference'],
  pastedLineCount: ['post /suppressions/batch-previews lines', 'post /suppressions/batches lines'],
  evidenceReference: ['post /businesses/{businessId}/evidence sourceReference'],
  observation: ['post /businesses/{businessId}/evidence observation'],
  note: ['post /businesses/{businessId}/notes text'],
  personName: ['post /users name', 'patch /users/{id} name', 'post /businesses/{businessId}/people name'],
  contactRole: ['post /businesses/{businessId}/people role', 'patch /people/{personId} role'],
  contactNote: ['post /businesses/{businessId}/people note', 'patch /people/{personId} note'],
  contactValueCount: ['emails', 'phones'].map((list) => `patch /people/{personId} ${list}`),
  personEmail: ['post /users email'],
  passkeyName: ['post /mfa/passkeys name'],
  tenantName: ['patch /tenant name'],
  tokenName: ['post /tokens name'],
  reviewMonthCount: ['patch /tenant suppressionReviewMonths'],
  reportName: ['post /reports name'],
  tag: ['post /reports filter.tag'],
  filterName: ['post /saved-filters name', 'patch /saved-filters/{savedFilterId} name'],
  ruleSetName: ['post /scoring/rule-sets name', 'patch /scoring/rule-sets/{ruleSetId} name'],
  ruleSetDescription: ['post /scoring/rule-sets description', 'patch /scoring/rule-sets/{ruleSetId} description'],
  scoringGroupCount: [`${draft} content.groups`],
  // The limit applies to all groups together, which the schema cannot express; the schema limits each group.
  scoringRuleCount: [`${draft} content.groups.items.rules`],
  scoringGateCount: [`${draft} content.gates`],
  scoringBandCount: [`${draft} content.bands`],
  scoringName: [`${draft} content.groups.items.name`, `${draft} content.bands.items.name`],
  scoringPoints: [
    `${draft} content.groups.items.min`,
    `${draft} content.groups.items.max`,
    `${draft} content.groups.items.rules.items.points`,
  ],
  scoringDayCount: [
    `${draft} content.gates.items.freshDays`,
    `${draft} content.groups.items.rules.items.freshDays`,
    `${draft} content.groups.items.rules.items.expireDays`,
  ],
  scoringValueCount: [`${draft} content.groups.items.rules.items.value.list`],
  scoringValue: [`${draft} content.groups.items.rules.items.value.list.items`],
  rollbackPlan: ['patch /scoring/rule-sets/{ruleSetId}/versions/{version} rollbackPlan'],
  domain: ['post /domain-candidates domain'],
  contactCount: ['emails', 'phones', 'domains'].map((list) => `patch /businesses/{businessId} ${list}`),
  requesterName: ['post /subject-requests requester.name'],
  requesterContact: ['post /subject-requests requester.contact'],
  requestText: ['post /subject-requests identityCheck', 'post /subject-requests/{requestId}/answer how'],
  basisReference: ['documentReference', 'recordingReference'].map((name) => `${bases} ${name}`),
  agreedTo: [`${bases} agreedTo`],
  sale: [`${bases} sale.what`],
  policySourceCount: ['post /draft-policies sources'],
  policySource: ['post /draft-policies sources.items'],
  heldValue: ['post /holdings value'],
  filePurpose: ['post /source-files purpose', 'post /source-files legalBasis'],
  contactLabel: ['emails', 'phones', 'domains'].map((list) => `patch /businesses/{businessId} ${list}.items.label`),
}

type Schema = {
  $ref?: string
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  maxLength?: number
  maxItems?: number
  maximum?: number
}

function schemaAt(place: string): Schema | undefined {
  const [method = '', path = '', field = ''] = place.split(' ')
  const operation = openApi.paths[`/api/v1${path}`]?.[method]
  if (field.startsWith('?')) {
    const named = (parameter: { name: string }) => parameter.name === field.slice(1)
    return operation?.parameters?.find(named)?.schema
  }
  const body: Schema | undefined = operation?.requestBody?.content['application/json'].schema
  return field.split('.').reduce<Schema | undefined>((schema, name) => childOf(resolved(schema), name), body)
}

/** Schema of a property, of a list's `items`, or of the `list` among alternatives. */
function childOf(schema: Schema | undefined, name: string): Schema | undefined {
  if (name === 'items') return resolved(schema?.items)
  if (name === 'list') return schema?.anyOf?.find(({ items }) => items !== undefined)
  const within = [schema, ...(schema?.anyOf ?? [])].map((one) => resolved(one)?.properties?.[name])
  return within.find((one) => one !== undefined)
}

function resolved(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1)
  return name === undefined ? schema : openApi.components.schemas[name]
}

function boundOf(schema: Schema | undefined): number | undefined {
  const one = schema?.anyOf?.find((option) => boundOf(option) !== undefined) ?? schema
  return one?.maxLength ?? one?.maxItems ?? one?.maximum
}

test.for(Object.entries(places))('the limit of %s is the same in the API and on screens', ([limit, where]) => {
  const bounds = where.map((place) => [place, boundOf(schemaAt(place))])
  expect(bounds).toEqual(where.map((place) => [place, inputLimits[limit as Limit]]))
})
