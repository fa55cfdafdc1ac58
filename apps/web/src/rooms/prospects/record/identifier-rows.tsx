import { ActionIcon, Button, TextInput } from '@mantine/core'
import type { TypedValue } from '@prospect/api-client'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useSession } from '../../../ui/api/session.ts'
import { CountrySelect } from '../../../ui/fields/country-select.tsx'
import type { ProspectForm } from './prospect-form.ts'
import { emptyRow, type IdentifierList, type IdentifierRow } from './prospect-form.ts'
import classes from './record-form.module.css'
import { OnlyValue, ReadAs, Several, Suppressed } from './value-hints.tsx'

/**
 * Order of the parts of an input. The description is below the input. It is rendered even when empty, because screen readers announce changes only
 * in a live region that already exists.
 */
const below: ('input' | 'description' | 'error')[] = ['input', 'description', 'error']

type Words = { legend: string; one: string; add: string; placeholder: string; labelPlaceholder: string }

const words: Record<IdentifierList, Words> = {
  emails: {
    legend: 'Emails',
    one: 'Email',
    add: 'Add email',
    placeholder: 'name@business.co.za',
    labelPlaceholder: 'Label: owner, accounts …',
  },
  phones: {
    legend: 'Phones',
    one: 'Phone',
    add: 'Add phone',
    placeholder: '021 555 0101',
    labelPlaceholder: 'Label: office, mobile …',
  },
  domains: {
    legend: 'Web domains',
    one: 'Web domain',
    add: 'Add web domain',
    placeholder: 'business.co.za',
    labelPlaceholder: 'Label: shop, old site …',
  },
}

type Props = {
  form: ProspectForm
  list: IdentifierList
  /** True if values that nobody typed here are checked too: those of a CSV row or of a restored draft. Values of a stored record are not. */
  checksAll: boolean
}

/**
 * Inputs for several values of one kind, each with a label. There is always at least one row. Tab skips the controls that are not needed yet: label
 * and country of a blank row, "add" while the last row is blank, and "remove" of a single row, whose text can be deleted.
 */
export function IdentifierRows({ form, list, checksAll }: Props) {
  const { legend, one, add, placeholder, labelPlaceholder } = words[list]
  const rows = form.values[list]
  const group = useRef<HTMLFieldSetElement>(null)
  const { country } = useSession().tenant
  // A row without a number shows the tenant's country, which is stored when a number is typed.
  const regionOf = ({ value, region }: IdentifierRow) => (value === '' && region === '' ? country : region)
  /** Value of each row at its last blur. A value is checked only while it equals this one. */
  const [leftValues, setLeftValues] = useState<Readonly<Record<string, string>>>({})
  /** Key of the row that is being typed. */
  const [typed, setTyped] = useState<string | null>(null)
  /** A row that is being typed is not compared yet. */
  const above = (index: number) => rows.slice(0, index).filter(({ key, value }) => key !== typed && value.trim() !== '')
  const isLeft = ({ key, value }: IdentifierRow) => key !== typed && (checksAll || leftValues[key] === value)

  // Focuses a row after the rows have been rendered, so that the keyboard focus is not lost.
  const focusRow = (index: number) =>
    requestAnimationFrame(() => group.current?.querySelectorAll<HTMLElement>('[data-value]')[index]?.focus())

  const remove = (index: number) => {
    if (rows.length === 1) form.setFieldValue(list, [emptyRow()])
    else form.removeListItem(list, index)
    focusRow(Math.max(0, index - 1))
  }

  /** Puts each value in a row of its own, with the label and country of the row that contained all of them, and the words beside the value. */
  const split = (index: number, row: IdentifierRow, parts: TypedValue['parts']) => {
    const divided = parts.map(({ value, words: beside }, place) => ({
      ...(place === 0 ? row : { ...emptyRow(), region: row.region }),
      value,
      label: [row.label, beside].filter((text) => text !== '').join(' '),
    }))
    form.setFieldValue(list, rows.toSpliced(index, 1, ...divided))
    setLeftValues((before) => ({ ...before, ...Object.fromEntries(divided.map(({ key, value }) => [key, value])) }))
    focusRow(index + parts.length - 1)
  }

  return (
    <fieldset ref={group} className={classes.group}>
      <legend>{legend}</legend>
      {rows.map((row, index) => (
        <div key={row.key} className={classes.row} data-list={list}>
          <TextInput
            data-value
            aria-label={rows.length === 1 ? one : `${one} ${index + 1}`}
            placeholder={placeholder}
            inputMode={list === 'emails' ? 'email' : list === 'phones' ? 'tel' : 'url'}
            autoComplete="off"
            spellCheck={false}
            className={classes.value}
            inputWrapperOrder={below}
            description={
              <>
                <ReadAs list={list} row={row} above={above(index)} isChecked={isLeft(row)} />
                <Suppressed list={list} row={row} isChecked={isLeft(row)} />
              </>
            }
            descriptionProps={{ role: 'status', className: classes.unreadable }}
            {...form.getInputProps(`${list}.${index}.value`)}
            onBlur={() => {
              setTyped(null)
              setLeftValues((before) => ({ ...before, [row.key]: row.value }))
            }}
            onChange={(event) => {
              // A pasted value is complete, so it is checked at once.
              const { value } = event.currentTarget
              const isPasted = (event.nativeEvent as InputEvent).inputType === 'insertFromPaste'
              setTyped(isPasted ? null : row.key)
              if (isPasted) setLeftValues((before) => ({ ...before, [row.key]: value }))
              if (list === 'phones' && row.value === '') form.setFieldValue(`${list}.${index}.region`, regionOf(row))
              form.setFieldValue(`${list}.${index}.value`, value)
            }}
          />
          {list === 'phones' && (
            <CountrySelect
              aria-label={`Country of phone ${index + 1}`}
              placeholder="Country"
              clearable={row.value !== ''}
              clearButtonProps={{ tabIndex: tabIndexOf(row) }}
              tabIndex={tabIndexOf(row)}
              className={classes.region}
              {...form.getInputProps(`${list}.${index}.region`)}
              value={regionOf(row) === '' ? null : regionOf(row)}
              onChange={(region) => form.setFieldValue(`${list}.${index}.region`, region ?? '')}
            />
          )}
          <TextInput
            aria-label={`Label of ${one.toLowerCase()} ${index + 1}`}
            placeholder={labelPlaceholder}
            autoComplete="off"
            className={classes.label}
            tabIndex={tabIndexOf(row)}
            {...form.getInputProps(`${list}.${index}.label`)}
          />
          {(rows.length > 1 || row.value !== '' || row.label !== '') && (
            <ActionIcon
              size={36}
              aria-label={`Remove ${one.toLowerCase()} ${index + 1}`}
              tabIndex={rows.length > 1 ? 0 : -1}
              onClick={() => remove(index)}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
          <OnlyValue
            list={list}
            row={row}
            above={above(index)}
            isChecked={isLeft(row)}
            take={(value) => {
              form.setFieldValue(`${list}.${index}.value`, value)
              setLeftValues((before) => ({ ...before, [row.key]: value }))
              focusRow(index)
            }}
          />
          <Several
            list={list}
            row={row}
            above={above(index)}
            isChecked={isLeft(row)}
            split={(parts) => split(index, row, parts)}
          />
        </div>
      ))}
      {list === 'phones' && <p className={classes.hint}>Choose a country so we can match this number.</p>}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        tabIndex={tabIndexOf(rows.at(-1))}
        onClick={() => {
          form.insertListItem(list, emptyRow())
          focusRow(rows.length)
        }}
      >
        {add}
      </Button>
    </fieldset>
  )
}

/** Returns the tabIndex of the controls of a row. */
function tabIndexOf(row: IdentifierRow | undefined): 0 | -1 {
  return row === undefined || (row.value === '' && row.label === '') ? -1 : 0
}
