import { z } from 'zod'
import { calendarDay, line, recordId } from '../../../http/text.ts'
import { fingerprint } from '../../../lib/hashing.ts'
import type { LoadedAdapters } from '../../../load-adapters.ts'
import { provinceCodes } from '../../normalization/normalization.ts'
import { type PurposeName, purposeNames, retiredPurposeNames } from '../purposes.ts'

/** The limits of a contract; `docs/limits.md` lists them. */
export const contractLimits = {
  termsReferenceLength: 500,
  reviewWithinDays: 366,
  fields: 50,
  fieldLength: 60,
  recordsAQuery: 1_000,
  requestsAMinute: 600,
  requestsADay: 100_000,
  concurrency: 8,
  timeoutMs: { min: 1_000, max: 120_000 },
  responseBytes: 10 * 1024 * 1024,
  attempts: 4,
  consecutiveFailures: 100,
  closeAfterSuccesses: 20,
  settingsBytes: 16 * 1024,
} as const

export const rawRetentions = ['none', 'days_30', 'days_180', 'days_730'] as const
export type RawRetention = (typeof rawRetentions)[number]
/** Number of days for which raw text is stored; null if it is not stored. */
export const retentionDays: Record<RawRetention, number | null> = {
  none: null,
  days_30: 30,
  days_180: 180,
  days_730: 730,
}

const upTo = (max: number) => z.int().min(1).max(max)
const ratio = z.number().gt(0).max(1)
const latencyMs = z.int().min(1).max(contractLimits.timeoutMs.max)
const isUnique = (values: readonly string[]) => new Set(values).size === values.length
const TWICE = 'The same value is listed twice.'

export const contractSchema = z
  .strictObject({
    terms: z
      .strictObject({
        ownerId: recordId.describe('A member of the workspace'),
        reference: line(contractLimits.termsReferenceLength),
        reviewDueOn: calendarDay.describe('The last day on which the terms count as reviewed'),
      })
      .optional(),
    purposes: z.array(z.enum(purposeNames)).min(1).max(purposeNames.length).refine(isUnique, TWICE).optional(),
    scope: z
      .strictObject({
        fields: z.array(line(contractLimits.fieldLength)).min(1).max(contractLimits.fields).refine(isUnique, TWICE),
        provinces: z
          .array(z.enum(provinceCodes))
          .max(provinceCodes.length)
          .refine(isUnique, TWICE)
          .describe('Empty: all'),
        maxRecords: upTo(contractLimits.recordsAQuery),
      })
      .optional(),
    rate: z
      .strictObject({ perMinute: upTo(contractLimits.requestsAMinute), perDay: upTo(contractLimits.requestsADay) })
      .optional(),
    concurrency: upTo(contractLimits.concurrency).optional(),
    timeoutMs: z.int().min(contractLimits.timeoutMs.min).max(contractLimits.timeoutMs.max).optional(),
    maxBytes: upTo(contractLimits.responseBytes).optional(),
    retry: z.strictObject({ maxAttempts: upTo(contractLimits.attempts) }).optional(),
    rawRetention: z.enum(rawRetentions).optional(),
    health: z
      .strictObject({ failureRatio: ratio, latencyMs })
      .optional()
      .describe('From here on the source counts as degraded'),
    circuit: z
      .strictObject({
        failureRatio: ratio,
        consecutiveFailures: upTo(contractLimits.consecutiveFailures),
        latencyMs,
        closeAfterSuccesses: upTo(contractLimits.closeAfterSuccesses),
      })
      .optional()
      .describe('From here on the source is stopped'),
    settings: z
      .record(z.string().max(contractLimits.fieldLength), z.unknown())
      .refine((settings) => JSON.stringify(settings).length <= contractLimits.settingsBytes, 'At most 16 KiB.')
      .optional()
      .describe('Values that the adapter declares'),
  })
  .describe('May be incomplete; it is approved and enabled only when it is complete.')
export type Contract = z.output<typeof contractSchema>

const isOffered = (name: string): name is PurposeName => purposeNames.some((offered) => offered === name)
const storedContractSchema = contractSchema.extend({
  purposes: z
    .array(z.enum([...purposeNames, ...retiredPurposeNames]))
    .transform((names) => names.filter(isOffered))
    .transform((names) => (names.length === 0 ? undefined : names))
    .optional(),
})

/**
 * Parses the text of a stored contract, without its retired purposes. Approvals of a contract that names one are no longer valid, because its
 * fingerprint changes; without another purpose it is incomplete.
 */
export function parseContract(text: string): Contract {
  return storedContractSchema.parse(JSON.parse(text))
}

/** Schema of a contract in a response. */
export const contractAnswerSchema = contractSchema.meta({ id: 'SourceContract' })

/** The items that a complete contract has. `settings` is not among them, because some adapters need none. */
export const contractItems = [
  'terms',
  'purposes',
  'scope',
  'rate',
  'concurrency',
  'timeoutMs',
  'maxBytes',
  'retry',
  'rawRetention',
  'health',
  'circuit',
] as const satisfies readonly (keyof Contract)[]
export type ContractItem = (typeof contractItems)[number] | 'settings'

export type CompleteContract = { [Item in keyof Contract]-?: Exclude<Contract[Item], undefined> }

/** Returns the contract as a type in which every item is present; undefined if one is missing. */
export function completeContract(contract: Contract): CompleteContract | undefined {
  const { terms, purposes, scope, rate, concurrency, timeoutMs, maxBytes, retry, rawRetention, health, circuit } =
    contract
  if (terms === undefined || purposes === undefined || scope === undefined || rate === undefined) return undefined
  if (concurrency === undefined || timeoutMs === undefined || maxBytes === undefined || retry === undefined)
    return undefined
  if (rawRetention === undefined || health === undefined || circuit === undefined) return undefined
  const limits = { concurrency, timeoutMs, maxBytes, retry }
  return { terms, purposes, scope, rate, ...limits, rawRetention, health, circuit, settings: contract.settings ?? {} }
}

export type AdapterRef = { id: string; version: string }

/** The state of a source's adapter in this process. */
export type AdapterState = 'loaded' | 'not_loaded' | 'changed'

export function adapterState(adapter: AdapterRef, { items }: LoadedAdapters): AdapterState {
  const loaded = items.find(({ id }) => id === adapter.id)
  if (loaded === undefined) return 'not_loaded'
  return loaded.version === adapter.version ? 'loaded' : 'changed'
}

/** Fingerprint of the contract, the loaded adapter and ADAPTERS_FILE. A decision is valid only for the fingerprint that the person saw. */
export function versionFingerprint(contract: Contract, adapter: AdapterRef, { file, items }: LoadedAdapters): string {
  const loaded = items.find(({ id }) => id === adapter.id)
  return fingerprint({
    contract,
    adapter,
    loaded: loaded === undefined ? null : { id: loaded.id, version: loaded.version },
    file: file?.sha256 ?? null,
  })
}
