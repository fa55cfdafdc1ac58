import { Button } from '@mantine/core'
import type { Dashboard } from '@prospect/api-client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { useCan } from '../../ui/api/session.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Empty, NoPermission } from '../../ui/layout/states.tsx'
import { RecordBody } from '../../ui/lists/record-body.tsx'
import classes from './dashboard.module.css'
import { arrange, dashboardQuery, movedTile } from './dashboard.queries.ts'
import { TileCard } from './tile-card.tsx'
import { tileNames } from './tile-words.ts'

/** Numbers about the user's work. Each tile loads, fails and retries on its own. */
export function DashboardScreen() {
  const canRead = useCan('dashboard.read')
  const dashboard = useQuery({ ...dashboardQuery, enabled: canRead })
  if (!canRead) return <NoPermission isPage what="the dashboard" />
  return (
    <Page title="Dashboard" lead="Click a number to open its list.">
      <RecordBody record={dashboard} what="the dashboard" lines={10} isPage={false}>
        {(loaded) => <Tiles dashboard={loaded} at={dashboard.dataUpdatedAt} />}
      </RecordBody>
    </Page>
  )
}

function Tiles({ dashboard, at }: { dashboard: Dashboard; at: number }) {
  const queryClient = useQueryClient()
  const { arrangement, tiles } = dashboard
  const change = useMutation({
    meta: { isTold: true },
    mutationFn: (next: Dashboard['arrangement']['tiles']) => arrange(queryClient, arrangement.version, next),
  })
  const arranged = arrangement.tiles
  const hidden = arranged.filter(({ isHidden }) => isHidden)
  const set = (key: string, isHidden: boolean) =>
    change.mutate(arranged.map((tile) => (tile.key === key ? { key, isHidden } : tile)))
  return (
    <>
      {change.isError && (
        <p role="alert" className="pp-refusal">
          {isProblem(change.error, 'version_conflict')
            ? 'The dashboard was changed in another window. It is up to date now: try again.'
            : sentenceOf(change.error)}
        </p>
      )}
      {tiles.length === 0 && <Empty title="All tiles are hidden">Show one of them again below.</Empty>}
      <div className={classes.tiles}>
        {tiles.map((tile, index) => (
          <TileCard
            key={tile.key}
            first={tile}
            at={at}
            isFirst={index === 0}
            isLast={index === tiles.length - 1}
            move={(by) => change.mutate(movedTile(arranged, tile.key, by))}
            hide={() => set(tile.key, true)}
            remove={
              tile.key.startsWith('filter:')
                ? () => change.mutate(arranged.filter(({ key }) => key !== tile.key))
                : null
            }
          />
        ))}
      </div>
      {hidden.length > 0 && (
        <section aria-labelledby="hidden-tiles">
          <h2 id="hidden-tiles" className={classes.part}>
            Hidden tiles
          </h2>
          <div className={classes.hidden}>
            {hidden.map(({ key }) => (
              <Button key={key} variant="default" size="compact-sm" onClick={() => set(key, false)}>
                Show {tileNames[key] ?? 'the tile of a saved filter'}
              </Button>
            ))}
          </div>
        </section>
      )}
    </>
  )
}
