import type { CreateAssistPolicyData } from '@prospect/api-client'
import { factFields } from '../../ui/text/facts.ts'
import { type NumberValue, numberOf, numberProblems } from '../../ui/text/typed-number.ts'

type Body = CreateAssistPolicyData['body']

/** Values of the policy form. */
export type PolicyValues = {
  sourceId: string | null
  fallbackSourceId: string | null
  summaries: boolean
  drafts: boolean
  claims: boolean
  observations: boolean
  retention: 'none' | 'days_30' | 'days_90'
  currency: string
} & Record<NumberName, NumberValue>

export const numberFields = [
  { name: 'freshnessDays', label: 'Evidence is stale after days' },
  { name: 'callsPerMinute', label: 'Calls per minute' },
  { name: 'callsPerDay', label: 'Calls per day' },
  { name: 'tokensPerDay', label: 'Tokens per day' },
  { name: 'costPerDay', label: 'Cost per day, in cents' },
  { name: 'costPerMonth', label: 'Cost per month, in cents' },
  { name: 'inputPrice', label: 'Price of a million input tokens, in cents' },
  { name: 'outputPrice', label: 'Price of a million output tokens, in cents' },
] as const
type NumberName = (typeof numberFields)[number]['name']

const anyNumber = { min: 0, max: 9_999_999_999 }
export const numberRanges = Object.fromEntries(numberFields.map(({ name }) => [name, anyNumber])) as Record<
  NumberName,
  typeof anyNumber
>

export const initialPolicy: PolicyValues = {
  sourceId: null,
  fallbackSourceId: null,
  summaries: true,
  drafts: false,
  claims: true,
  observations: false,
  retention: 'days_30',
  freshnessDays: 365,
  callsPerMinute: 5,
  callsPerDay: 50,
  tokensPerDay: 500_000,
  costPerDay: 0,
  costPerMonth: 0,
  inputPrice: 0,
  outputPrice: 0,
  currency: 'ZAR',
}

/** Version of the redaction rules that this form supports. */
const REDACTION_VERSION = 2

const fields = [...factFields, 'observation'] as const

export const wrongNumbers = (values: PolicyValues): Partial<Record<NumberName, string>> =>
  numberProblems(values, numberRanges)

/** Builds the request body. An item without a choice is left out, and the version is then incomplete. */
export function policyBody(
  values: PolicyValues,
  { ownerId, sourceVersion }: { ownerId: string; sourceVersion: number | undefined },
): Body {
  const number = (name: NumberName) => numberOf(values[name]) ?? 0
  const purposes = [
    ...(values.summaries ? (['prospect_summary'] as const) : []),
    ...(values.drafts ? (['draft_text'] as const) : []),
  ]
  const dataClasses = [
    ...(values.claims ? (['claims'] as const) : []),
    ...(values.observations ? (['observations'] as const) : []),
  ]
  const { sourceId, fallbackSourceId } = values
  const days = number('freshnessDays')
  return {
    ...(purposes.length > 0 && { purposes }),
    ...(dataClasses.length > 0 && { dataClasses }),
    ...(sourceId !== null && sourceVersion !== undefined && { sourceId, sourceVersion }),
    ...(fallbackSourceId !== null && { fallbackSourceId }),
    redactionVersion: REDACTION_VERSION,
    retention: values.retention,
    freshnessDays: days === 0 ? {} : Object.fromEntries(fields.map((field) => [field, days])),
    budgets: {
      callsPerMinute: number('callsPerMinute'),
      callsPerDay: number('callsPerDay'),
      tokensPerDay: number('tokensPerDay'),
      costPerDay: number('costPerDay'),
      costPerMonth: number('costPerMonth'),
    },
    prices: {
      inputPerMillionTokens: number('inputPrice'),
      outputPerMillionTokens: number('outputPrice'),
      currency: values.currency.trim().toUpperCase(),
    },
    ownerId,
  }
}
