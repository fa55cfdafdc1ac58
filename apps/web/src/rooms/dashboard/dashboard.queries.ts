import { type Arrangement, arrangeDashboard, type Tile } from '@prospect/api-client'
import { getDashboardOptions, getTileOptions } from '@prospect/api-client/query'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ifMatch } from '../../ui/api/client.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { answersAbout } from '../../ui/api/query-keys.ts'

export const dashboardQuery = getDashboardOptions()

/** Interval at which a tile is read again while scores wait. Scoring them writes no change that the dashboard is notified of. */
const STALE_MS = 5_000

/** Query of one tile. `first` is the tile in the response of the dashboard, which is used unless it is pending. */
export const tileQuery = (first: Tile, at: number) =>
  queryOptions({
    ...getTileOptions({ path: { key: first.key } }),
    ...(first.status !== 'pending' && { initialData: first, initialDataUpdatedAt: at }),
    refetchInterval: ({ state }) => (state.data?.status === 'stale' ? STALE_MS : false),
  })

type Arranged = Arrangement['tiles']

export async function arrange(queryClient: QueryClient, version: number, tiles: Arranged): Promise<void> {
  try {
    await dataOf(arrangeDashboard({ body: { tiles }, ...ifMatch(version) }))
  } finally {
    await queryClient.invalidateQueries({ queryKey: answersAbout('dashboard') })
  }
}

/** Puts a tile at the place of another one; those in between move by one. */
export function droppedTile(tiles: Arranged, key: string, onto: string): Arranged {
  const [from, to] = [key, onto].map((one) => tiles.findIndex((tile) => tile.key === one))
  const moved = tiles[from ?? -1]
  if (moved === undefined || to === undefined || to < 0) return tiles
  return tiles.filter((tile) => tile !== moved).toSpliced(to, 0, moved)
}

/** Moves a tile by one position among the visible ones. */
export function movedTile(tiles: Arranged, key: string, by: -1 | 1): Arranged {
  const shown = tiles.filter((tile) => !tile.isHidden)
  const from = shown.findIndex((tile) => tile.key === key)
  const target = shown[from + by]
  const moved = tiles.find((tile) => tile.key === key)
  if (target === undefined || moved === undefined) return tiles
  const others = tiles.filter((tile) => tile.key !== key)
  return others.toSpliced(others.indexOf(target) + (by === 1 ? 1 : 0), 0, moved)
}
