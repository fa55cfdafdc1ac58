import type { AuditEvent } from '@prospect/api-client'
import { IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { assigneesQuery } from '../../ui/prospects/assignees.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './audit.module.css'
import { type Difference, differencesOf, type Shown, splitTechnicalNumbers } from './audit-words.ts'
import { useSubjectLabel } from './use-subject-label.ts'

/** Values before and after by field. An absent value is left out instead of being shown as an empty box. */
export function Differences({ event }: { event: Pick<AuditEvent, 'subject' | 'before' | 'after'> }) {
  const differences = splitTechnicalNumbers(differencesOf(event, useSubjectLabel())).told
  if (differences.length === 0) return null
  return (
    <dl className={classes.differences}>
      {differences.map((difference) => (
        <div key={difference.path}>
          <dt>{difference.label}</dt>
          <dd>
            <Change difference={difference} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Change({ difference: { before, after } }: { difference: Difference }) {
  if (before.kind === 'absent') return <Value shown={after} />
  if (after.kind === 'absent') {
    return (
      <>
        <del>
          <Value shown={before} />
        </del>{' '}
        <span className={classes.gone}>removed</span>
      </>
    )
  }
  return (
    <>
      <del>
        <Value shown={before} />
      </del>{' '}
      <IconArrowRight size={13} aria-label="became" className={classes.arrow} />{' '}
      <ins>
        <Value shown={after} />
      </ins>
    </>
  )
}

function PersonName({ id }: { id: string }) {
  const { data = [] } = useQuery(assigneesQuery)
  return <Name of={data.find((person) => person.id === id)?.name ?? 'a former member'} />
}

function Value({ shown }: { shown: Shown }) {
  if (shown.kind === 'absent') return null
  if (shown.kind === 'time') return <DateTime at={shown.at} as="dateTime" />
  if (shown.kind === 'person') return <PersonName id={shown.id} />
  return shown.lines.map(nameText).join(', ')
}
