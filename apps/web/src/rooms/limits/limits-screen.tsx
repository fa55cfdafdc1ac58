import type { Limit } from '@prospect/api-client'
import { listLimitsOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { NotLoaded } from '../../ui/layout/not-loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { sentenceCase } from '../../ui/text/sentence-case.ts'
import classes from './limits.module.css'

/** Share of a limit from which it is shown as nearly full. */
const NEARLY_FULL = 0.8

/** Limits of the workspace and of the signed-in person, with their use. */
export function LimitsScreen() {
  // The use changes with every request, so an earlier answer is not shown as the current one.
  const limits = useQuery({ ...listLimitsOptions(), staleTime: 0 })
  return (
    <Page
      width="text"
      title="Limits and use"
      lead="How much you and this workspace may store, open or do in a day, and how much is used. When you reach a limit, the app tells you what to do."
    >
      {limits.data === undefined && <NotLoaded read={limits} what="the limits" lines={10} />}
      {limits.data && (
        <>
          <LimitTable title="Workspace" limits={limits.data.items.filter(({ of }) => of === 'tenant')} />
          <LimitTable title="You" limits={limits.data.items.filter(({ of }) => of === 'person')} />
          <p className={classes.asOf}>
            Counted <DateTime at={limits.data.asOf} />.
          </p>
        </>
      )}
    </Page>
  )
}

function LimitTable({ title, limits }: { title: string; limits: readonly Limit[] }) {
  return (
    <FixedTable look="stacked" className={classes.table} aria-label={`Limits: ${title}`}>
      <caption>{title}</caption>
      <thead>
        <tr>
          <th scope="col">Limit</th>
          <th scope="col">Use</th>
          <th scope="col">At the limit</th>
        </tr>
      </thead>
      <tbody>
        {limits.toSorted(byShare).map((limit) => (
          <tr key={limit.name}>
            <td>
              {sentenceCase(limit.label)}
              {limit.per === 'day' && ', per day'}
              <code className={classes.name}>{limit.name}</code>
            </td>
            <td>
              <Use {...limit} />
            </td>
            <td>{localSentence(limit.sentence)}</td>
          </tr>
        ))}
      </tbody>
    </FixedTable>
  )
}

const shareOf = ({ used, max }: Limit): number => (max === 0 ? 1 : used / max)

/** The fullest first, then by name, so that a person sees at once what is nearly full. */
function byShare(one: Limit, other: Limit): number {
  return shareOf(other) - shareOf(one) || one.label.localeCompare(other.label)
}

function Use(limit: Limit) {
  const { used, max, unit } = limit
  const share = shareOf(limit)
  const state = share >= 1 ? 'full' : share >= NEARLY_FULL ? 'nearly full' : undefined
  return (
    <span className={classes.use} data-state={state}>
      <span className="pp-figures">
        {amount(used, unit)} of {amount(max, unit)}
      </span>
      {state !== undefined && <strong>{sentenceCase(state)}</strong>}
    </span>
  )
}

const BYTES_OF_A_MB = 1_000_000

function amount(value: number, unit: Limit['unit']): string {
  return unit === 'bytes' ? `${formatNumber(value / BYTES_OF_A_MB)} MB` : formatNumber(value)
}
