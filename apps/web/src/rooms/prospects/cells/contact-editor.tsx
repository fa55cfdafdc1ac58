import { ActionIcon, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { Business } from '@prospect/api-client'
import { IconTrash } from '@tabler/icons-react'
import { useSession } from '../../../ui/api/session.ts'
import { CountrySelect } from '../../../ui/fields/country-select.tsx'
import { type EditorStep, InlineEditor } from '../../../ui/fields/inline-editor.tsx'
import { inputLimits } from '../../../ui/forms/input-limits.ts'
import { nameText } from '../../../ui/text/name-text.ts'
import {
  emptyRow,
  type IdentifierList,
  type IdentifierRow,
  missingLabelValue,
  valuesFrom,
} from '../record/prospect-form.ts'
import { Suppressed } from '../record/value-hints.tsx'
import classes from './contact-editor.module.css'
import { type ContactFieldName, contactField } from './edited-fields.ts'
import { useSaveEdit } from './use-save-edit.tsx'

type Props = { business: Business; field: ContactFieldName; close: (step: EditorStep) => void }

/** Pause in typing after which a value is checked. */
const TYPING_MS = 400

const isSame = (a: IdentifierRow, b: IdentifierRow) =>
  a.value === b.value && a.label === b.label && a.region === b.region

/** The editor of one email, phone or web domain: value, label, the country of a phone, and removal. An emptied value is removed too. */
export function ContactEditor({ business, field, close }: Props) {
  const save = useSaveEdit(business)
  const { country } = useSession().tenant
  const { list, label, read, write } = contactField(field, country)
  const initial = read(valuesFrom(business))
  const isNew = initial.value === ''
  const name = `${label} of ${nameText(business.name)}`
  return (
    <InlineEditor
      label={name}
      initial={initial}
      isSame={isSame}
      problemOf={(row) => (isNew ? missingLabelValue(row) : null)}
      save={(row) => save(label, (values) => write(values, row), row.value.trim() === '' ? 'removed' : 'saved')}
      close={close}
    >
      {({ value: row, onChange, choose, isSaving, hasFailed }) => (
        <>
          <div className={classes.row}>
            <TextInput
              size="xs"
              data-autofocus
              aria-label={name}
              className={classes.value}
              value={row.value}
              onChange={(event) => onChange({ ...row, value: event.currentTarget.value })}
              maxLength={inputLimits.suppressedValue}
              inputMode={list === 'emails' ? 'email' : list === 'phones' ? 'tel' : 'url'}
              autoComplete="off"
              spellCheck={false}
              readOnly={isSaving}
              error={hasFailed}
            />
            {list === 'phones' && (
              <CountrySelect
                size="xs"
                aria-label={`Country of ${name}`}
                placeholder="Country"
                clearable
                className={classes.more}
                value={row.region === '' ? null : row.region}
                onChange={(region) => onChange({ ...row, region: region ?? '' })}
                readOnly={isSaving}
              />
            )}
            <TextInput
              size="xs"
              aria-label={`Label of ${name}`}
              placeholder="Label"
              className={classes.more}
              value={row.label}
              onChange={(event) => onChange({ ...row, label: event.currentTarget.value })}
              maxLength={inputLimits.contactLabel}
              autoComplete="off"
              readOnly={isSaving}
            />
            {!isNew && (
              <ActionIcon
                size={30}
                aria-label={`Remove ${name}`}
                onClick={() => choose({ ...emptyRow(), key: row.key })}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </div>
          <TypedValueHint list={list} row={row} initial={initial} />
        </>
      )}
    </InlineEditor>
  )
}

type HintProps = { list: IdentifierList; row: IdentifierRow; initial: IdentifierRow }

/** Says that the typed value is on the do-not-contact list, once the person pauses: the editor saves when it loses the focus. */
function TypedValueHint({ list, row, initial }: HintProps) {
  const { value, region } = row
  const [settled] = useDebouncedValue(value, TYPING_MS)
  const isChanged = value !== initial.value || region !== initial.region
  return (
    <div role="status">
      <Suppressed list={list} row={row} isChecked={isChanged && settled === value} />
    </div>
  )
}
