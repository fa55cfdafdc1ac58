/** Values of the form of a source contract, and their conversion from and to the API. */
import type { CreateSourceData, SourceAdapter } from '@prospect/api-client'
import { dayFrom } from '../../ui/text/day.ts'
import { provinces } from '../../ui/text/provinces.ts'
import { isNumberValue, type NumberValue, numberOf } from '../../ui/text/typed-number.ts'
import { purposeOptions, purposes } from './contract-words.ts'
import {
  areDeclaredValues,
  type DeclaredValues,
  declaredBody,
  declaredValues,
  isDeclaredBlank,
} from './declared-values.ts'

export type Contract = NonNullable<CreateSourceData['body']['contract']>

/** A contract while it is edited: any value may be blank, so that a draft may be incomplete. */
export type TypedContract = {
  ownerId: string
  reference: string
  reviewDueOn: string
  purposes: string[]
  fields: string[]
  provinces: string[]
  /** Settings as inputs, if the adapter is loaded and its inputs represent them. */
  settingValues: DeclaredValues
  /** Settings as a JSON object otherwise. */
  settings: string
  rawRetention: string
} & Record<NumberName, NumberValue>

/** Number fields of a contract. The API counts in milliseconds and bytes; the form counts in seconds and MB. */
export const numbers = [
  { name: 'maxRecords', label: 'Records per query', max: 1_000 },
  { name: 'perMinute', label: 'Requests per minute', max: 600 },
  { name: 'perDay', label: 'Requests per day', max: 100_000 },
  { name: 'concurrency', label: 'Concurrent requests', max: 8 },
  { name: 'timeoutSeconds', label: 'Seconds per request', max: 120, decimals: 3 },
  { name: 'maxMegabytes', label: 'MB per response', max: 10.48576, decimals: 6 },
  { name: 'maxAttempts', label: 'Attempts per request', max: 4 },
  { name: 'degradedRatio', label: 'Degraded from failures (%)', max: 100, decimals: 2 },
  { name: 'degradedSeconds', label: 'Slow from (seconds)', max: 120, decimals: 3 },
  { name: 'stopRatio', label: 'Stop above failures (%)', max: 100, decimals: 2 },
  { name: 'stopFailures', label: 'Stop after failures in a row', max: 100 },
  { name: 'stopSeconds', label: 'Stop above (seconds)', max: 120, decimals: 3 },
  { name: 'closeAfter', label: 'Successes to restart', max: 20 },
] as const

export type NumberName = (typeof numbers)[number]['name']

export const rangeOf = (number: (typeof numbers)[number]) =>
  'decimals' in number ? { min: 0, max: number.max, decimals: number.decimals } : { min: 1, max: number.max }

const MS_PER_SECOND = 1_000
const BYTES_PER_MEGABYTE = 1_000_000
/** Highest number of decimals of a field. */
const MAX_DECIMALS = 6

/** Guards of a stored draft. */
export const contractGuards = {
  ...(Object.fromEntries(numbers.map(({ name }) => [name, isNumberValue])) as Record<NumberName, typeof isNumberValue>),
  settingValues: areDeclaredValues,
}

export const retentions = ['none', 'days_30', 'days_180', 'days_730'] as const

/** True for a field without a value. */
export const isBlank = (value: TypedContract[keyof TypedContract]): boolean =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0

/** Options of the purposes: those of the adapter if it is loaded. */
export const purposeOptionsFor = (adapter: SourceAdapter | undefined) =>
  purposeOptions.filter(({ value }) => adapter?.purposes.includes(value) ?? true)

/** Names of the fields of the adapter's answers. */
export const answerFieldsOf = ({ answerFields: { always, onRequest } }: SourceAdapter) => [...always, ...onRequest]

/** True if the settings are shown as inputs of the adapter, not as a JSON object. */
export const hasSettingInputs = ({ settings }: Pick<TypedContract, 'settings'>): boolean => settings.trim() === ''

/** True for a JSON object, or blank text. */
export const isJsonObject = (text: string): boolean => text.trim() === '' || jsonObject(text) !== undefined

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}

const text = (value: number | undefined, factor = 1): NumberValue =>
  value === undefined ? '' : Math.round(value * factor * 1e6) / 1e6

/** Values of the form for settings: inputs if those of the adapter represent them completely, otherwise a JSON object. */
function typedSettings(
  settings: Record<string, unknown> | undefined,
  adapter: SourceAdapter | undefined,
): Pick<TypedContract, 'settingValues' | 'settings'> {
  if (settings === undefined) return { settingValues: {}, settings: '' }
  const inputs = adapter === undefined ? null : declaredValues(adapter.settings, settings)
  if (inputs !== null) return { settingValues: inputs, settings: '' }
  return { settingValues: {}, settings: JSON.stringify(settings, null, 2) }
}

/** Values of the settings after another adapter was chosen. */
export function movedSettings(typed: TypedContract, from: SourceAdapter | undefined, to: SourceAdapter | undefined) {
  // Text that is not a JSON object stays in its field, with the error.
  return isJsonObject(typed.settings) ? typedSettings(settingsOf(typed, from), to) : {}
}

/** Values that a chosen adapter prescribes: its only purpose, and the fields and records without which it permits no query. */
export function prescribed({ purposes, fields, maxRecords }: TypedContract, to: SourceAdapter): Partial<TypedContract> {
  const { always } = to.answerFields
  return {
    purposes: to.purposes.length === 1 ? [...to.purposes] : purposes,
    fields: [...always, ...fields.filter((field) => !always.includes(field))],
    maxRecords: isBlank(maxRecords) && to.minRecords > 1 ? to.minRecords : maxRecords,
  }
}

/** Values of the form for a contract. */
export function typedContract(contract: Contract, adapter?: SourceAdapter): TypedContract {
  const { terms, scope, rate, retry, health, circuit, settings } = contract
  return {
    ownerId: terms?.ownerId ?? '',
    reference: terms?.reference ?? '',
    reviewDueOn: terms?.reviewDueOn ?? '',
    purposes: [...(contract.purposes ?? [])],
    fields: [...(scope?.fields ?? [])],
    provinces: [...(scope?.provinces ?? [])],
    maxRecords: text(scope?.maxRecords),
    perMinute: text(rate?.perMinute),
    perDay: text(rate?.perDay),
    concurrency: text(contract.concurrency),
    timeoutSeconds: text(contract.timeoutMs, 1 / MS_PER_SECOND),
    maxMegabytes: text(contract.maxBytes, 1 / BYTES_PER_MEGABYTE),
    maxAttempts: text(retry?.maxAttempts),
    rawRetention: contract.rawRetention ?? '',
    degradedRatio: text(health?.failureRatio, 100),
    degradedSeconds: text(health?.latencyMs, 1 / MS_PER_SECOND),
    stopRatio: text(circuit?.failureRatio, 100),
    stopFailures: text(circuit?.consecutiveFailures),
    stopSeconds: text(circuit?.latencyMs, 1 / MS_PER_SECOND),
    closeAfter: text(circuit?.closeAfterSuccesses),
    ...typedSettings(settings, adapter),
  }
}

function known<Value extends string>(values: readonly Value[], chosen: readonly string[]): Value[] {
  return values.filter((value) => chosen.includes(value))
}

/** Converts valid values to the API's form. An item whose fields are all blank is omitted, so that the version is saved as incomplete. */
export function contractOf(typed: TypedContract, adapter?: SourceAdapter): Contract {
  const number = (name: NumberName, factor = 1) => {
    const read = numberOf(typed[name], { decimals: MAX_DECIMALS })
    return read === null ? undefined : Math.round(read * factor * 1e6) / 1e6
  }
  const [maxRecords, perMinute, perDay] = [number('maxRecords'), number('perMinute'), number('perDay')]
  const [concurrency, timeoutMs, maxBytes] = [
    number('concurrency'),
    number('timeoutSeconds', MS_PER_SECOND),
    number('maxMegabytes', BYTES_PER_MEGABYTE),
  ]
  const [maxAttempts, degradedRatio, degradedMs] = [
    number('maxAttempts'),
    number('degradedRatio', 0.01),
    number('degradedSeconds', MS_PER_SECOND),
  ]
  const [stopRatio, stopFailures, stopMs, closeAfter] = [
    number('stopRatio', 0.01),
    number('stopFailures'),
    number('stopSeconds', MS_PER_SECOND),
    number('closeAfter'),
  ]
  const { ownerId, reference, fields } = typed
  const reviewDueOn = dayFrom(typed.reviewDueOn)
  const [rawRetention] = known(retentions, [typed.rawRetention])
  const settings = settingsOf(typed, adapter)
  return {
    ...(ownerId !== '' &&
      reference.trim() !== '' &&
      reviewDueOn !== null && { terms: { ownerId, reference, reviewDueOn } }),
    ...(typed.purposes.length > 0 && { purposes: known(purposes, typed.purposes) }),
    ...(fields.length > 0 &&
      maxRecords !== undefined && {
        scope: {
          fields: [...fields],
          provinces: known(
            provinces.map(({ code }) => code),
            typed.provinces,
          ),
          maxRecords,
        },
      }),
    ...(perMinute !== undefined && perDay !== undefined && { rate: { perMinute, perDay } }),
    ...(concurrency !== undefined && { concurrency }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxAttempts !== undefined && { retry: { maxAttempts } }),
    ...(rawRetention !== undefined && { rawRetention }),
    ...(degradedRatio !== undefined &&
      degradedMs !== undefined && { health: { failureRatio: degradedRatio, latencyMs: degradedMs } }),
    ...(stopRatio !== undefined &&
      stopFailures !== undefined &&
      stopMs !== undefined &&
      closeAfter !== undefined && {
        circuit: {
          failureRatio: stopRatio,
          consecutiveFailures: stopFailures,
          latencyMs: stopMs,
          closeAfterSuccesses: closeAfter,
        },
      }),
    ...(settings !== undefined && { settings }),
  }
}

function settingsOf(typed: TypedContract, adapter: SourceAdapter | undefined): Record<string, unknown> | undefined {
  if (adapter === undefined || !hasSettingInputs(typed)) return jsonObject(typed.settings)
  const { settings: fields } = adapter
  return isDeclaredBlank(fields, typed.settingValues) ? undefined : declaredBody(fields, typed.settingValues)
}
