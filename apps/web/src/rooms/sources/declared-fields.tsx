import { TextInput } from '@mantine/core'
import type { AdapterField } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { ProspectSelect } from '../../ui/prospects/prospect-select.tsx'
import { provinceCodeOf } from '../../ui/text/provinces.ts'
import { type DeclaredValues, declaredValue, optionsOf, provinceOptions } from './declared-values.ts'

type Props = {
  /** Path of the values in the form; errors are found at `<at>.<name>`. */
  at: string
  fields: readonly AdapterField[]
  values: DeclaredValues
  /** Fields of the adapter's answers; empty if they are not known. */
  answerFields: readonly string[]
  errors: Readonly<Record<string, ReactNode>>
  isHeld: boolean
  onChange: (values: DeclaredValues) => void
}

const emptyWords = { all: 'Empty means all.', none: 'Empty means none.', refused: null }

/** Inputs that an adapter declares, in its order. */
export function DeclaredFields({ at, fields, errors, ...props }: Props) {
  return fields.map((field) => (
    <DeclaredField key={field.name} field={field} error={errors[`${at}.${field.name}`]} {...props} />
  ))
}

type FieldProps = Pick<Props, 'values' | 'answerFields' | 'isHeld' | 'onChange'> & {
  field: AdapterField
  error: ReactNode
}

function DeclaredField({ field, values, answerFields, error, isHeld, onChange }: FieldProps) {
  const { name, label } = field
  const set = (value: DeclaredValues[string]) => onChange({ ...values, [name]: value })
  const common = { label, error, readOnly: isHeld }
  const list = { ...common, value: declaredValue.list(values, name), onChange: set }
  const text = declaredValue.text(values, name)
  switch (field.kind) {
    case 'number':
      return (
        <NumberField
          {...common}
          min={field.min}
          max={field.max}
          value={declaredValue.number(values, name)}
          onChange={set}
        />
      )
    case 'list':
      return <ListInput {...list} description={emptyWords[field.empty]} options={field.options ?? []} />
    case 'answer_fields':
      return <ListInput {...list} options={answerFields} />
    case 'provinces':
      return <ProvincesSelect {...list} />
    case 'business':
      return (
        <ProspectSelect
          label={label}
          error={error}
          chosen={text === '' ? null : text}
          choose={(id) => !isHeld && set(id ?? '')}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          data={field.options}
          value={text === '' ? null : text}
          onChange={(value) => set(value ?? '')}
        />
      )
    case 'text':
      return (
        <TextInput
          {...common}
          maxLength={500}
          value={text}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      )
  }
}

type ListProps = ProvincesProps & { description?: string | null; options: readonly string[] }

/** Several values: chosen from the options, or typed if there are none. */
function ListInput({ options, ...props }: ListProps) {
  return options.length === 0 ? <NameTagsInput {...props} /> : <MultiSelect {...props} data={optionsOf(options)} />
}

type ProvincesProps = {
  label: string
  value: string[]
  onChange: (values: string[]) => void
  error: ReactNode
  readOnly: boolean
}

/** Provinces by name, also typed in another language or as a code. */
export function ProvincesSelect(props: ProvincesProps) {
  return (
    <MultiSelect
      {...props}
      description="Empty means all provinces."
      data={provinceOptions}
      readOther={(typed) => provinceCodeOf(typed)}
    />
  )
}
