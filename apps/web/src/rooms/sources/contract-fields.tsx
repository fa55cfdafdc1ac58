import { Stack, Textarea, TextInput } from '@mantine/core'
import type { SourceAdapter } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TypedTime } from '../../ui/fields/typed-time.tsx'
import { usePeopleOptions } from '../../ui/prospects/assignees.ts'
import {
  answerFieldsOf,
  hasSettingInputs,
  numbers,
  purposeOptionsFor,
  rangeOf,
  retentions,
  type TypedContract,
} from './contract-values.ts'
import { requiredFieldsWords, retentionName } from './contract-words.ts'
import { DeclaredFields, ProvincesSelect } from './declared-fields.tsx'
import { optionsOf } from './declared-values.ts'
import classes from './sources.module.css'

type Props = {
  value: TypedContract
  errors: Readonly<Record<string, ReactNode>>
  /** The adapter of the source, if it is loaded. */
  adapter: SourceAdapter | undefined
  isBuiltIn: boolean
  isHeld: boolean
  onChange: (part: Partial<TypedContract>) => void
}

/** All items of a contract. A built-in source has only the retention. */
export function ContractFields({ value, errors, adapter, isBuiltIn, isHeld, onChange }: Props) {
  const people = usePeopleOptions()
  const retention = (
    <Select
      label="Raw text is stored for"
      placeholder="Not set"
      data={retentions.map((one) => ({ value: one, label: retentionName(one) }))}
      value={value.rawRetention === '' ? null : value.rawRetention}
      error={errors.rawRetention}
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
        error={errors.ownerId}
        readOnly={isHeld}
        onChange={(ownerId) => onChange({ ownerId: ownerId ?? '' })}
      />
      <TextInput
        label="Terms reference"
        maxLength={500}
        value={value.reference}
        error={errors.reference}
        readOnly={isHeld}
        onChange={(event) => onChange({ reference: event.currentTarget.value })}
      />
      <TypedTime
        of="day"
        direction="future"
        label="Terms are reviewed by"
        description="This day is included."
        value={value.reviewDueOn}
        error={errors.reviewDueOn}
        readOnly={isHeld}
        onChange={(reviewDueOn) => onChange({ reviewDueOn })}
      />
      <MultiSelect
        label="Purposes"
        data={purposeOptionsFor(adapter)}
        value={value.purposes}
        error={errors.purposes}
        readOnly={isHeld}
        onChange={(purposes) => onChange({ purposes })}
      />
      <AnswerFields {...{ value, errors, adapter, isHeld, onChange }} />
      <ProvincesSelect
        label="Provinces"
        value={value.provinces}
        error={errors.provinces}
        readOnly={isHeld}
        onChange={(provinces) => onChange({ provinces })}
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
      <Settings {...{ value, errors, adapter, isHeld, onChange }} />
    </Stack>
  )
}

type PartProps = Omit<Props, 'isBuiltIn'>

/** Fields of answers: chosen from those of a loaded adapter, otherwise typed. */
function AnswerFields({ value, errors, adapter, isHeld, onChange }: PartProps) {
  const common = {
    label: 'Fields',
    value: value.fields,
    error: errors.fields,
    readOnly: isHeld,
    onChange: (fields: string[]) => onChange({ fields }),
  }
  if (adapter === undefined)
    return (
      <NameTagsInput
        {...common}
        description="The connector is not installed, so its fields are not known yet. They are checked before the approval."
      />
    )
  return (
    <MultiSelect {...common} description={requiredFieldsWords(adapter)} data={optionsOf(answerFieldsOf(adapter))} />
  )
}

/** Settings: the inputs of a loaded adapter, otherwise a JSON object. */
function Settings({ value, errors, adapter, isHeld, onChange }: PartProps) {
  if (adapter !== undefined && hasSettingInputs(value)) {
    if (adapter.settings.length === 0) return null
    return (
      <fieldset className={classes.group}>
        <legend>Settings of the connector</legend>
        <Stack gap="sm">
          <DeclaredFields
            at="settingValues"
            fields={adapter.settings}
            values={value.settingValues}
            answerFields={answerFieldsOf(adapter)}
            errors={errors}
            isHeld={isHeld}
            onChange={(settingValues) => onChange({ settingValues })}
          />
        </Stack>
      </fieldset>
    )
  }
  return (
    <Textarea
      label="Settings of the connector"
      description="A JSON object. Leave empty if the connector needs none."
      autosize
      minRows={2}
      value={value.settings}
      error={errors.settings}
      readOnly={isHeld}
      onChange={(event) => onChange({ settings: event.currentTarget.value })}
    />
  )
}
