import { useDebouncedValue } from '@mantine/hooks'
import type { PossibleDuplicate } from '@prospect/api-client'
import { IconCopyCheck } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { DoNotContactMark } from '../../../ui/prospects/do-not-contact-mark.tsx'
import { PipelineBadge } from '../../../ui/prospects/pipeline-badge.tsx'
import { countWords } from '../../../ui/text/count-words.ts'
import { phoneText } from '../../../ui/text/format.ts'
import { Name } from '../../../ui/text/name.tsx'
import type { IdentifierRow, ProspectFormValues } from './prospect-form.ts'
import { type DuplicateCheck, duplicatesQuery } from './record.queries.ts'
import classes from './record-form.module.css'

const debounceMs = 400
/** Maximum number of values of each kind that the check accepts; a form rarely has more. */
const mostOfAKind = 20
const longestName = 200

const typed = (rows: IdentifierRow[]) => rows.filter((row) => row.value.trim().length > 3).slice(0, mostOfAKind)

function checkOf(values: ProspectFormValues): DuplicateCheck {
  const name = (values.name.trim() || values.tradingName).trim()
  return {
    // A longer name is refused by the server, and its field shows the reason.
    ...(name.length > 0 && name.length <= longestName ? { name } : {}),
    emails: typed(values.emails).map((row) => row.value),
    phones: typed(values.phones).map(({ value, region }) => ({ value, ...(region === '' ? {} : { region }) })),
    domains: typed(values.domains).map((row) => row.value),
  }
}

const kinds = { email: 'e-mail', phone: 'phone', domain: 'web domain' }

const matchWords = ({ matches }: PossibleDuplicate) =>
  // The name itself is shown above this text.
  matches.map(({ kind, value }) => (kind === 'name' ? 'name' : `${kinds[kind]} ${phoneText(value)}`)).join(', ')

type Props = {
  values: ProspectFormValues
  /** id of the record that is being edited, which is not a duplicate of itself */
  except?: string
  /** true while the form is being saved; the check is then disabled, because it could find the saved record itself */
  isHeld?: boolean
}

/** Hint about records that already contain the typed name or an identifier. It never prevents saving. */
export function DuplicateHint({ values, except, isHeld = false }: Props) {
  const [key] = useDebouncedValue(JSON.stringify(checkOf(values)), debounceMs)
  const check: DuplicateCheck = JSON.parse(key)
  const hasSomething = Object.values(check).some(({ length }) => length > 0)
  const { data } = useQuery({
    ...duplicatesQuery(check),
    enabled: hasSomething && !isHeld,
    placeholderData: keepPreviousData,
  })
  const found = data?.items.filter(({ id }) => id !== except) ?? []
  return (
    <div role="status">
      {hasSomething && found.length > 0 && <DuplicateList found={found} isNew={except === undefined} />}
    </div>
  )
}

function DuplicateList({ found, isNew }: { found: PossibleDuplicate[]; isNew: boolean }) {
  return (
    <section className={classes.duplicates} aria-labelledby="possible-duplicates">
      <h2 id="possible-duplicates">
        <IconCopyCheck size={16} aria-hidden />
        {countWords(found.length, 'possible duplicate', 'possible duplicates')}
      </h2>
      <ul>
        {found.map((duplicate) => (
          <li key={duplicate.id}>
            <div className={classes.duplicateHead}>
              <Link to="/prospects/$businessId" params={{ businessId: duplicate.id }} target="_blank">
                <Name of={duplicate.name} />
              </Link>
              <PipelineBadge state={duplicate.pipelineState} />
              {duplicate.doNotContact && <DoNotContactMark />}
            </div>
            <p>Same {matchWords(duplicate)}</p>
          </li>
        ))}
      </ul>
      <p>You can still {isNew ? 'create the record' : 'save'}. Records open in a new tab.</p>
    </section>
  )
}
