import { z } from 'zod'

/*
 * Declares the purposes of an adapter and the fields of its queries and settings. The API compares each proposed source contract with the declaration
 * and refuses a contract that permits no query. The forms of the web app show the declared fields.
 */

const MAX_NAME_LENGTH = 60
const MAX_TEXT_LENGTH = 300
const MAX_FIELDS = 30
const MAX_NAMES = 50
const MAX_OPTIONS = 200

const name = z.string({ error: 'must be a text.' }).min(1).max(MAX_NAME_LENGTH)
const names = z
  .array(name, { error: 'must be a list.' })
  .max(MAX_NAMES, { error: `must have at most ${MAX_NAMES} names.` })
const options = z.array(z.string().min(1).max(MAX_TEXT_LENGTH)).min(1).max(MAX_OPTIONS)

const common = {
  /** name of the property in the query or the settings */
  name,
  /** label of the input, in words of a user */
  label: z.string().min(1).max(MAX_TEXT_LENGTH),
}

/** Schema of a field that a person fills in. `kind` decides on the input of a form. */
export const inputFieldSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('text') }),
  z.strictObject({ ...common, kind: z.literal('number'), min: z.int(), max: z.int() }),
  z.strictObject({ ...common, kind: z.literal('choice'), options }),
  z.strictObject({
    ...common,
    kind: z.literal('list'),
    options: options.nullable().describe('null: the values are typed'),
    empty: z
      .enum(['all', 'none', 'refused'])
      .describe('Meaning of an empty list; refused: the adapter does not accept one'),
  }),
  z.strictObject({ ...common, kind: z.literal('business') }).describe('The id of a prospect'),
  z
    .strictObject({ ...common, kind: z.literal('answer_fields') })
    .describe('Some of the fields of answers, at least one'),
  z.strictObject({ ...common, kind: z.literal('provinces') }).describe('Codes of provinces. An empty list means all'),
])

/** Schema of a field whose value the calling room sets. A dry run uses this value. */
const fixedFieldSchema = z.strictObject({ ...common, kind: z.literal('fixed'), value: z.json() })

/** Schema of a field of a query or of settings. */
export const declaredFieldSchema = z.discriminatedUnion('kind', [...inputFieldSchema.options, fixedFieldSchema])

export type DeclaredField = z.infer<typeof declaredFieldSchema>

const fields = z
  .array(declaredFieldSchema, { error: 'must be a list of fields.' })
  .max(MAX_FIELDS, { error: `must have at most ${MAX_FIELDS} fields.` })

export const declarationSchema = z.strictObject(
  {
    /** purposes of the API for which a source with this adapter can be queried */
    purposes: names.min(1, { error: 'must name a purpose.' }),
    /** names of the fields of answers, from which the scope of a contract selects */
    answerFields: z.strictObject({
      /** in every answer: a contract that omits one of them permits no query */
      always: names,
      /** only in answers to queries that request them */
      onRequest: names,
    }),
    /** number of records per query that a contract must permit, so that it permits a query at all */
    minRecords: z.int().min(1).max(1_000),
    /** fields of a query; null if the platform composes queries, so that nobody can type one */
    query: fields.nullable(),
    settings: fields,
  },
  { error: 'must be an object without unknown properties.' },
)

export type Declaration = z.infer<typeof declarationSchema>

/** The part of a declaration that all adapters of a purpose share. */
export type PurposeDeclaration = Pick<Declaration, 'purposes' | 'answerFields' | 'query'>
