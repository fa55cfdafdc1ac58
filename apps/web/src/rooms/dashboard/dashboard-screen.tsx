import { Button, Menu } from '@mantine/core'
import type { Dashboard } from '@prospect/api-client'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import { DateTime } from '../../ui/text/date-time.tsx'
import classes from './dashboard.module.css'
import { arrange, dashboardQuery, droppedTile, movedTile, tileQuery } from './dashboard.queries.ts'
import { TileCard } from './tile-card.tsx'
import { tileNames } from './tile-words.ts'

/** Numbers about the user's work. Each tile loads, fails and retries on its own. */
export function DashboardScreen() {
  const canRead = useCan('dashboard.read')
  const dashboard = useQuery({ ...dashboardQuery, enabled: canRead })
  if (!canRead) return <NoPermission isPage what="the dashboard" />
  const { data } = dashboard
  return (
    <Page
      title="Dashboard"
      lead={
        <>
          Click a number to open its list.
          {data !== undefined && <AsOf tiles={data.tiles} at={dashboard.dataUpdatedAt} />}
        </>
      }
      actions={data !== undefined && <AddTile arrangement={data.arrangement} />}
    >
      <RecordBody record={dashboard} what="the dashboard" lines={10} isPage={false}>
        {(loaded) => <Tiles dashboard={loaded} at={dashboard.dataUpdatedAt} />}
      </RecordBody>
    </Page>
  )
}

/** Time of the oldest number on the page: all others were counted later. */
function AsOf({ tiles, at }: { tiles: Dashboard['tiles']; at: number }) {
  const asOf = useQueries({
    queries: tiles.map((tile) => tileQuery(tile, at)),
    combine: (read) => read.flatMap(({ data }) => data?.asOf ?? []).toSorted()[0],
  })
  if (asOf === undefined) return null
  return (
    <>
      {' '}
      As of <DateTime at={asOf} as="dateTime" />.
    </>
  )
}

type Arranged = Dashboard['arrangement']['tiles']

function useArrange(version: number) {
  const queryClient = useQueryClient()
  return useMutation({
    meta: { isTold: true },
    mutationKey: ['arrange'],
    mutationFn: (next: Arranged) => arrange(queryClient, version, next),
  })
}

/** Menu of the tiles that are not shown: hidden ones, and those that the product gained since the person arranged the dashboard. */
function AddTile({ arrangement: { tiles, version } }: Pick<Dashboard, 'arrangement'>) {
  const change = useArrange(version)
  const hidden = tiles.filter(({ isHidden }) => isHidden).map(({ key }) => key)
  const unknown = Object.keys(tileNames).filter((key) => tiles.every((tile) => tile.key !== key))
  const add = (key: string) => change.mutate([...tiles.filter((tile) => tile.key !== key), { key, isHidden: false }])
  return (
    <>
      {change.isError && <Refused error={change.error} />}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" leftSection={<IconPlus size={15} />} loading={change.isPending}>
            Add tile
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {[...hidden, ...unknown].map((key) => (
            <Menu.Item key={key} onClick={() => add(key)}>
              {tileNames[key] ?? 'A saved filter'}
            </Menu.Item>
          ))}
          <Menu.Item component={Link} to="/review/filters">
            Number of a saved filter…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

function Refused({ error }: { error: Error }) {
  return (
    <p role="alert" className="pp-refusal">
      {isProblem(error, 'version_conflict')
        ? 'The dashboard was changed in another window. You now see the changed dashboard. Try again.'
        : sentenceOf(error)}
    </p>
  )
}

function Tiles({ dashboard, at }: { dashboard: Dashboard; at: number }) {
  const { arrangement, tiles } = dashboard
  const change = useArrange(arrangement.version)
  // A tile that was moved stands at its new place before the answer.
  const arranged = change.isPending ? change.variables : arrangement.tiles
  const shown = arranged.flatMap(({ key, isHidden }) => (isHidden ? [] : tiles.filter((tile) => tile.key === key)))
  return (
    <>
      {change.isError && <Refused error={change.error} />}
      {shown.length === 0 && <Empty title="All tiles are hidden">Add a tile to see its numbers again.</Empty>}
      <div className={classes.tiles}>
        {shown.map((tile, index) => (
          <TileCard
            key={tile.key}
            first={tile}
            at={at}
            isFirst={index === 0}
            isLast={index === shown.length - 1}
            move={(by) => change.mutate(movedTile(arranged, tile.key, by))}
            drop={(key, onto) => change.mutate(droppedTile(arranged, key, onto))}
            hide={() => change.mutate(arranged.map((one) => (one.key === tile.key ? { ...one, isHidden: true } : one)))}
            remove={
              tile.key.startsWith('filter:')
                ? () => change.mutate(arranged.filter(({ key }) => key !== tile.key))
                : null
            }
          />
        ))}
      </div>
    </>
  )
}
