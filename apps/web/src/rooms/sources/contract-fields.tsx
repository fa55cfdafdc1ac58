import { Checkbox, Stack, Textarea, TextInput } from '@mantine/core'
import type { CreateSourceData } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { DayField } from '../../ui/fields/day-field.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import type { FieldErrors } from '../../ui/forms/use-save-form.ts'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import { isNumberValue, type NumberValue, numberOf, numberProblem } from '../../ui/text/typed-number.ts'
import { valueWords } from './source-words.ts'
import classes from './sources.module.css'

export type Contract = NonNullable<CreateSourceData['body']['contract']>

/** A contract while it is edited: any value may be blank, so that a draft may be incomplete. */
export type TypedContract = {
  ownerId: string
  reference: string
  reviewDueOn: string
  purposes: string[]
  fields: string
  provinces: string
  settings: string
  rawRetention: string
} & Record<NumberName, NumberValue>

const numbers = [
  { name: 'maxRecords', label: 'Records per query', max: 1_000 },
  { name: 'perMinute', label: 'Requests per minute', max: 600 },
  { name: 'perDay', label: 'Requests per day', max: 100_000 },
  { name: 'concurrency', label: 'Concurrent requests', max: 8 },
  { name: 'timeoutSeconds', label: 'Seconds per request', max: 120 },
  { name: 'maxKib', label: 'KiB per response', max: 10_240 },
  { name: 'maxAttempts', label: 'Attempts', max: 4 },
  { name: 'degradedRatio', label: 'Degraded from failures (%)', max: 100 },
  { name: 'degradedMs', label: 'Degraded from (ms)', max: 120_000 },
  { name: 'stopRatio', label: 'Stop above failures (%)', max: 100 },
  { name: 'stopFailures', label: 'Stop after failures in a row', max: 100 },
  { name: 'stopMs', label: 'Stop above (ms)', max: 120_000 },
  { name: 'closeAfter', label: 'Successes to restart', max: 20 },
] as const

type NumberName = (typeof numbers)[number]['name']

const fractional: readonly NumberName[] = ['timeoutSeconds', 'maxKib', 'degradedRatio', 'stopRatio']
const rangeOf = ({ name, max }: (typeof numbers)[number]) =>
  fractional.includes(name) ? { min: 0, max, decimals: 2 } : { min: 1, max }

/** Errors of the numbers, which may be blank. */
export const wrongNumbers = (typed: TypedContract): FieldErrors =>
  Object.fromEntries(
    numbers.flatMap((number) => {
      const problem = numberProblem(typed[number.name], rangeOf(number))
      return problem === null ? [] : [[number.name, problem]]
    }),
  )

export const numberGuards = Object.fromEntries(numbers.map(({ name }) => [name, isNumberValue])) as Record<
  NumberName,
  typeof isNumberValue
>

const purposes = [
  'business_records',
  'dns',
  'domain_availability',
  'web_pages',
  'prospect_summary',
  'draft_text',
] as const
type Purpose = (typeof purposes)[number]
const provinces = ['EC', 'FS', 'GP', 'KZN', 'LP', 'MP', 'NC', 'NW', 'WC'] as const
const retentions = ['none', 'days_30', 'days_180', 'days_730'] as const

const text = (value: number | undefined, factor = 1): NumberValue =>
  value === undefined ? '' : Math.round(value * factor * 1e6) / 1e6

export function typedContract(contract: Contract): TypedContract {
  const { terms, scope, rate, retry, health, circuit } = contract
  return {
    ownerId: terms?.ownerId ?? '',
    reference: terms?.reference ?? '',
    reviewDueOn: terms?.reviewDueOn ?? '',
    purposes: [...(contract.purposes ?? [])],
    fields: (scope?.fields ?? []).join(', '),
    provinces: (scope?.provinces ?? []).join(', '),
    maxRecords: text(scope?.maxRecords),
    perMinute: text(rate?.perMinute),
    perDay: text(rate?.perDay),
    concurrency: text(contract.concurrency),
    timeoutSeconds: text(contract.timeoutMs, 1 / 1_000),
    maxKib: text(contract.maxBytes, 1 / 1_024),
    maxAttempts: text(retry?.maxAttempts),
    rawRetention: contract.rawRetention ?? '',
    degradedRatio: text(health?.failureRatio, 100),
    degradedMs: text(health?.latencyMs),
    stopRatio: text(circuit?.failureRatio, 100),
    stopFailures: text(circuit?.consecutiveFailures),
    stopMs: text(circuit?.latencyMs),
    closeAfter: text(circuit?.closeAfterSuccesses),
    settings: contract.settings === undefined ? '' : JSON.stringify(contract.settings, null, 2),
  }
}

const listOf = (typed: string): string[] =>
  typed
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

const isOneOf = <Value extends string>(values: readonly Value[], value: string): value is Value =>
  values.some((one) => one === value)

/** True for a JSON object, or blank text. */
export const isJsonObject = (text: string): boolean => text.trim() === '' || jsonObject(text) !== undefined

function jsonObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Converts to the API's form. An item with a missing part is omitted, so the version is saved as incomplete. */
export function contractOf(typed: TypedContract): Contract {
  const number = (name: NumberName, factor = 1) => {
    const read = numberOf(typed[name], { decimals: 2 })
    return read === null ? undefined : Math.round(read * factor * 1e6) / 1e6
  }
  const settings = jsonObject(typed.settings)
  const fields = listOf(typed.fields)
  const [maxRecords, perMinute, perDay] = [number('maxRecords'), number('perMinute'), number('perDay')]
  const [concurrency, timeoutMs, maxBytes] = [
    number('concurrency'),
    number('timeoutSeconds', 1_000),
    number('maxKib', 1_024),
  ]
  const [maxAttempts, degradedRatio, degradedMs] = [
    number('maxAttempts'),
    number('degradedRatio', 0.01),
    number('degradedMs'),
  ]
  const [stopRatio, stopFailures, stopMs, closeAfter] = [
    number('stopRatio', 0.01),
    number('stopFailures'),
    number('stopMs'),
    number('closeAfter'),
  ]
  const { ownerId, reference, reviewDueOn, rawRetention } = typed
  return {
    ...(ownerId !== '' &&
      reference.trim() !== '' &&
      reviewDueOn !== '' && { terms: { ownerId, reference, reviewDueOn } }),
    ...(typed.purposes.length > 0 && {
      purposes: typed.purposes.filter((one): one is Purpose => isOneOf(purposes, one)),
    }),
    ...(fields.length > 0 &&
      maxRecords !== undefined && {
        scope: {
          fields,
          provinces: listOf(typed.provinces).flatMap((one) => {
            const code = one.toUpperCase()
            return isOneOf(provinces, code) ? [code] : []
          }),
          maxRecords,
        },
      }),
    ...(perMinute !== undefined && perDay !== undefined && { rate: { perMinute, perDay } }),
    ...(concurrency !== undefined && { concurrency }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(maxBytes !== undefined && { maxBytes }),
    ...(maxAttempts !== undefined && { retry: { maxAttempts } }),
    ...(isOneOf(retentions, rawRetention) && { rawRetention }),
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
    ...(settings !== undefined && { settings: { ...settings } }),
  }
}

type Props = {
  value: TypedContract
  errors: Readonly<Record<string, ReactNode>>
  isBuiltIn: boolean
  isHeld: boolean
  onChange: (part: Partial<TypedContract>) => void
}

/** All items of a contract. A built-in source has only the retention. */
export function ContractFields({ value, errors, isBuiltIn, isHeld, onChange }: Props) {
  const people = usePeopleOptions()
  const retention = (
    <Select
      label="Raw text is stored for"
      placeholder="Not set"
      data={retentions.map((one) => ({ value: one, label: one === 'none' ? 'Not stored' : valueWords(one) }))}
      value={value.rawRetention === '' ? null : value.rawRetention}
      readOnly={isHeld}
      onChange={(rawRetention) => onChange({ rawRetention: rawRetention ?? '' })}
    />
  )
  if (isBuiltIn) return retention
  return (
    <Stack gap="sm">
      <Select
        label="Terms owner"
        placeholder="A member"
        searchable
        clearable
        data={people}
        value={value.ownerId === '' ? null : value.ownerId}
        readOnly={isHeld}
        onChange={(ownerId) => onChange({ ownerId: ownerId ?? '' })}
      />
      <TextInput
        label="Terms reference"
        maxLength={500}
        value={value.reference}
        readOnly={isHeld}
        onChange={(event) => onChange({ reference: event.currentTarget.value })}
      />
      <DayField
        direction="future"
        label="Terms are reviewed by"
        value={value.reviewDueOn === '' ? undefined : value.reviewDueOn}
        onChange={(day) => onChange({ reviewDueOn: day ?? '' })}
      />
      <Checkbox.Group
        label="Purposes"
        value={value.purposes}
        onChange={(chosen) => !isHeld && onChange({ purposes: chosen })}
      >
        <div className={classes.pair}>
          {purposes.map((purpose) => (
            <Checkbox key={purpose} value={purpose} label={valueWords(purpose)} />
          ))}
        </div>
      </Checkbox.Group>
      <TextInput
        label="Fields"
        description="Separated by commas"
        value={value.fields}
        readOnly={isHeld}
        onChange={(event) => onChange({ fields: event.currentTarget.value })}
      />
      <TextInput
        label="Provinces"
        description={`Any of ${provinces.join(', ')}. Leave empty for all.`}
        value={value.provinces}
        readOnly={isHeld}
        onChange={(event) => onChange({ provinces: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        {numbers.map((number) => (
          <NumberField
            key={number.name}
            label={number.label}
            {...rangeOf(number)}
            value={value[number.name]}
            error={errors[number.name]}
            readOnly={isHeld}
            onChange={(next) => onChange({ [number.name]: next })}
          />
        ))}
      </div>
      {retention}
      <Textarea
        label="Settings of the adapter"
        description="A JSON object. Leave empty if the adapter needs none."
        autosize
        minRows={2}
        value={value.settings}
        error={errors.settings}
        readOnly={isHeld}
        onChange={(event) => onChange({ settings: event.currentTarget.value })}
      />
    </Stack>
  )
}
