import type { RegistryRound } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ActionButton } from '../../ui/actions/action-button.tsx'
import { type Action, useActions } from '../../ui/actions/actions.ts'
import { useDialog } from '../../ui/dialogs/use-dialog.tsx'
import { Empty } from '../../ui/layout/states.tsx'
import cells from '../../ui/lists/cells.module.css'
import { ListScreen } from '../../ui/lists/list-screen.tsx'
import type { DataColumn } from '../../ui/lists/table/table-types.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { formatNumber } from '../../ui/text/format.ts'
import { Name } from '../../ui/text/name.tsx'
import { StatusMark } from '../../ui/text/status-mark.tsx'
import { Cleaning } from './cleaning-line.tsx'
import { roundPages, stateQuery } from './registry.queries.ts'
import { scopeWords, stateMarks } from './registry-words.ts'
import { StartRoundDialog } from './start-round-dialog.tsx'

const columns: readonly DataColumn<RegistryRound>[] = [
  {
    id: 'round',
    label: 'Round',
    width: 22,
    isFixed: true,
    isGrowing: true,
    render: (round) => (
      <>
        <Link to="/suppression/registry/$roundId" params={{ roundId: round.id }} className={cells.name}>
          Round of <DateTime at={round.createdAt} as="dateTime" />
        </Link>
        <span className={cells.under}>{scopeWords(round)}</span>
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    width: 14,
    render: ({ state }) => <StatusMark {...stateMarks[state]} />,
  },
  {
    id: 'values',
    label: 'Values',
    width: 12,
    render: ({ counts }) =>
      counts !== null && (
        <>
          {formatNumber(counts.values)}
          <span className={cells.under}>{formatNumber(counts.leftOut)} left out, blocked already</span>
        </>
      ),
  },
  {
    id: 'blocked',
    label: 'Blocked',
    width: 12,
    render: ({ outcome }) =>
      outcome !== null && (
        <>
          {formatNumber(outcome.added)}
          <span className={cells.under}>{countWords(outcome.marked, 'prospect', 'prospects')} marked</span>
        </>
      ),
  },
  {
    id: 'started',
    label: 'Started by',
    width: 12,
    narrow: 'wide',
    render: ({ createdBy }) => <Name of={createdBy.name} />,
  },
]

export function RoundsScreen() {
  const state = useQuery(stateQuery)
  const starting = useDialog()
  const openRound = state.data?.openRound ?? null
  const start: Action = {
    id: 'registry.start',
    label: 'Start a registry round',
    shortLabel: 'Start round',
    group: 'Do-not-contact list',
    Icon: IconPlus,
    keywords: 'opt out registry clean compare',
    permission: 'registry.manage',
    unavailable: openRound === null ? false : 'Another round is open. Close or cancel it first.',
    asksMore: true,
    run: () => starting.open(),
  }
  useActions('screen', [start])
  return (
    <ListScreen
      name="registry-rounds"
      nouns={{ one: 'round', many: 'rounds' }}
      title="Registry rounds"
      label="Registry rounds"
      what="the registry rounds"
      lead={
        <>
          <p>
            A round compares the contact values of the workspace with an opt-out registry. You carry the file to the
            registry and its answer back. Nothing is sent from here.
          </p>
          {state.data !== undefined && (
            <p>
              <Cleaning state={state.data} />
            </p>
          )}
        </>
      }
      actions={<ActionButton action={start} iconSize={16} />}
      isWrapped
      columns={columns}
      pages={roundPages}
      clear={null}
      empty={
        <Empty title="No rounds yet">
          Start one to write a file of the contact values, without names and without values that are blocked already.
        </Empty>
      }
    >
      {starting.slot((_, dialog) => (
        <StartRoundDialog {...dialog} />
      ))}
    </ListScreen>
  )
}
