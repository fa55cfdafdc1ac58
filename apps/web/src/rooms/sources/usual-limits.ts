/** Limits that are usual for a purpose. A proposal starts from them, and the three desks decide about them. */
import { isBlank, type NumberName, type TypedContract } from './contract-values.ts'
import { purposeOptions, purposes } from './contract-words.ts'

type Purpose = (typeof purposes)[number]
type Limits = Readonly<Record<NumberName, number>>

const common = {
  maxRecords: 1,
  perMinute: 10,
  perDay: 200,
  concurrency: 1,
  timeoutSeconds: 10,
  maxMegabytes: 1,
  maxAttempts: 2,
  degradedRatio: 10,
  degradedSeconds: 2,
  stopRatio: 50,
  stopFailures: 5,
  stopSeconds: 8,
  closeAfter: 3,
} as const satisfies Limits

// A language model needs longer than a register or a name server, and a repeated request costs again.
const model: Limits = { ...common, timeoutSeconds: 60, maxAttempts: 1, degradedSeconds: 20, stopSeconds: 50 }

const usual: Readonly<Record<Purpose, Limits>> = {
  business_records: { ...common, maxRecords: 50, perDay: 500 },
  dns: {
    ...common,
    perMinute: 30,
    perDay: 1_000,
    timeoutSeconds: 5,
    maxMegabytes: 0.1,
    degradedSeconds: 1,
    stopSeconds: 4,
  },
  web_pages: { ...common, timeoutSeconds: 15, maxMegabytes: 2, maxAttempts: 1, degradedSeconds: 5, stopSeconds: 12 },
  prospect_summary: model,
  draft_text: model,
}

/** Usual values of the limits that are blank, with the name of their purpose: the first one that was chosen. Null without a purpose. */
export function usualLimits(typed: TypedContract): { purpose: string; limits: Partial<TypedContract> } | null {
  const purpose = purposes.find((one) => typed.purposes.includes(one))
  if (purpose === undefined) return null
  const blank = Object.entries(usual[purpose]).filter(([name]) => isBlank(typed[name as NumberName]))
  // The number of records belongs to the fields of the scope. Alone it would make the scope half filled.
  const limits = blank.filter(([name]) => name !== 'maxRecords' || !isBlank(typed.fields))
  const label = purposeOptions.find(({ value }) => value === purpose)?.label ?? purpose
  return { purpose: label, limits: Object.fromEntries(limits) }
}
