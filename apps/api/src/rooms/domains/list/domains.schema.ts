import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import { contactValue, hiddenWithObject, hidesItsObject } from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { flag, MAX_PARAMETER_LENGTH } from '../../../http/text.ts'
import { domainReasons } from '../../normalization/normalization.ts'
import { lookalikesSchema } from '../candidates/candidates.schema.ts'
import { observationSchema } from '../dns/dns.schema.ts'
import { dnsKinds, dnsStatuses } from '../domains.table.ts'

/** Limits of the domain list and of one domain; `docs/limits.md` lists them. */
export const listLimits = { namesInList: 3, shown: 50, searchLength: 253 } as const

const businessSchema = z.object({
  id: z.string(),
  name: z.string(),
  doNotContact: z.boolean(),
})

const domainShape = {
  domain: hidesItsObject(contactValue('domain', z.string(), { ofRecords: true })).describe(
    '••• where a suppression matches it, or a do not contact prospect has it, for readers without contact values',
  ),
  unicode: hiddenWithObject(z.string()),
  uses: z.int().describe('Prospects whose web domains or email addresses are there'),
  observations: z.int(),
  openCandidates: z.int().describe('Candidates that wait for a decision'),
  doNotContact: z.boolean().describe('A suppression matches it'),
}

const statusesSchema = z
  .array(
    z.object({ kind: z.enum(dnsKinds), status: z.enum(dnsStatuses), state: z.enum(['fresh', 'stale']).nullable() }),
  )
  .describe('Of the newest observation of each kind')

export const domainSummarySchema = z
  .object({
    ...domainShape,
    businesses: z.array(businessSchema).describe('The first few that use it'),
    statuses: statusesSchema,
  })
  .meta({ id: 'DomainSummary' })
export type DomainSummary = z.infer<typeof domainSummarySchema>
export const domainPageSchema = pageOf(domainSummarySchema).meta({ id: 'DomainPage' })

export const domainsQuery = z.strictObject({
  ...pageQuery,
  search: z
    .string()
    .trim()
    .max(listLimits.searchLength)
    .optional()
    .describe('A part of the domain. Domains that begin with it come first'),
  isWaiting: flag.optional().describe('true: those with a candidate that waits for a decision'),
})
export type DomainsQuery = z.output<typeof domainsQuery>

export const domainDetailSchema = z
  .object({
    ...domainShape,
    label: hiddenWithObject(z.string()).describe('The part before the suffix, in Unicode'),
    suffix: z.string(),
    suffixKind: z.enum(['icann', 'private', 'unknown']),
    reason: z.enum(domainReasons).nullable().describe('Why it is uncertain who holds it'),
    isFreeMail: z.boolean(),
    isSharedHost: z.boolean(),
    normalizationVersion: z.string(),
    suffixListVersion: z.string(),
    businesses: z
      .array(
        businessSchema.extend({
          byRecord: z.boolean(),
          byEmail: z.boolean(),
          hosts: z.array(contactValue('domain', z.string(), { ofRecords: true })),
        }),
      )
      .max(listLimits.shown)
      .describe('The first active ones; `uses` counts all'),
    hiddenBusinesses: z
      .int()
      .describe('Do not contact prospects that the reader may not see together with their domain'),
    associations: z
      .array(
        z.object({
          candidateId: z.string(),
          business: businessSchema.describe('After merges'),
          originBusinessId: z.string().describe('The record that it was accepted for'),
          acceptedAt: z.string(),
          acceptedBy: actorRefSchema,
          withdrawnAt: z.string().nullable(),
        }),
      )
      .max(listLimits.shown)
      .describe('The newest ones'),
    latest: z
      .array(
        z.object({ kind: z.enum(dnsKinds), status: z.enum(dnsStatuses), observation: observationSchema.nullable() }),
      )
      .describe('The newest observation of each kind; not_checked: nobody asked'),
    otherNames: hiddenWithObject(
      z
        .array(z.object({ name: contactValue('domain'), observations: z.int(), statuses: statusesSchema }))
        .max(listLimits.shown),
      { instead: [] },
    ).describe('The first observed names below it; `GET /dns-observations?name=` lists their results'),
    hasMoreNames: z.boolean().describe('More names below it were observed'),
    lookalikes: lookalikesSchema,
  })
  .meta({ id: 'Domain', description: 'What the tenant knows of a domain that somebody can hold.' })
export type DomainDetail = z.infer<typeof domainDetailSchema>

export const domainParams = z.strictObject({ domain: z.string().max(MAX_PARAMETER_LENGTH) })
