/** Errors of the form of a source contract: those found without the server, and the fields of those that the API reports. */
import type { SourceAdapter } from '@prospect/api-client'
import { unlistedProblem } from '../../ui/fields/multi-select.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { dayFrom } from '../../ui/text/day.ts'
import { notADay } from '../../ui/text/day-words.ts'
import { numberProblem } from '../../ui/text/typed-number.ts'
import {
  answerFieldsOf,
  hasSettingInputs,
  isBlank,
  isJsonObject,
  numbers,
  purposeOptionsFor,
  rangeOf,
  type TypedContract,
} from './contract-values.ts'
import { declaredProblems, isDeclaredBlank, optionsOf, provinceOptions } from './declared-values.ts'

/**
 * Items of a contract that consist of several fields. An item is sent with all of them or not at all, so a form in which only some are filled has an
 * error at the others.
 */
const items = {
  terms: { ownerId: 'a terms owner', reference: 'a reference of the terms', reviewDueOn: 'a day of the review' },
  scope: { fields: 'a field', maxRecords: 'the records per query' },
  rate: { perMinute: 'the requests per minute', perDay: 'the requests per day' },
  health: { degradedRatio: 'the failures in %', degradedSeconds: 'the seconds from which it is slow' },
  circuit: {
    stopRatio: 'the failures in %',
    stopFailures: 'the failures in a row',
    stopSeconds: 'the seconds above which it stops',
    closeAfter: 'the successes to restart',
  },
} as const satisfies Record<string, Partial<Record<keyof TypedContract, string>>>

/** Fields that make an item count as begun, although the item does not require them. */
const further: Partial<Record<keyof typeof items, readonly (keyof TypedContract)[]>> = { scope: ['provinces'] }

/** Errors of fields that are blank beside filled ones of the same item. */
function halfFilled(typed: TypedContract): FieldErrors {
  const problems: FieldErrors = {}
  for (const [item, words] of Object.entries(items)) {
    const fields = Object.entries(words) as [keyof TypedContract, string][]
    const begun = [...fields.map(([field]) => field), ...(further[item as keyof typeof items] ?? [])]
    if (begun.every((field) => isBlank(typed[field]))) continue
    for (const [field, what] of fields)
      if (isBlank(typed[field])) problems[field] = `Enter ${what} too, or clear the other fields of this item.`
  }
  return problems
}

/** Errors that are found without the server. A contract may be incomplete, but what was typed is never dropped. */
export function contractProblems(typed: TypedContract, adapter: SourceAdapter | undefined): FieldErrors {
  const wrongNumbers = numbers.flatMap((number) => {
    const problem = numberProblem(typed[number.name], rangeOf(number))
    return problem === null ? [] : [[number.name, problem]]
  })
  const unlisted = {
    purposes: unlistedProblem(typed.purposes, purposeOptionsFor(adapter)),
    fields: adapter === undefined ? null : unlistedProblem(typed.fields, optionsOf(answerFieldsOf(adapter))),
    provinces: unlistedProblem(typed.provinces, provinceOptions),
  }
  return {
    ...halfFilled(typed),
    ...(typed.reviewDueOn.trim() !== '' &&
      dayFrom(typed.reviewDueOn) === null && { reviewDueOn: notADay(typed.reviewDueOn, 'future') }),
    ...Object.fromEntries(
      Object.entries(unlisted).flatMap(([field, problem]) => (problem === null ? [] : [[field, problem]])),
    ),
    ...Object.fromEntries(wrongNumbers),
    ...settingProblems(typed, adapter),
  }
}

function settingProblems(typed: TypedContract, adapter: SourceAdapter | undefined): FieldErrors {
  if (adapter === undefined || !hasSettingInputs(typed))
    return isJsonObject(typed.settings) ? {} : { settings: 'Enter a JSON object.' }
  if (isDeclaredBlank(adapter.settings, typed.settingValues)) return {}
  return declaredProblems('settingValues', adapter.settings, typed.settingValues, answerFieldsOf(adapter))
}

const formFields: Readonly<Record<string, string>> = {
  'terms.ownerId': 'ownerId',
  'terms.reference': 'reference',
  'terms.reviewDueOn': 'reviewDueOn',
  purposes: 'purposes',
  'scope.fields': 'fields',
  'scope.provinces': 'provinces',
  'scope.maxRecords': 'maxRecords',
  'rate.perMinute': 'perMinute',
  'rate.perDay': 'perDay',
  concurrency: 'concurrency',
  timeoutMs: 'timeoutSeconds',
  maxBytes: 'maxMegabytes',
  'retry.maxAttempts': 'maxAttempts',
  rawRetention: 'rawRetention',
  'health.failureRatio': 'degradedRatio',
  'health.latencyMs': 'degradedSeconds',
  'circuit.failureRatio': 'stopRatio',
  'circuit.consecutiveFailures': 'stopFailures',
  'circuit.latencyMs': 'stopSeconds',
  'circuit.closeAfterSuccesses': 'closeAfter',
}

/** Field of the form for an error of the API at a path of the contract; undefined if no field shows it. */
export function contractField(
  path: string,
  adapter: SourceAdapter | undefined,
  typed: TypedContract,
): string | undefined {
  if (!path.startsWith('contract.')) return undefined
  const inside = path.slice('contract.'.length)
  if (inside !== 'settings' && !inside.startsWith('settings.')) return formFields[inside]
  if (adapter === undefined || !hasSettingInputs(typed)) return 'settings'
  const name = inside.split('.')[1]
  return adapter.settings.some((field) => field.name === name) ? `settingValues.${name}` : undefined
}
