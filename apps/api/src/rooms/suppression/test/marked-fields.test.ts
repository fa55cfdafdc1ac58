import { expect, test } from 'vitest'
import { z } from 'zod'
import { declared } from '../../../../test/operations.ts'
import { isMarkedField, wrappedBy } from '../../../http/hidden-fields.ts'
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
    name tradingName registrationNumber industry street suburb city province postalCode country region tag tags label`,
  'the account and the workspace of the reader': `
    email timeZone csrfToken displayName challenge transports secret otpauthUri recoveryCodes listOwnSessions:items.address
    agent`,
  'ids, codes and names of fields': `
    area callingCode currency datedBy eligibility field idempotencyKey kind mergedInto operators own.prospects own.review
    tenant.prospects tenant.review path priority reachable retryOf signal stoppedBecause template to undoes unit language
    jurisdiction suffix cells values listJobs:items.shortfall.reason getJob:shortfall.reason`,
  'sentences of the product': `
    title hint initial touches roles.description listScoringTemplates:items.description placeDoubts.text message resolvedBy
    words.* counts columns detail
    listScoringSignals:items.reason listScoringSignals:items.choices.value listScoringFailures:items.reason getDashboard:tiles.reason
    getTile:reason listCapabilities:items.reason notes listMergeAttempts:items.failure listLimits:items.sentence`,
  'ids, counts and names of members': `
    getJob:input.* getJob:result.* listJobEvents:items.data.* getReport:result.figures.rows listBulkOutcomes:items.before.*
    listBulkOutcomes:items.after.*`,
  'values of rules, which name fields and bounds': `
    listScoringTemplates:items.content.groups.rules.value listScoringTemplates:items.content.gates.value
    getRuleSetVersion:content.groups.rules.value getRuleSetVersion:content.gates.value`,
  'values that the reader sent': `
    normalizeDomains:items.raw normalizeDomains:items.ascii normalizeDomains:items.unicode normalizeDomains:items.registrable
    normalizeDomains:items.subdomain normalizeDomains:items.privateBoundary getDomainAvailability:domain`,
  'streams of events, which hold ids and kinds of changed records': 'streamJobEvents: streamChanges:',
  'reasons and texts about policies, rule sets, runs and scores, which are about no record and shown to everybody': `
    listRuleSets:items.description getRuleSet:description approvalReason rejectionReason retirementReason rollbackPlan optOutText listScanPolicies:items.approval.reason
    listScoringRuns:items.reason getScoringRun:reason listScoreHistory:items.reason getAssistUsage:entries.items.reason
    listAssistPolicies:items.decision.reason getAssistPolicy:decision.reason listDraftPolicies:items.decision.reason`,
}

/** Operations whose room hides values by hand, by the file that does. */
const byHand: Record<string, string> = {
  'rooms/businesses/record/hide-values.ts': 'listActivity',
  'rooms/evidence/evidence.ts': 'listEvidence getEvidence listFacts',
  'rooms/matching/suggestions/hide-suggestion-values.ts': 'listMatchSuggestions getMatchSuggestion',
  'rooms/matching/merging/hide-merge-reasons.ts': 'previewMerge listMerges getMerge',
  'rooms/scanning/scans/read-scans.ts': 'listScans getScan',
  'rooms/scanning/sites/official-sites.ts': 'listOfficialSites listSitesOfBusiness',
  'rooms/contacts/extractions/read-extractions.ts': 'listExtractions getExtraction getExtractionReadiness',
  'rooms/scoring/scores/explain-score.ts': 'getScore',
  'rooms/review/reviews/reviews.ts': 'listReviews',
  'rooms/assist/brief/read-brief.ts': 'getBrief',
  'rooms/assist/suggestions/read-suggestions.ts': 'listSuggestions getSuggestion',
  'rooms/drafts/writing/read-drafts.ts':
    'listDrafts getDraft listDraftVersions getDraftChecks listDraftApprovalRequests',
  'rooms/drafts/legal-bases/legal-bases.ts': 'listLegalBases',
}

const isTyped = ({ _zod: { def } }: z.core.$ZodTypes): boolean =>
  def.type === 'string' && !('format' in def && def.format !== 'regex') && !hasPattern(def)

function hasPattern(def: z.core.$ZodStringDef): boolean {
  return (def.checks ?? []).some(({ _zod }) => _zod.def.check === 'string_format')
}

/** Returns the paths of the unmarked texts of a schema; `*` stands for any name. */
function textsIn(schema: z.core.$ZodType, path = ''): string[] {
  if (isMarkedField(schema)) return []
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).flatMap(([name, part]) => textsIn(part, path === '' ? name : `${path}.${name}`))
    case 'array':
      return textsIn(def.element, path)
    case 'record':
      return textsIn(def.valueType, `${path}.*`)
    case 'union':
      return def.options.flatMap((option) => textsIn(option, path))
    case 'tuple':
      return def.items.flatMap((item) => textsIn(item, path))
    case 'string':
      return isTyped(schema as z.core.$ZodTypes) ? [path] : []
    case 'unknown':
    case 'any':
    case 'custom':
    case 'transform':
      return [path]
    default: {
      const wrapped = wrappedBy(schema)
      return wrapped === undefined ? [] : textsIn(wrapped, path)
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
