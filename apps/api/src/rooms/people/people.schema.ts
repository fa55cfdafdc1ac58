import { z } from 'zod'
import { actorRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, contactValue, freeText, hiddenWithObject, isHiddenFlag } from '../../http/hidden-fields.ts'
import { pageOf } from '../../http/pagination.ts'
import { day, line, recordId, region, text } from '../../http/text.ts'
import { businessLimits } from '../businesses/businesses.ts'
import { uncertainties } from '../normalization/normalization.ts'
import { blockBusinessSchema, suppressedSchema } from '../suppression/suppression.ts'

/** Limits of the people at a prospect; `docs/limits.md` lists them. */
export const peopleLimits = {
  nameLength: 200,
  roleLength: 100,
  noteLength: 1_000,
  valuesOfKind: 5,
} as const

/** Schema of a name. A name has a letter, so a number that was typed into the wrong field is refused. */
const nameIn = line(peopleLimits.nameLength).refine((name) => /\p{L}/u.test(name), 'Enter a name with letters.')

const labelled = {
  value: line(businessLimits.identifierLength),
  label: line(businessLimits.labelLength).nullable().default(null),
}
const emailsIn = z.array(z.strictObject(labelled)).max(peopleLimits.valuesOfKind)
const phonesIn = z
  .array(z.strictObject({ ...labelled, region: region.nullable().default(null) }))
  .max(peopleLimits.valuesOfKind)

const languageIn = z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/, 'Enter the language as a code, such as en, af or zu.')

const optionalFields = {
  role: line(peopleLimits.roleLength).nullable().optional(),
  language: languageIn.nullable().optional(),
  note: text(peopleLimits.noteLength).nullable().optional(),
  emails: emailsIn.optional(),
  phones: phonesIn.optional(),
}

/** Name and role of a person who is added with a value found elsewhere. */
export const nameAndRole = z.strictObject({ name: nameIn, role: optionalFields.role })

export const addPersonSchema = z.strictObject({ name: nameIn, ...optionalFields })
export type AddPerson = z.output<typeof addPersonSchema>

/** An absent field stays unchanged and null empties it. A list is replaced as a whole. */
export const editPersonSchema = z.strictObject({
  name: nameIn.optional(),
  ...optionalFields,
  leftOn: z.null().optional().describe('null: the person is still there, so the departure was a mistake'),
})
export type EditPerson = z.output<typeof editPersonSchema>

/** The values of the kept person after a join. */
export const joinPersonSchema = z.strictObject({
  with: recordId.describe('The person who is the same one, at this prospect or at a record merged into it'),
  withVersion: z.int().positive().describe('The version of that person that was read'),
  name: nameIn.optional(),
  ...optionalFields,
})
export type JoinPerson = z.output<typeof joinPersonSchema>

export const departureSchema = z.strictObject({
  on: day.describe('Today or earlier, in the time zone of the workspace'),
})

export const blockPersonSchema = blockBusinessSchema
export type BlockPerson = z.output<typeof blockPersonSchema>

const valueSchema = z
  .object({
    value: contactValue('domain'),
    label: freeText().nullable(),
    region: z.string().nullable().optional(),
    normalized: contactValue('domain', z.string(), { instead: null }).nullable(),
    uncertainty: hiddenWithObject(z.enum(uncertainties).nullable(), { instead: null }),
    isOfBusiness: z.boolean().describe('The prospect, or a record merged into it, has this value too'),
    isSuppressed: z.boolean().describe('An entry of the do-not-contact list matches the value'),
  })
  .meta({ id: 'PersonValue' })

const alikeSchema = z
  .object({ id: z.string(), because: z.array(z.enum(['name', 'email', 'phone'])) })
  .meta({ id: 'AlikePerson', description: 'Another person of the prospect with an equal name, address or number.' })
export type Alike = z.infer<typeof alikeSchema>

const personShape = {
  id: z.string(),
  businessId: aboutBusiness().describe('The record for which the person was added; it may be merged since'),
  version: z.int(),
  name: freeText(),
  role: freeText().nullable(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Z]{2})?$/)
    .nullable(),
  note: freeText().nullable(),
  emails: z.array(valueSchema),
  phones: z.array(valueSchema),
  leftOn: z.string().nullable().describe('The day on which the person left'),
  doNotContact: z
    .object({
      through: z.enum(['hand', 'suppression', 'both']),
      byHand: z.object({ at: z.string(), by: actorRefSchema, reason: freeText() }).nullable(),
    })
    .nullable()
    .describe('Marked by hand, or because an entry of the do-not-contact list matches a value of the person'),
  alike: z.array(alikeSchema).describe('A hint; only a person joins two people'),
  joinedIntoId: z
    .string()
    .nullable()
    .describe('The person who was found to be the same one; null once a reversed merge separates the two'),
  erasedAt: z.string().nullable().describe('The person or the prospect was erased; name and values are gone'),
  valuesHidden: isHiddenFlag(),
  createdAt: z.string(),
  createdBy: actorRefSchema,
  updatedAt: z.string(),
}
export const personSchema = z.object(personShape).meta({ id: 'Person' })
export type Person = z.infer<typeof personSchema>

export const blockedPersonSchema = z
  .object({ ...personShape, suppressed: suppressedSchema })
  .meta({ id: 'BlockedPerson' })
export type BlockedPerson = z.infer<typeof blockedPersonSchema>

/** Maximum number of pairs of people that are shown beside two records. */
export const PAIRS_SHOWN = 50

const personOfPairSchema = z
  .object({ id: z.string(), businessId: aboutBusiness(), name: freeText(), role: freeText().nullable() })
  .meta({ id: 'PersonOfPair' })

export const peopleOnBothSchema = z
  .object({
    items: z
      .array(
        z.object({
          people: z.array(personOfPairSchema).length(2).describe('In the order of the two records'),
          because: z.array(z.enum(['name', 'email', 'phone'])),
        }),
      )
      .max(PAIRS_SHOWN),
    isComplete: z.boolean().describe('false: there are more pairs'),
  })
  .meta({ id: 'PeopleOnBoth', description: 'People of two records who may be one. They have no weight in a score.' })
export type PeopleOnBoth = z.infer<typeof peopleOnBothSchema>

export const personPageSchema = pageOf(personSchema).meta({ id: 'PersonPage' })

export const personParams = z.object({ personId: recordId })
