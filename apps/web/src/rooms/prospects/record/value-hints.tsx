import { Button } from '@mantine/core'
import type { TypedValue, UnreadableValue } from '@prospect/api-client'
import { IconBan } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../../../ui/api/session.ts'
import { countWords } from '../../../ui/text/count-words.ts'
import { formatNumber, phoneText } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import type { IdentifierList, IdentifierRow } from './prospect-form.ts'
import { duplicatesQuery, suppressedQuery } from './record.queries.ts'
import classes from './record-form.module.css'
import { unreadableWords } from './unreadable-words.ts'

/*
 * Messages of the server about one typed email, phone or web domain. The form sends no request while a person types. It shows no message before the
 * response, because the value may be valid and free.
 */

type Checked = {
  list: IdentifierList
  row: Pick<IdentifierRow, 'value' | 'region'>
  /** False while the value is typed. */
  isChecked: boolean
}
type CheckedBelow = Checked & {
  /** The rows above, with which the value is compared. */
  above: readonly Pick<IdentifierRow, 'value' | 'region'>[]
}

const kinds = { emails: 'email', phones: 'phone', domains: 'domain' } as const
const nouns = {
  emails: { one: 'email address', many: 'email addresses' },
  phones: { one: 'number', many: 'numbers' },
  domains: { one: 'web domain', many: 'web domains' },
} as const
/** Maximum length of a value that the checks accept. */
const longestValue = 320
/** Maximum number of rows above that are sent; the check accepts twenty values of a kind. */
const mostAbove = 19

const canAsk = ({ row: { value }, isChecked }: Checked): boolean =>
  isChecked && value.trim() !== '' && value.length <= longestValue

/** What the server says about a value: how it was read, and why it could not be read. */
function useCheckedValue(checked: CheckedBelow): { value?: TypedValue; unreadable?: UnreadableValue } {
  const { list, row, above } = checked
  const rows = [
    ...above.filter(({ value }) => canAsk({ ...checked, row: { value, region: '' } })).slice(-mostAbove),
    row,
  ]
  const check =
    list === 'phones'
      ? { phones: rows.map(({ value, region }) => ({ value, ...(region === '' ? {} : { region }) })) }
      : { [list]: rows.map(({ value }) => value) }
  const { data } = useQuery({ ...duplicatesQuery(check), enabled: canAsk(checked) })
  if (!checked.isChecked || data === undefined) return {}
  const value = data.values.at(-1)
  const unreadable = data.unreadable.find((one) => one.value === row.value)
  return { ...(value !== undefined && { value }), ...(unreadable !== undefined && { unreadable }) }
}

/** Message if the server cannot read the value, does not store it, or knows that it repeats one above. */
export function ReadAs(checked: CheckedBelow) {
  const { value, unreadable } = useCheckedValue(checked)
  if (value === undefined || value.parts.length > 0) return null
  if (value.leftEmpty)
    return (
      <>
        “<Name of={value.value} />” is not stored: this field is left empty.
      </>
    )
  if (value.sameAs !== null) return <>The same {nouns[checked.list].one} as above.</>
  return unreadable === undefined ? null : unreadableWords(unreadable)
}

type SeveralProps = CheckedBelow & { split: (parts: TypedValue['parts']) => void }

/** Offers to split a row with several values. Unsplit they are stored as one value, which finds no duplicates. It is never done automatically. */
export function Several({ split, ...checked }: SeveralProps) {
  const { parts = [] } = useCheckedValue(checked).value ?? {}
  return (
    <div role="status" className={classes.several}>
      {parts.length > 0 && (
        <>
          These look like {formatNumber(parts.length)} {nouns[checked.list].many}.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => split(parts)}>
            Split into {countWords(parts.length, 'row', 'rows')}
          </Button>
        </>
      )}
    </div>
  )
}

/** Message if the value is on the do-not-contact list. It does not prevent saving: the record is then do not contact at once. */
export function Suppressed(checked: Checked) {
  const { list, row } = checked
  const { value, region } = row
  const mayAsk = useCan('suppression.read')
  const asked = { kind: kinds[list], value, ...(list === 'phones' && region !== '' && { region }) }
  const { data } = useQuery({ ...suppressedQuery({ values: [asked] }), enabled: mayAsk && canAsk(checked) })
  const [found] = data?.items ?? []
  if (!checked.isChecked || found?.suppressed !== true) return null
  const [entry] = found.suppressions
  return (
    <span className={classes.suppressed}>
      <IconBan size={14} aria-hidden />
      <span>
        On the{' '}
        {entry === undefined ? (
          'do-not-contact list'
        ) : (
          <Link to="/suppression/$suppressionId" params={{ suppressionId: entry.id }} target="_blank">
            do-not-contact list
          </Link>
        )}
        . If you save this value, the prospect is marked do not contact.
      </span>
    </span>
  )
}

type OnlyProps = CheckedBelow & { take: (value: string) => void }

/** Offers the only value in a text with other text beside it, such as a row that was copied from a spreadsheet. It is never done automatically. */
export function OnlyValue({ take, ...checked }: OnlyProps) {
  const { value, unreadable } = useCheckedValue(checked)
  const contains = value?.parts.length === 0 ? (unreadable?.contains ?? null) : null
  return (
    <div role="status" className={classes.several}>
      {contains !== null && (
        <>
          Only <Name of={phoneText(contains)} /> can be used here.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => take(contains)}>
            Use only this
          </Button>
        </>
      )}
    </div>
  )
}
