import { z } from 'zod'
import { contactValue } from '../../../http/hidden-fields.ts'
import { calendarDay, isTooEarly, recordId, storedInstant, TOO_EARLY, text } from '../../../http/text.ts'
import { outcomes } from '../../../lib/interaction-outcome.ts'
import { pipelineStates } from '../../../lib/pipeline-state.ts'
import { eligibilities } from '../../../lib/score-codes.ts'
import {
  businessLimits,
  doubtKinds,
  facts,
  fold,
  type NumberFact,
  numberFacts,
  numberOf,
  searchTerms,
  type TextFilter,
  textFilterNames,
  textFilters,
} from '../../businesses/businesses.ts'
import { HIDDEN } from '../../contact-gate/contact-gate.ts'
import { evidenceLimits } from '../../evidence/evidence.ts'
import { provinceCodes } from '../../normalization/normalization.ts'
import { peopleLimits } from '../../people/people.ts'
import { reviewFilterValues } from '../../review-decisions/review-decisions.ts'
import { MAX_WITHIN_DAYS } from '../prospect-list.schema.ts'

/** Version of the filter grammar. Later versions may only add fields and operators. */
export const FILTER_SCHEMA_VERSION = 1

export const conditionLimits = { conditions: 20, values: 20 } as const

const NO_VALUES = ['is_empty', 'is_not_empty'] as const
const CHOICE = ['any_of', 'none_of'] as const

function choice<Field extends string, Value extends z.ZodType>(field: Field, value: Value) {
  return z.strictObject({
    field: z.literal(field),
    op: z.enum(CHOICE),
    values: z.array(value).min(1).max(conditionLimits.values),
  })
}

/** Schema of a condition on a field that can be empty. */
function optionalChoice<Field extends string, Value extends z.ZodType>(field: Field, value: Value) {
  return z
    .strictObject({
      field: z.literal(field),
      op: z.enum([...CHOICE, ...NO_VALUES]),
      values: z.array(value).max(conditionLimits.values),
    })
    .refine(
      ({ op, values }) => (op === 'is_empty' || op === 'is_not_empty') === (values.length === 0),
      'is_empty and is_not_empty take no values; any_of and none_of take at least one.',
    )
}

/** Schema of a condition on a text field, compared in any spelling (`findSpellings`). `contains` also matches a part of the text. */
function textChoice<Field extends string>(field: Field, maxLength: number) {
  return z
    .strictObject({
      field: z.literal(field),
      op: z.enum([...CHOICE, 'contains', ...NO_VALUES]),
      values: z.array(contactValue('domain', text(maxLength))).max(conditionLimits.values),
    })
    .refine(
      ({ op, values }) => (op === 'is_empty' || op === 'is_not_empty') === (values.length === 0),
      'is_empty and is_not_empty take no values; the other operators take at least one.',
    )
}

/** Schema of a condition on a time of a record. */
function timeRange<Field extends string>(field: Field) {
  return z
    .strictObject({
      field: z.literal(field),
      op: z.enum(['between', 'within_days']),
      values: z.array(z.union([z.int().min(1).max(MAX_WITHIN_DAYS), storedInstant.pipe(z.string()), z.null()])).max(2),
    })
    .refine(
      ({ op, values }) =>
        op === 'within_days'
          ? values.length === 1 && typeof values[0] === 'number'
          : values.length === 2 && values.every((value) => typeof value !== 'number') && values.some(Boolean),
      'within_days takes a number of days; between takes two times, of which one may be null.',
    )
}

/**
 * Schema of a condition on the time of the last interaction. The operators with `not` also match records without an interaction. A predicate contains
 * `not_between` in place of `not_within_days`.
 */
const lastInteraction = z
  .strictObject({
    field: z.literal('lastInteraction'),
    op: z.enum(['within_days', 'not_within_days', 'between', 'not_between', ...NO_VALUES]),
    values: z.array(z.union([z.int().min(1).max(MAX_WITHIN_DAYS), storedInstant.pipe(z.string()), z.null()])).max(2),
  })
  .refine(({ op, values }) => {
    if (op === 'is_empty' || op === 'is_not_empty') return values.length === 0
    if (op.endsWith('within_days')) return values.length === 1 && typeof values[0] === 'number'
    return values.length === 2 && values.every((value) => typeof value !== 'number') && values.some(Boolean)
  }, 'The operators with days take their number; those with between take two times, of which one may be null; is_empty and is_not_empty take no values.')

/** Schema of a condition on the names of a record's people, in any spelling. The search index has parts of at least three characters. */
const person = z.strictObject({
  field: z.literal('person'),
  op: z.literal('contains'),
  values: z
    .array(
      contactValue(
        'domain',
        text(businessLimits.searchLength).refine(
          (typed) => typed === HIDDEN || searchTerms(typed).length > 0,
          'Enter at least three characters of a name.',
        ),
      ),
    )
    .min(1)
    .max(conditionLimits.values),
})

/** Maximum of a condition on the number of observations. */
const MAX_OBSERVATIONS = 1_000_000
const observations = z.int().min(0).max(MAX_OBSERVATIONS)

/** Schema of a condition on a whole number of a record: a range, both ends included. */
function numberRange<Field extends NumberFact>(field: Field) {
  return z
    .strictObject({
      field: z.literal(field),
      op: z.enum(['between', ...NO_VALUES]),
      values: z.array(z.union([numberOf(field), z.null()])).max(2),
    })
    .refine(
      ({ op, values }) =>
        op === 'between' ? values.length === 2 && values.some((value) => value !== null) : values.length === 0,
      'between takes two numbers, of which one may be null; is_empty and is_not_empty take no values.',
    )
}

export const followUpTerms = ['overdue', 'today', 'this_week', 'next_week'] as const
export type FollowUpTerm = (typeof followUpTerms)[number]

/** Terms are one range of days. Between `next_week` and earlier days is the rest of this week. */
const areAdjacent = (terms: readonly unknown[]): boolean =>
  !terms.includes('next_week') || terms.includes('this_week') || terms.every((term) => term === 'next_week')

export const identifierFields = ['email', 'phone', 'domain', 'registrationNumber'] as const
export type IdentifierField = (typeof identifierFields)[number]

const flagValue = z.boolean()
const bandId = z.string().trim().min(1).max(40)
const score = z.int().min(0).max(100)

/**
 * Schema of one condition: a field with its operators and values. A filter combines its conditions with AND, and the values of one condition with OR.
 * Accepts days and times of any year, because earlier versions stored them. Input uses `conditionsInput`.
 */
export const conditionSchema = z
  .discriminatedUnion('field', [
    // A filter without this condition selects active records.
    z.strictObject({
      field: z.literal('status'),
      op: z.literal('any_of'),
      values: z.array(z.literal('inactive')).length(1),
    }),
    z.strictObject({
      field: z.literal('q'),
      op: z.literal('contains'),
      values: z
        .array(
          contactValue(
            'domain',
            // A filter can be answered with its text hidden.
            text(businessLimits.searchLength).refine(
              (typed) => typed === HIDDEN || fold(typed) !== '',
              'Enter a text to search for.',
            ),
          ),
        )
        .length(1),
    }),
    choice('state', z.enum(pipelineStates)),
    optionalChoice('assignee', z.union([z.literal('me'), recordId.min(1)])),
    optionalChoice('province', z.enum([...provinceCodes, 'other'])),
    optionalChoice('tag', contactValue('domain', z.string().trim().min(1).max(businessLimits.tagLength))),
    choice('doNotContact', flagValue),
    choice('hasEvidence', flagValue),
    choice('hasPerson', flagValue),
    person,
    timeRange('updatedAt'),
    timeRange('createdAt'),
    lastInteraction,
    optionalChoice('lastOutcome', z.enum(outcomes)),
    choice('doubts', z.enum(doubtKinds)),
    ...textFilterNames.map((field) => textChoice(field, facts[textFilters[field]].maxLength)),
    textChoice('sourceLabel', evidenceLimits.sourceLength),
    textChoice('role', peopleLimits.roleLength),
    ...numberFacts.map(numberRange),
    choice('identifiers', z.enum(identifierFields)),
    z
      .strictObject({
        field: z.literal('followUp'),
        op: z.enum(['any_of', 'between', ...NO_VALUES]),
        values: z.array(z.union([z.enum(followUpTerms), calendarDay, z.null()])).max(followUpTerms.length),
      })
      .refine(({ op, values }) => {
        const isTerm = (value: string | null) => followUpTerms.some((term) => term === value)
        if (op === 'any_of') return values.length > 0 && values.every(isTerm) && areAdjacent(values)
        if (op === 'between') return values.length === 2 && !values.some(isTerm) && values.some(Boolean)
        return values.length === 0
      }, 'any_of takes overdue, today, this_week or next_week, and next_week together with earlier days only if this_week is among them; between takes two dates, of which one may be null; is_empty and is_not_empty take no values.'),
    z
      .strictObject({
        field: z.literal('evidenceCount'),
        op: z.literal('between'),
        values: z.array(z.union([observations, z.null()])).length(2),
      })
      .refine(({ values }) => values.some((value) => value !== null), 'Enter at least one of the two numbers.'),
    choice('review', z.enum(reviewFilterValues)),
    choice('priority', bandId),
    choice('reachable', bandId),
    choice('eligibility', z.enum(eligibilities)),
    z
      .strictObject({
        field: z.literal('score'),
        op: z.literal('between'),
        values: z.array(z.union([score, z.null()])).length(2),
      })
      .refine(({ values }) => values.some((value) => value !== null), 'Enter at least one of the two numbers.'),
  ])
  .meta({ id: 'FilterCondition' })
export type Condition = z.output<typeof conditionSchema>

/** Texts of children of a record: the source labels of its evidence, and the roles of its people. */
export const childTexts = ['sourceLabel', 'role'] as const
export type ChildText = (typeof childTexts)[number]

export function isChildText(field: string): field is ChildText {
  return childTexts.some((one) => one === field)
}

/** Fields of conditions on a text that people typed, compared in any spelling. */
export type TextField = TextFilter | ChildText
export const textFields: readonly TextField[] = [...textFilterNames, ...childTexts]
export type TextCondition = Extract<Condition, { field: TextField }>

export type NumberCondition = Extract<Condition, { field: NumberFact }>

export function isNumberCondition(condition: Condition): condition is NumberCondition {
  return numberFacts.some((field) => field === condition.field)
}

export function isTextCondition(condition: Condition): condition is TextCondition {
  return textFields.some((field) => field === condition.field)
}

/** True for a condition that is a search: of any value, or of names of people. A part of the typed text can be a name. */
export function isSearch(field: string): boolean {
  return field === 'q' || field === 'person'
}

export const conditionsSchema = z
  .array(conditionSchema)
  .max(conditionLimits.conditions)
  .refine((conditions) => conditions.filter(({ field }) => field === 'q').length <= 1, 'q has one condition.')
  .meta({ id: 'Filter', description: `Conditions of schema version ${FILTER_SCHEMA_VERSION}, combined with AND.` })

const isStringTooEarly = (value: unknown) => typeof value === 'string' && isTooEarly(value)
const fieldsOfTime: readonly Condition['field'][] = ['followUp', 'updatedAt', 'createdAt', 'lastInteraction']

const HIDDEN_VALUE = 'This value is hidden from you. Enter another one, or remove the condition.'

/** Schema of the conditions of a request. Rejects days and times before the first year that people may enter, and values of a filter as it was answered with them hidden. */
export const conditionsInput = conditionsSchema.transform((conditions, { issues }) => {
  for (const [index, { field, values }] of conditions.entries()) {
    const isTime = fieldsOfTime.includes(field)
    for (const [at, value] of values.entries()) {
      const message = value === HIDDEN ? HIDDEN_VALUE : isTime && isStringTooEarly(value) ? TOO_EARLY : undefined
      if (message !== undefined) issues.push({ code: 'custom', input: value, path: [index, 'values', at], message })
    }
  }
  return conditions
})
