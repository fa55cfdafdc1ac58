import { ActionIcon, Button, Menu } from '@mantine/core'
import type { Tile } from '@prospect/api-client'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { FixedTable } from '../../ui/lists/fixed-table.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { DateTime } from '../../ui/text/date-time.tsx'
import { isDay } from '../../ui/text/day.ts'
import { formatDay } from '../../ui/text/format.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './dashboard.module.css'
import { tileQuery } from './dashboard.queries.ts'
import { TileLink } from './tile-link.tsx'
import { partWords, valueWords } from './tile-words.ts'

type Props = {
  /** Tile in the response of the dashboard: with its title, and its number if a stored counter has it. */
  first: Tile
  at: number
  isFirst: boolean
  isLast: boolean
  move: (by: -1 | 1) => void
  hide: () => void
  /** null for a built-in tile, which can only be hidden. */
  remove: (() => void) | null
}

/** A number with its label, time and link to its list. Without a number it shows the reason and never 0. */
export function TileCard({ first, at, isFirst, isLast, move, hide, remove }: Props) {
  const query = useQuery(tileQuery(first, at))
  const tile = query.data ?? first
  const id = useId()
  const title = nameText(tile.title)
  const retry = () => void query.refetch()
  return (
    <section className={classes.tile} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Arrange: ${title}`}>
              <IconDots size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!isFirst && <Menu.Item onClick={() => move(-1)}>Move it earlier</Menu.Item>}
            {!isLast && <Menu.Item onClick={() => move(1)}>Move it later</Menu.Item>}
            <Menu.Item onClick={hide}>Hide it</Menu.Item>
            {remove !== null && <Menu.Item onClick={remove}>Remove it</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      </header>
      <div role="status">
        {query.isError && query.data === undefined ? (
          <Unread reason={sentenceOf(query.error)} retry={retry} isRetrying={query.isFetching} remove={remove} />
        ) : (
          <Content tile={tile} title={title} retry={retry} isRetrying={query.isFetching} remove={remove} />
        )}
      </div>
      <footer>
        {tile.counts}
        {tile.asOf !== null && (
          <>
            , as of <DateTime at={tile.asOf} as="dateTime" />
          </>
        )}
      </footer>
    </section>
  )
}

type ContentProps = Pick<Props, 'remove'> & { tile: Tile; title: string; retry: () => void; isRetrying: boolean }

function Content({ tile, title, ...failed }: ContentProps): ReactNode {
  const { status, reason, link, parts } = tile
  const words = valueWords(tile)
  if (status === 'pending') return <p className={classes.soft}>Counting</p>
  if (status === 'not_allowed') return <p className={classes.soft}>{reason}</p>
  if (status === 'failed' || words === null)
    return <Unread reason={reason ?? 'This could not be counted.'} {...failed} />
  return (
    <>
      <p className={classes.value}>
        <TileLink link={link} label={`${title}: ${words}. Open the list`}>
          {words}
        </TileLink>
      </p>
      {status === 'stale' && <p className={classes.stale}>{localSentence(reason ?? 'Not up to date.')}</p>}
      {parts.length > 0 && <Parts title={title} parts={parts} />}
    </>
  )
}

type UnreadProps = Pick<Props, 'remove'> & { reason: string; retry: () => void; isRetrying: boolean }

function Unread({ reason, retry, isRetrying, remove }: UnreadProps) {
  return (
    <>
      <p className={classes.failed}>{reason}</p>
      <span className={classes.buttons}>
        <Button variant="default" size="compact-sm" loading={isRetrying} onClick={retry}>
          Try again
        </Button>
        {remove !== null && (
          <Button variant="default" size="compact-sm" onClick={remove}>
            Remove the tile
          </Button>
        )}
      </span>
    </>
  )
}

/** Table of the parts of a tile, with a bar beside each number. */
function Parts({ title, parts }: { title: string; parts: Tile['parts'] }) {
  const most = Math.max(1, ...parts.map(({ value }) => value))
  return (
    <FixedTable look="bare" className={classes.parts}>
      <caption className="pp-visually-hidden">{title}</caption>
      <tbody>
        {parts.map((part) => {
          const label = isDay(part.label) ? formatDay(part.label) : nameText(part.label)
          return (
            <tr key={part.key}>
              <th scope="row">{label}</th>
              <td aria-hidden>
                <span className={classes.bar} style={{ width: `${(part.value / most) * 100}%` }} />
              </td>
              <td data-number>
                <TileLink link={part.link} label={`${label}: ${partWords(part)}. Open the list`}>
                  {partWords(part)}
                </TileLink>
              </td>
            </tr>
          )
        })}
      </tbody>
    </FixedTable>
  )
}
