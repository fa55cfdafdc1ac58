import { z } from 'zod'
import { actorRefSchema } from '../../../http/actor-ref.ts'
import {
  aboutBusiness,
  contactValue,
  freeText,
  hashOfValues,
  hiddenWithObject,
  hidesItsObject,
  isHiddenFlag,
} from '../../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../../http/pagination.ts'
import { recordId } from '../../../http/text.ts'
import { boundNames } from '../bounds.ts'
import { charsetOrigins, repeatAnswers, suspicions } from '../pages/page-facts.ts'
import { scanReasons } from '../reasons.ts'
import { pageClasses, pageOutcomes, pageRoles, scanOrigins, scanStates } from '../scanning.table.ts'

export const scanParams = z.object({ scanId: recordId })

const freshnesses = ['fresh', 'stale', 'policy_changed'] as const

export const listScansQuery = z.strictObject({
  ...pageQuery,
  businessId: recordId.optional().describe('Scans of this prospect and of those merged into it'),
  origin: z.enum(scanOrigins).optional(),
  state: z.enum(scanStates).optional(),
  freshness: z.enum(freshnesses).optional(),
})
export type ListScans = z.output<typeof listScansQuery>

export const reasonsSchema = z.array(z.enum(scanReasons))

const charsetSchema = z
  .object({
    name: z.string(),
    from: z.enum(charsetOrigins).describe('How it was determined'),
    isDoubtful: z.boolean(),
  })
  .nullable()

const countsSchema = z
  .object({ text: z.int().describe('Visible characters'), links: z.int(), forms: z.int(), scripts: z.int() })
  .nullable()

const repeatAnswer = z.enum(repeatAnswers)

const sharedFacts = {
  status: z.int().nullable().describe('null: a person supplied the page'),
  mediaType: freeText().nullable(),
  charset: charsetSchema,
  bytes: z.object({ wire: z.int().nullable(), decoded: z.int() }),
  sha256: hashOfValues(),
  title: freeText().nullable().describe('Contact values in it are masked'),
  counts: countsSchema,
  repeats: z
    .object({
      name: repeatAnswer,
      registrationNumber: repeatAnswer,
      phone: repeatAnswer,
      mailDomain: repeatAnswer,
      street: repeatAnswer,
    })
    .describe('Which facts of the record the page repeats'),
}

const factsSchema = z.object(sharedFacts)

/** The stored form of the facts. `words` is used only for the classification. */
export const storedFactsSchema = z.object({ ...sharedFacts, words: z.array(z.enum(suspicions)) })

const hopSchema = z.object({
  url: contactValue('domain'),
  status: z.int().nullable(),
  address: hiddenWithObject(z.string()).nullable().describe('The address that was judged'),
  verdict: z.enum(['allowed', 'denied']),
  reason: z.enum(scanReasons).nullable(),
})

const pageSchema = z
  .object({
    url: contactValue('domain').describe('Without user information, fragment, contact values and secrets'),
    role: z.enum(pageRoles),
    outcome: z.enum(pageOutcomes).nullable().describe('null: it is being read'),
    hops: z.array(hopSchema).describe('The redirect chain; empty for a supplied page'),
    facts: factsSchema.nullable().describe('null: nothing of the page was read'),
    opening: freeText()
      .nullable()
      .describe(
        'Beginning of the visible text, with contact values masked. Stored nowhere: null once the content has left the memory, 15 minutes after it was read at the latest',
      ),
    class: z.enum(pageClasses).describe('An observation of the page, which proves nothing about the business'),
    suspected: z.array(z.enum(suspicions)),
    reasons: reasonsSchema,
    retryAt: z.string().nullable().describe('When its host may be asked again, as the host said'),
  })
  .meta({ id: 'ScanPage', description: 'Facts of one page; the page itself is not stored.' })

export const budgetsSchema = z.object(
  Object.fromEntries(boundNames.map((name) => [name, z.int()])) as Record<(typeof boundNames)[number], z.ZodInt>,
)
export const readBudgets = (text: string) => budgetsSchema.parse(JSON.parse(text))

export const spentSchema = z.object({
  ms: z.int(),
  pages: z.int(),
  redirects: z.int(),
  wireBytes: z.int(),
  decodedBytes: z.int(),
  links: z.int(),
})
export type Spent = z.infer<typeof spentSchema>

export const scanSchema = z
  .object({
    id: z.string(),
    businessId: aboutBusiness().describe('The record that it was made for, which may have been merged since'),
    origin: z.enum(scanOrigins).describe('supplied: a person supplied the page; it is not verified'),
    requestedBy: actorRefSchema,
    suppliedBy: actorRefSchema.nullable(),
    requestedAt: z.string(),
    url: hidesItsObject(contactValue('domain').nullable()).describe('null once the contents were emptied'),
    state: z.enum(scanStates),
    reasons: reasonsSchema.describe('Why it is not whole, or not certain; what was not read is unknown'),
    observedAt: z.string().nullable(),
    endedAt: z.string().nullable(),
    scannerVersion: z.int(),
    policyVersion: z.int().describe('0: the built-in defaults'),
    addressPolicyVersion: z.int(),
    dnsPolicyVersion: z.int().nullable(),
    budgets: z.object({ applied: budgetsSchema, spent: spentSchema }),
    freshness: z.enum(freshnesses),
    expiresAt: z.string().nullable(),
    cacheStatus: z
      .enum(['miss', 'hit', 'bypass', 'not_cached'])
      .describe('hit: an earlier scan, which is no fresh check'),
    ageSeconds: z.int().nullable().describe('Since it was observed'),
    pages: hidesItsObject(z.array(pageSchema)),
    jobId: z.string().nullable(),
    deleteAfter: z.string().nullable().describe('When its contents are emptied'),
    emptiedAt: z.string().nullable(),
    valuesHidden: isHiddenFlag().describe('Addresses and titles are hidden from this reader'),
  })
  .meta({ id: 'Scan', description: 'What one scan of a website found, and what it did not read.' })
export type Scan = z.infer<typeof scanSchema>
export const scanPageSchema = pageOf(scanSchema).meta({ id: 'ScanList' })
