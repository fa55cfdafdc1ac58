import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { hashOfValues } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { line, recordId, region, text } from '../../../http/text.ts'
import { dnsStatuses } from '../../domains/domains.ts'
import { nameAndRole } from '../../people/people.ts'
import { contactDecisions, contactKinds, contactStates, methods, quarantineRules, syntaxes } from '../contacts.table.ts'
import { confidenceLevels, confidenceReasons } from '../reading/found-values.ts'

const decisionLimits = { reasonLength: 1_000, labelLength: 80, fingerprintLength: 200 } as const

export const contactCandidateParams = z.object({ contactCandidateId: recordId })

export const listCandidatesQuery = z.strictObject({
  ...pageQuery,
  businessId: recordId.optional().describe('Candidates of this prospect and of those merged into it'),
  state: z.enum(contactStates).optional(),
  kind: z.enum(contactKinds).optional(),
  rule: z.enum(quarantineRules).optional(),
})
export type ListCandidates = z.output<typeof listCandidatesQuery>

export const confidenceSchema = z.object({
  level: z.enum(confidenceLevels),
  reasons: z.array(z.enum(confidenceReasons)),
})

const sightingSchema = z
  .object({
    pageUrl: z.string().nullable().describe('Without user information, fragment, contact values and secrets'),
    pageTitle: z.string().nullable().describe('Contact values in it are masked'),
    location: z.string().nullable().describe('The part of the page and the heading above'),
    method: z.enum(methods),
    observedAt: z.string(),
    context: z.string().nullable().describe('At most 160 characters; every other contact value is masked'),
    scanId: z.string(),
  })
  .meta({ id: 'ContactSighting', description: 'Where one page states the value.' })

export const contactCandidateSchema = z
  .object({
    id: z.string(),
    business: z.object({ id: z.string(), name: z.string(), doNotContact: z.boolean() }),
    kind: z.enum(contactKinds),
    value: z.string().nullable().describe('As the page shows it; null once it was emptied'),
    normalized: z.string().nullable(),
    normalizationVersion: z.string(),
    uncertainty: z.string().nullable().describe('Why there is no normalized form'),
    region: z
      .string()
      .nullable()
      .describe(
        'Country with which a number in local form was read: that of the workspace, or the one that a person stated',
      ),
    state: z.enum(contactStates),
    rule: z.enum(quarantineRules).nullable().describe('Why it was quarantined'),
    confidence: confidenceSchema.describe('That the page states it as its own; no permission to contact'),
    syntax: z.enum(syntaxes),
    isRole: z.boolean(),
    isFreeMail: z.boolean(),
    mx: z
      .object({
        status: z.enum(dnsStatuses).describe('Every status but resolved is an uncertainty, not a fault of the address'),
        observedAt: z.string().nullable(),
        freshness: z.enum(['fresh', 'stale']).nullable(),
      })
      .nullable()
      .describe('Of the domain of an email address; null for a phone'),
    sightings: z.array(sightingSchema),
    isOnRecord: z.boolean(),
    fingerprint: hashOfValues().describe('What a decision must be made on'),
    decision: z
      .object({
        decision: z.enum(contactDecisions),
        reason: z.string().nullable(),
        at: z.string(),
        by: actorRefSchema,
        evidenceId: z.string().nullable(),
        addedToRecord: z.boolean(),
      })
      .nullable()
      .describe('The newest one'),
    createdAt: z.string(),
    deleteAfter: z.string().describe('When an undecided candidate is emptied'),
    emptiedAt: z.string().nullable(),
  })
  .meta({ id: 'ContactCandidate', description: 'A value that pages of an official site state. It permits no contact.' })
export type ContactCandidate = z.infer<typeof contactCandidateSchema>
export const contactCandidatePageSchema = pageOf(contactCandidateSchema).meta({ id: 'ContactCandidateList' })

export const contactDecisionSchema = z
  .strictObject({
    decision: z.enum(contactDecisions),
    fingerprint: z.string().max(decisionLimits.fingerprintLength).describe('That of the candidate as it was seen'),
    reason: text(decisionLimits.reasonLength).nullish().describe('Required to reject and to release'),
    region: region
      .nullish()
      .describe('The country of a number in local form; without it the one with which the candidate was read'),
    label: line(decisionLimits.labelLength).nullish().describe('Beside the value on the record'),
    addToRecord: z.boolean().default(false),
    personId: recordId.nullish().describe('With accept: the person at the prospect who gets the value'),
    newPerson: nameAndRole.nullish().describe('With accept: a new person at the prospect, who gets the value'),
  })
  .check((context) => {
    const { decision, personId, newPerson } = context.value
    const refuse = (path: string, code: string, message: string) =>
      context.issues.push({ code: 'custom', path: [path], message, params: { code }, input: context.value })
    if (personId != null && newPerson != null) refuse('newPerson', 'one_of_two', 'Choose a person or add a new one.')
    if (decision !== 'accept' && personId != null)
      refuse('personId', 'not_allowed', 'Only an accepted value can be of a person.')
    if (decision !== 'accept' && newPerson != null)
      refuse('newPerson', 'not_allowed', 'Only an accepted value can be of a person.')
  })
export type DecideContact = z.output<typeof contactDecisionSchema>
