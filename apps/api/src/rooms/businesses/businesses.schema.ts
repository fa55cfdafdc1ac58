import { z } from 'zod'
import { actorRefSchema, personRefSchema } from '../../http/actor-ref.ts'
import { aboutBusiness, contactValue, freeText, hiddenWithObject, isHiddenFlag } from '../../http/hidden-fields.ts'
import { pageOf, pageQuery } from '../../http/pagination.ts'
import { line, recordId, region, text } from '../../http/text.ts'
import { objectOf } from '../../lib/map-values.ts'
import { numeral } from '../../lib/numeral.ts'
import { pipelineStates } from '../../lib/pipeline-state.ts'
import { auditEventSchema } from '../audit/audit.ts'
import { placeDoubtFields, placeDoubtKinds, provinceCodes, uncertainties } from '../normalization/normalization.ts'
import { facts } from './record/facts.data.ts'
import {
  type AddressPart,
  addressParts,
  isNumberFact,
  type ListedFact,
  listedFacts,
  type NumberFact,
  type OwnFact,
  ownFacts,
  type StoredFact,
} from './record/facts.ts'

/** Limits of a business; `docs/limits.md` lists them. */
export const limits = {
  nameLength: facts.name.maxLength,
  identifiersOfAKind: 20,
  identifierLength: facts.email.maxLength,
  labelLength: 60,
  tags: 20,
  tagLength: 50,
  reasonLength: 1_000,
  searchLength: 200,
  possibleDuplicates: 10,
  similarNames: 10,
  normalizedAddresses: 1_000,
} as const

/** Schemas of facts in a request. Absent: unchanged. Null: no value. */
function textInput(field: Exclude<StoredFact, NumberFact>) {
  return line(facts[field].maxLength).nullable().optional()
}
export function numberOf(field: NumberFact) {
  const { max } = facts[field]
  const message = `Enter a whole number from 0 to ${numeral(max)}.`
  return z.int(message).min(0, message).max(max, message)
}
function inputOf(field: StoredFact) {
  return isNumberFact(field) ? numberOf(field).nullable().optional() : textInput(field)
}
type TextInput = ReturnType<typeof textInput>
type NumberInput = z.ZodOptional<z.ZodNullable<ReturnType<typeof numberOf>>>

type Answer<F> = F extends NumberFact ? z.ZodNullable<z.ZodInt> : z.ZodNullable<z.ZodString>
/** Schemas of facts in an answer. */
const ownAnswers = objectOf<{ [F in OwnFact]: Answer<F> }>(ownFacts, (field) =>
  isNumberFact(field) ? z.int().nullable() : z.string().nullable(),
)
export const listedAnswers = objectOf<Pick<typeof ownAnswers, ListedFact>>(listedFacts, (field) => ownAnswers[field])

export const pipelineStateSchema = z.enum(pipelineStates).meta({ id: 'PipelineState' })

const labelled = { value: line(limits.identifierLength), label: line(limits.labelLength).nullable().default(null) }
const identifiersIn = z.array(z.strictObject(labelled)).max(limits.identifiersOfAKind)
const phonesIn = z
  .array(z.strictObject({ ...labelled, region: region.nullable().default(null) }))
  .max(limits.identifiersOfAKind)

const addressIn = z.strictObject(
  objectOf<Record<AddressPart, TextInput>>(addressParts, (part) => textInput(`address.${part}`)),
)

const tagsIn = z
  // Check the length again after normalization, because the stored NFC form can be longer than the sent value.
  .array(line(limits.tagLength, z.string().trim().normalize('NFC')))
  .max(limits.tags)
  .refine((tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length, 'Each tag once.')

const optionalFields = {
  ...objectOf<{ [F in OwnFact]: F extends NumberFact ? NumberInput : TextInput }>(ownFacts, inputOf),
  emails: identifiersIn.optional(),
  phones: phonesIn.optional(),
  domains: identifiersIn.optional(),
  address: addressIn.optional(),
  tags: tagsIn.optional(),
  assigneeId: recordId.nullable().optional(),
}

/** Name in a request. If absent or null, the registered name is unknown, and the trading name is stored as the name. */
const nameIn = line(limits.nameLength).nullable().optional()

export const createBusinessSchema = z.strictObject({
  name: nameIn,
  ...optionalFields,
  doNotContact: z
    .strictObject({ reason: text(limits.reasonLength) })
    .optional()
    .describe('Creates the prospect as do not contact, blocked by hand. Requires the permission to block.'),
})
export type CreateBusiness = z.output<typeof createBusinessSchema>

/**
 * Schema of an edit. An absent field stays unchanged and null empties it. A list is replaced as a whole; of an address only the sent parts change.
 */
export const editBusinessSchema = z.strictObject({ name: nameIn, ...optionalFields })
export type EditBusiness = z.output<typeof editBusinessSchema>

export const deactivateBusinessSchema = z.strictObject({ reason: text(limits.reasonLength) })
export const reactivateBusinessSchema = z.strictObject({ reason: text(limits.reasonLength) })
export const liftBlockSchema = z.strictObject({ reason: text(limits.reasonLength) })

const identifierSchema = z
  .object({
    value: contactValue('domain'),
    label: freeText().nullable(),
    region: z.string().nullable().optional(),
    normalized: contactValue('domain', z.string(), { instead: null }).nullable(),
    uncertainty: hiddenWithObject(z.enum(uncertainties).nullable(), { instead: null }),
  })
  .meta({
    id: 'Identifier',
    description: 'As typed, and as normalized; otherwise the reason why it could not be normalized.',
  })

const addressSchema = z
  .object(objectOf<Record<AddressPart, z.ZodNullable<z.ZodString>>>(addressParts, () => z.string().nullable()))
  .meta({ id: 'Address' })

export const provinceCodeSchema = z.enum([...provinceCodes, 'other']).meta({ id: 'ProvinceCode' })

export const placeDoubtSchema = z
  .object({
    kind: z.enum(placeDoubtKinds),
    field: z.enum(placeDoubtFields).describe('The part of the address to check first'),
    text: z.string().describe('A sentence for people, without a full stop'),
    version: z.string().describe('The version of the normalization rules that found it'),
  })
  .meta({
    id: 'PlaceDoubt',
    description:
      'A part of an address that has two readings, or two parts that contradict each other. Derived at each read; no stored value changes.',
  })

export const statusSchema = z.enum(['active', 'merged', 'inactive'])

/** A prospect that is do not contact has no such country, so that nothing can say that it may be called. */
export const callCountrySchema = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .nullable()
  .describe(
    'The country of the first phone number, whose contact hours apply to a call; null without one, or if the prospect is do not contact',
  )

const businessShape = {
  id: aboutBusiness(),
  version: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
  createdBy: actorRefSchema,
  name: z.string(),
  isNameKnown: z.boolean().describe('False: the registered name is not known, and `name` is the trading name.'),
  ...ownAnswers,
  emails: z.array(identifierSchema),
  phones: z.array(identifierSchema),
  domains: z.array(identifierSchema),
  address: addressSchema,
  provinceCode: provinceCodeSchema.nullable(),
  placeDoubts: z.array(placeDoubtSchema),
  tags: z.array(z.string()),
  assignee: personRefSchema.nullable(),
  status: statusSchema,
  mergedInto: z.string().nullable(),
  deactivatedAt: z.string().nullable().describe('When a person deactivated the record; it can be reactivated.'),
  pipelineState: pipelineStateSchema,
  stateBeforePause: pipelineStateSchema.nullable(),
  doNotContact: z
    .object({
      at: z.string(),
      by: actorRefSchema,
      reason: freeText(),
      through: z
        .enum(['hand', 'suppression', 'both'])
        .describe('Blocked by a person, by a suppression entry, or by both.'),
    })
    .nullable(),
  survivorDoNotContact: z
    .boolean()
    .optional()
    .describe('A merged record that is not blocked itself, but whose survivor is: it must not be contacted either.'),
  lastInteractionAt: z.string().nullable(),
  callCountry: callCountrySchema,
  followUpOn: z
    .string()
    .nullable()
    .describe('The open follow-up date of the latest interaction. A note for people: nothing is scheduled or sent.'),
  erasedAt: z.string().nullable().describe('When the content of the record was erased.'),
  valuesHidden: isHiddenFlag().describe('The reader may not see the contact values of a do-not-contact record.'),
  normalizationVersion: z.string(),
}

export const businessSchema = z.object(businessShape).meta({ id: 'Business' })
export type Business = z.infer<typeof businessSchema>

export const possibleDuplicateSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    pipelineState: pipelineStateSchema,
    doNotContact: z.boolean(),
    matches: z.array(z.object({ kind: z.enum(['name', 'email', 'phone', 'domain']), value: z.string() })),
  })
  .meta({
    id: 'PossibleDuplicate',
    description: 'Another business with the same identifier, or the same name if one was sent. A hint, never an error.',
  })
export type PossibleDuplicate = z.infer<typeof possibleDuplicateSchema>

export const liftedBlockSchema = z
  .object({
    business: businessSchema,
    event: auditEventSchema.describe('The audit event of this removal, as it was read back.'),
  })
  .meta({ id: 'LiftedBlock' })

const identifierKind = z.enum(['email', 'phone', 'domain'])
const leftEmpty = z
  .array(z.object({ kind: identifierKind, value: z.string() }))
  .optional()
  .describe(
    'Sent contact values that were not stored, because they say that there is none, such as n/a. Absent if there are none.',
  )

export const createdBusinessSchema = z
  .object({ ...businessShape, possibleDuplicates: z.array(possibleDuplicateSchema), leftEmpty })
  .meta({ id: 'CreatedBusiness' })

export const editedBusinessSchema = z.object({ ...businessShape, leftEmpty }).meta({ id: 'EditedBusiness' })

export const duplicateCheckSchema = z.strictObject({
  name: line(limits.nameLength).optional(),
  emails: z.array(line(limits.identifierLength)).max(limits.identifiersOfAKind).default([]),
  phones: z
    .array(z.strictObject({ value: line(limits.identifierLength), region: region.nullable().default(null) }))
    .max(limits.identifiersOfAKind)
    .default([]),
  domains: z.array(line(limits.identifierLength)).max(limits.identifiersOfAKind).default([]),
})
const unreadableValueSchema = z
  .object({
    kind: identifierKind,
    value: z.string(),
    uncertainty: z.enum(uncertainties),
    contains: z.string().nullable().describe('The only value of this kind in the text, if other text is beside it.'),
  })
  .meta({
    id: 'UnreadableValue',
    description: 'A value without a normalized form, with the reason. It can be saved as typed.',
  })
const typedValueSchema = z
  .object({
    kind: identifierKind,
    value: z.string(),
    sameAs: z.string().nullable().describe('An earlier sent value of this kind that is the same one, as it was sent.'),
    leftEmpty: z.boolean().describe('The value says that there is none, such as n/a. It is not stored.'),
    parts: z
      .array(z.object({ value: z.string(), words: z.string().describe('The text beside it; may be empty.') }))
      .describe('The values of this kind if the text holds several; each belongs in an entry of its own.'),
  })
  .meta({ id: 'TypedValue' })
export type TypedValue = z.infer<typeof typedValueSchema>

export const duplicateCheckAnswerSchema = z.object({
  items: z.array(possibleDuplicateSchema),
  unreadable: z.array(unreadableValueSchema).describe('Without values that say that there is none.'),
  values: z.array(typedValueSchema).describe('Each sent value: emails, then phones, then domains, in their order.'),
})

export const normalizeAddressesSchema = z.strictObject({
  addresses: z
    .array(addressIn)
    .max(limits.normalizedAddresses, `At most ${numeral(limits.normalizedAddresses)} addresses.`),
})
export type NormalizeAddresses = z.output<typeof normalizeAddressesSchema>

const part = z.string().nullable()
const normalizedAddressSchema = z
  .object({
    ...{ number: part, street: part, unit: part, box: part, complex: part, suburb: part },
    city: part.describe('Current name of the town'),
    province: z.enum(provinceCodes).nullable().describe('The only province in which it can be'),
    provinces: z.array(z.enum(provinceCodes)).describe('All provinces in which it can be; empty: not known'),
    postalCode: part,
    country: part.describe('ISO 3166 alpha-2 code'),
    doubts: z.array(placeDoubtSchema).describe('Parts with two readings, or that contradict each other'),
    normalizationVersion: z.string(),
  })
  .meta({
    id: 'NormalizedAddress',
    description: 'An address in the form in which it is compared: lower case, without signs.',
  })
export type NormalizedAddress = z.infer<typeof normalizedAddressSchema>

export const normalizedAddressesSchema = z
  .object({ items: z.array(normalizedAddressSchema).describe('In the order of the request') })
  .meta({ id: 'NormalizedAddresses' })

export const similarNamesQuery = z.strictObject({
  q: text(limits.searchLength)
    .optional()
    .describe('The text of a search without a result. Nothing is similar to no text'),
})
export const similarNamesSchema = z
  .object({
    items: z
      .array(
        z.object({ id: z.string(), name: z.string(), pipelineState: pipelineStateSchema, doNotContact: z.boolean() }),
      )
      .max(limits.similarNames)
      .describe('The records with the most similar names, most similar first'),
    city: z.string().nullable().describe('The city in the records that the text names or resembles'),
    isRenewing: z
      .boolean()
      .describe('True while search data is derived again after an update; other spellings may not be found meanwhile'),
  })
  .meta({ id: 'SimilarNames', description: 'Hints for a search without a result.' })
export type SimilarNames = z.infer<typeof similarNamesSchema>

export const listTagsQuery = z.strictObject({
  prefix: z.string().trim().max(limits.tagLength).optional(),
  ...pageQuery,
})
export const tagPageSchema = pageOf(z.object({ tag: z.string(), count: z.int() })).meta({ id: 'TagPage' })

export const businessParams = z.object({ businessId: recordId })
