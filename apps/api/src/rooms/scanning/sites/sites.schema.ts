import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import {
  aboutBusiness,
  contactValue,
  freeText,
  hashOfValues,
  hidesItsObject,
  isHiddenFlag,
} from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { instant, line, recordId, text } from '../../../http/text.ts'
import { ANSWER_DAYS } from '../../room.ts'
import { siteOrigins } from '../scanning.table.ts'

export const siteLimits = { hostLength: 253, reasonLength: 1_000, fingerprintLength: 200, days: 366 } as const

export const siteParams = z.object({ siteId: recordId })

const siteStates = ['proposed', 'approved', 'rejected', 'withdrawn', 'expired'] as const

export const proposeSiteSchema = z.strictObject({
  host: line(siteLimits.hostLength).describe('A host of the record, such as www.karoo.co.za'),
  domainCandidateId: recordId
    .optional()
    .describe('The accepted domain candidate that the host is proposed from; the host lies under its domain'),
})
export type ProposeSite = z.output<typeof proposeSiteSchema>

export const decideSiteSchema = z.strictObject({
  decision: z.enum(['approve', 'reject', 'withdraw']),
  reason: text(siteLimits.reasonLength),
  fingerprint: z.string().max(siteLimits.fingerprintLength).describe('That of the site as it was seen'),
  validUntil: instant.nullish().describe('Of an approval: at most 366 days ahead'),
  confirmUsedByOthers: z.boolean().default(false).describe('Approve although other prospects have this host'),
})
export type DecideSite = z.output<typeof decideSiteSchema>

export const listSitesQuery = z.strictObject({
  ...pageQuery,
  state: z
    .enum(['proposed', 'answered'])
    .optional()
    .describe(
      `proposed: only proposals that nobody has decided about; answered: only the caller's own proposals that another person approved or rejected in the last ${ANSWER_DAYS} days`,
    ),
})
export const listSitesOfBusinessQuery = z.strictObject(pageQuery)

export const officialSiteSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness().describe('The record that it was proposed for, which may have been merged since'),
    host: hidesItsObject(contactValue('domain').nullable()).describe('null once it was erased'),
    state: z.enum(siteStates),
    origin: z.enum(siteOrigins),
    proposedBy: actorRefSchema,
    proposedAt: z.string(),
    decidedBy: actorRefSchema.nullable(),
    decidedAt: z.string().nullable(),
    reason: freeText().nullable(),
    validUntil: z.string().nullable(),
    usedByOthers: z.int().describe('Other active prospects that have this host or a domain above it'),
    fingerprint: hashOfValues().describe('What a decision must be made on'),
    valuesHidden: isHiddenFlag(),
  })
  .meta({ id: 'OfficialSite', description: 'A host that a prospect answers for, with the decision about it.' })
export type OfficialSite = z.infer<typeof officialSiteSchema>
export const officialSitePageSchema = pageOf(officialSiteSchema).meta({ id: 'OfficialSiteList' })
