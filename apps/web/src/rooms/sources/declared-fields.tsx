import { TextInput } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { AdapterField } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { MultiSelect } from '../../ui/fields/multi-select.tsx'
import { NameTagsInput } from '../../ui/fields/name-tags-input.tsx'
import { NumberField } from '../../ui/fields/number-field.tsx'
import { choiceProps, Select } from '../../ui/fields/select.tsx'
import { ProspectSelect } from '../../ui/prospects/prospect-select.tsx'
import { provinceCodeOf } from '../../ui/text/provinces.ts'
import { asList, asNumber, asText, type DeclaredValue, optionsOf, provinceOptions } from './declared-values.ts'

type Props = {
  /** Path of the values in the form; the value and the error of a field are at `<at>.<name>`. */
  at: string
  fields: readonly AdapterField[]
  /** Fields of the adapter's answers; empty if they are not known. */
  answerFields: readonly string[]
  form: { getInputProps: (path: string) => GetInputPropsReturnType }
}

const emptyWords = { all: 'Leave empty for all.', none: 'Leave empty for none.', refused: null }

/** Inputs that an adapter declares, in its order. */
export function DeclaredFields({ at, fields, answerFields, form }: Props) {
  return fields.map((field) => (
    <DeclaredField
      key={field.name}
      field={field}
      answerFields={answerFields}
      input={form.getInputProps(`${at}.${field.name}`)}
    />
  ))
}

type FieldProps = Pick<Props, 'answerFields'> & { field: AdapterField; input: GetInputPropsReturnType }

function DeclaredField({ field, answerFields, input }: FieldProps) {
  const { label } = field
  const value: DeclaredValue | undefined = input.value
  const list = { label, ...input, value: asList(value) }
  const text = asText(value)
  switch (field.kind) {
    case 'number':
      return <NumberField label={label} min={field.min} max={field.max} {...input} value={asNumber(value)} />
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
          error={input.error}
          chosen={text === '' ? null : text}
          choose={(id) => input.onChange(id ?? '')}
        />
      )
    case 'choice':
      return <Select label={label} data={field.options} {...choiceProps(input)} />
    case 'text':
      return <TextInput label={label} maxLength={500} {...input} value={text} />
  }
}

type ListProps = ProvincesProps & { description?: string | null; options: readonly string[] }

/** Several values: chosen from the options, or typed if there are none. */
function ListInput({ options, ...props }: ListProps) {
  return options.length === 0 ? <NameTagsInput {...props} /> : <MultiSelect {...props} data={optionsOf(options)} />
}

type ProvincesProps = {
  label: string
  value?: string[]
  onChange: (values: string[]) => void
  error?: ReactNode
  readOnly?: boolean
}

/** Provinces by name, also typed in another language or as a code. */
export function ProvincesSelect(props: ProvincesProps) {
  return (
    <MultiSelect
      {...props}
      description="Leave empty for all provinces."
      data={provinceOptions}
      readOther={(typed) => provinceCodeOf(typed)}
    />
  )
}
