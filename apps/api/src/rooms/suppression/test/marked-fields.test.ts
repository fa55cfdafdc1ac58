import { expect, test } from 'vitest'
import { z } from 'zod'
import { declared } from '../../../../test/operations.ts'
import { compileHiddenFields, isMarkedField, wrappedBy } from '../../../http/hidden-fields.ts'
import { permissionsOf, roles } from '../../identity/permissions.ts'

/*
 * Tests that the response schemas mark every text that can contain a contact value (Global rule 5, Phase 12 §5). A text of a response that a role
 * without contact values can get is marked, or its form or its name tells that nobody types it, or it is listed here with the reason.
 */

/** Names of fields that contain ids, times, days, hashes, versions and codes. */
const neverText =
  /^(?:id|.*Ids?|at|on|.*(?:At|On|Until|Since|From|After)|from|until|since|asOf|.*Hash|hash|.*[sS]ha256|fingerprint|digest|version|.*Version|nextCursor|code|key|slug)$/

/** Names or paths of fields without contact values that somebody typed about others, by reason. */
const unmarked: Record<string, string> = {
  'names, places and tags of records, which stay visible, and names of members and of what a workspace defines': `
    name tradingName registrationNumber industry street suburb city province postalCode country region tag tags label
    getMerge:choices.value alternative.value`,
  'the account and the workspace of the reader': `
    email timeZone csrfToken displayName challenge transports secret otpauthUri recoveryCodes getCompanyIdentities:identities.issuer beginCompanyLink:url
    listOwnSessions:items.address
    agent listTokens:items.addresses createToken:addresses`,
  'ids, codes and names of fields': `
    area callingCode currency cursor datedBy eligibility field group permissions idempotencyKey kind mergedInto operators own.prospects own.review
    tenant.prospects tenant.review path priority reachable retryOf signal stoppedBecause template to undoes unit language
    jurisdiction suffix cells values listJobs:items.shortfall.reason getJob:shortfall.reason restored kept outcome.doNotContact
    firstReverse subject result.reason provider adapter model adaptersFile`,
  'sentences of the product': `
    title hint initial touches getContactHours:reason roles.description listScoringTemplates:items.description placeDoubts.text message resolvedBy
    counts columns detail
    listScoringSignals:items.reason listScoringSignals:items.choices.value listScoringFailures:items.reason getDashboard:tiles.reason
    previewMerge:doNotContact hindrance checklist.reason getTile:reason listCapabilities:items.reason notes
    listMergeAttempts:items.failure listLimits:items.sentence listRetention:items.data listRetention:items.begins
    listRetention:items.ends listCapabilities:items.pilot`,
  'inputs of jobs, which are ids and numbers, their results and events, which are counts, and values of bulk actions': `
    getJob:input.* getJob:result.* listJobEvents:items.data.* getReport:result.figures.rows listBulkOutcomes:items.before.*
    listBulkOutcomes:items.after.*`,
  'values that the reader sent': `
    normalizeDomains:items.raw normalizeDomains:items.ascii normalizeDomains:items.unicode normalizeDomains:items.registrable
    normalizeDomains:items.subdomain normalizeDomains:items.privateBoundary getDomainAvailability:domain
    normalizeAddresses:items.number normalizeAddresses:items.box normalizeAddresses:items.complex
    normalizeAddresses:items.doubts.text`,
  'streams of events, which hold ids and kinds of changed records': 'streamJobEvents: streamChanges:',
}

/** Operations whose room hides values by hand, by the file that does. */
const byHand: Record<string, string> = {
  'rooms/businesses/record/hide-values.ts': 'listActivity',
  'rooms/evidence/evidence.ts': 'listEvidence getEvidence listFacts',
  'rooms/matching/suggestions/hide-suggestion-values.ts': 'listMatchSuggestions getMatchSuggestion',
  'rooms/scoring/scores/explain-score.ts': 'getScore',
  'rooms/assist/brief/read-brief.ts': 'getBrief',
  'rooms/drafts/writing/read-drafts.ts':
    'listDrafts getDraft listDraftVersions getDraftChecks listDraftApprovalRequests',
  'rooms/drafts/legal-bases/legal-bases.ts': 'listLegalBases',
}

/** Names of hashes. */
const isHash = (path: string) => /hash|sha256|fingerprint|digest/i.test(path.split('.').at(-1) ?? '')

/** Hashes that readers without contact values may see, by reason. */
const shownHashes: Record<string, string> = {
  'of rules and policies, and of scores and figures of reports, which contain no contact values': `
    listRuleSetVersions:items.contentHash getRuleSetVersion:contentHash getActiveScoring:active.contentHash
    listScoringRuns:items.contentHash listScoringRuns:items.digest getScoringRun:contentHash getScoringRun:digest
    getScoringPreview:contentHash listAssistPolicies:items.fingerprint getAssistPolicy:fingerprint
    getReport:result.figuresHash`,
  'of the ids and outcomes of a bulk action': 'listBulkReviews:items.digest getBulkReview:digest',
}

/** True for a text without a form, and for a field that can contain anything. */
const isTyped = ({ _zod: { def } }: z.core.$ZodTypes): boolean =>
  def.type !== 'string' || (!('format' in def && def.format !== 'regex') && !hasPattern(def))

function hasPattern(def: z.core.$ZodStringDef): boolean {
  return (def.checks ?? []).some(({ _zod }) => _zod.def.check === 'string_format')
}

/** Returns the paths of the unmarked texts of a schema; `*` stands for any name. */
function textsIn(schema: z.core.$ZodType): string[] {
  return fieldsIn(schema).flatMap(({ path, schema: field }) => (isTyped(field) ? [path] : []))
}

type Field = { path: string; schema: z.core.$ZodTypes }

/** Returns the texts of a schema, and fields without a form, except of parts that are marked. `*` stands for any name. */
function fieldsIn(schema: z.core.$ZodType, path = ''): Field[] {
  if (isMarkedField(schema)) return []
  const inner = (part: z.core.$ZodType, name = '') => fieldsIn(part, [path, name].filter(Boolean).join('.'))
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, part]) => inner(part, name))
    case 'array':
      return inner(def.element)
    case 'record':
      return inner(def.valueType, '*')
    case 'union':
      return def.options.flatMap((option) => inner(option))
    case 'tuple':
      return def.items.flatMap((item) => inner(item))
    case 'string':
    case 'unknown':
    case 'any':
    case 'custom':
    case 'transform':
      return [{ path, schema: schema as z.core.$ZodTypes }]
    default: {
      const wrapped = wrappedBy(schema)
      return wrapped === undefined ? [] : inner(wrapped)
    }
  }
}

/** True for an operation that a role may use from which values are hidden. */
function isForAll(permission: string | null | undefined): boolean {
  return roles.some((role) => {
    const held = permissionsOf(role)
    return !held.has('suppression.see_values') && (permission == null || [...held].some((one) => one === permission))
  })
}

function responsesFor(): [operationId: string, schemas: z.ZodType[]][] {
  return declared.flatMap(({ schema, config }): [string, z.ZodType[]][] => {
    if (config?.open === true || !isForAll(config?.permission)) return []
    const answers = Object.entries(schema?.response ?? {}).flatMap(([status, answer]) =>
      status.startsWith('2') && answer instanceof z.ZodType ? [answer] : [],
    )
    return [[schema?.operationId ?? '', answers]]
  })
}

const wordsIn = (groups: Record<string, string>) => Object.values(groups).flatMap((names) => names.trim().split(/\s+/))

test('every text of a response for readers without contact values is marked, or listed with the reason', () => {
  const known = new Set(wordsIn(unmarked))
  const hiddenByHand = new Set(wordsIn(byHand))
  const responses = responsesFor()
  const found = responses.flatMap(([id, schemas]) =>
    hiddenByHand.has(id) ? [] : schemas.flatMap((schema) => textsIn(schema).map((path) => [id, path] as const)),
  )
  const used = new Set<string>()
  const missing = found.filter(([id, path]) => {
    const names = path.split('.')
    const name = names.at(-1) ?? ''
    if (neverText.test(name)) return false
    const listed = [name, names.slice(-2).join('.'), `${id}:${path}`].filter((one) => known.has(one))
    for (const one of listed) used.add(one)
    return listed.length === 0
  })
  expect(missing.map(([id, path]) => `${id}:${path}`)).toEqual([])
  expect([...known].filter((one) => !used.has(one))).toEqual([])
  const operations = new Set(responses.map(([id]) => id))
  expect([...hiddenByHand].filter((id) => !operations.has(id))).toEqual([])
})

test('every hash of values is hidden from readers without contact values, or listed with the reason', () => {
  const known = new Set(wordsIn(shownHashes))
  const found = responsesFor().flatMap(([id, schemas]) =>
    schemas.flatMap((schema) => fieldsIn(schema).flatMap(({ path }) => (isHash(path) ? [`${id}:${path}`] : []))),
  )
  expect([...new Set(found)].toSorted()).toEqual([...known].toSorted())
})

test('the schemas of all responses can be compiled', () => {
  const schemas = responsesFor().flatMap(([, answers]) => answers)
  expect(schemas.length).toBeGreaterThan(100)
  for (const schema of schemas) compileHiddenFields(schema)
})
