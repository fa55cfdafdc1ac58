import { Button, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { SourceAdapter } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { choiceProps, Select } from '../../ui/fields/select.tsx'
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
import { usualLimits } from './usual-limits.ts'

/** The form as the fields of a contract use it. */
type ContractForm = Pick<UseFormReturnType<TypedContract>, 'getInputProps'>

type Props = {
  form: ContractForm
  values: TypedContract
  /** The adapter of the source, if it is loaded. */
  adapter: SourceAdapter | undefined
  isBuiltIn: boolean
  set: (changes: Partial<TypedContract>) => void
  /** Fields of the first step that are no part of the contract. */
  about?: ReactNode
}

/** All items of a contract in three steps: what is requested, under which terms, within which limits. A built-in source has only the retention. */
export function ContractFields({ form, values, adapter, isBuiltIn, set, about }: Props) {
  const people = usePeopleOptions()
  const retention = (
    <Select
      label="Raw text is stored for"
      placeholder="Not set"
      data={retentions.map((one) => ({ value: one, label: retentionName(one) }))}
      {...choiceProps(form.getInputProps('rawRetention'))}
    />
  )
  if (isBuiltIn) return retention
  return (
    <Stack gap="md">
      <Step title="1. What">
        {about}
        <MultiSelect label="Purposes" data={purposeOptionsFor(adapter)} {...form.getInputProps('purposes')} />
        <AnswerFields form={form} adapter={adapter} />
        <ProvincesSelect label="Provinces" {...form.getInputProps('provinces')} />
        <Settings form={form} values={values} adapter={adapter} />
      </Step>
      <Step title="2. Terms">
        <Select
          label="Terms owner"
          placeholder="A member"
          searchable
          clearable
          data={people}
          {...choiceProps(form.getInputProps('ownerId'))}
        />
        <TextInput label="Terms reference" maxLength={500} {...form.getInputProps('reference')} />
        <TypedTime
          of="day"
          direction="future"
          label="Terms are reviewed by"
          description="This day is included."
          {...form.getInputProps('reviewDueOn')}
        />
        {retention}
      </Step>
      <Step title="3. Limits">
        <UsualLimits values={values} set={set} />
        <div className={classes.pair}>
          {numbers.map((number) => (
            <NumberField
              key={number.name}
              label={number.label}
              {...rangeOf(number)}
              {...form.getInputProps(number.name)}
            />
          ))}
        </div>
      </Step>
    </Stack>
  )
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      <Stack gap="sm">{children}</Stack>
    </fieldset>
  )
}

/** Button that fills the blank limits with those that are usual for the purpose. Values that were typed stay. */
function UsualLimits({ values, set }: Pick<Props, 'values' | 'set'>) {
  const usual = usualLimits(values)
  return (
    <div className={classes.actions}>
      <Button variant="default" size="xs" disabled={usual === null} onClick={() => usual !== null && set(usual.limits)}>
        Fill in usual limits
      </Button>
      <span className={classes.meta}>
        {usual === null
          ? 'First choose a purpose.'
          : `The limits are usual for ${usual.purpose}. Fields that have a value do not change.`}
      </span>
    </div>
  )
}

type PartProps = Pick<Props, 'form' | 'values' | 'adapter'>

/** Fields of answers: chosen from those of a loaded adapter, otherwise typed. */
function AnswerFields({ form, adapter }: Omit<PartProps, 'values'>) {
  const common = { label: 'Fields', ...form.getInputProps('fields') }
  if (adapter === undefined)
    return (
      <NameTagsInput
        {...common}
        description="The connector is not installed, so its fields are not known yet. The fields are checked before the approval."
      />
    )
  return (
    <MultiSelect {...common} description={requiredFieldsWords(adapter)} data={optionsOf(answerFieldsOf(adapter))} />
  )
}

/** Settings: the inputs of a loaded adapter, otherwise a JSON object. */
function Settings({ form, values, adapter }: PartProps) {
  if (adapter !== undefined && hasSettingInputs(values)) {
    if (adapter.settings.length === 0) return null
    return (
      <fieldset className={classes.group}>
        <legend>Settings of the connector</legend>
        <Stack gap="sm">
          <DeclaredFields
            at="settingValues"
            fields={adapter.settings}
            answerFields={answerFieldsOf(adapter)}
            form={form}
          />
        </Stack>
      </fieldset>
    )
  }
  return (
    <Textarea
      label="Settings of the connector"
      description="A JSON object. Leave empty if the connector needs no settings."
      autosize
      minRows={2}
      {...form.getInputProps('settings')}
    />
  )
}
