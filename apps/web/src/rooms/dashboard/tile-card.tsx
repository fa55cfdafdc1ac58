import { ActionIcon, Button, Menu } from '@mantine/core'
import type { Tile } from '@prospect/api-client'
import { IconDots } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { sentenceOf } from '../../ui/api/api-problem.ts'
import { DayColumns } from '../../ui/lists/day-columns.tsx'
import { FixedTable, ZeroRowsButton } from '../../ui/lists/fixed-table.tsx'
import { localSentence } from '../../ui/text/api-sentence.ts'
import { isDay } from '../../ui/text/day.ts'
import { nameText } from '../../ui/text/name-text.ts'
import classes from './dashboard.module.css'
import { tileQuery } from './dashboard.queries.ts'
import { useTileDrag } from './tile-drag.ts'
import { TileLink } from './tile-link.tsx'
import { partWords, valueWords } from './tile-words.ts'

type Props = {
  /** Tile in the response of the dashboard: with its title, and its number if a stored counter has it. */
  first: Tile
  at: number
  isFirst: boolean
  isLast: boolean
  move: (by: -1 | 1) => void
  /** Puts a tile that was dragged at the place of the tile onto which it was dropped. */
  drop: (key: string, onto: string) => void
  hide: () => void
  /** null for a built-in tile, which can only be hidden. */
  remove: (() => void) | null
}

/** A number with its label and link to its list. Without a number it shows the reason and never 0. */
export function TileCard({ first, at, isFirst, isLast, move, drop, hide, remove }: Props) {
  const query = useQuery(tileQuery(first, at))
  const tile = query.data ?? first
  const id = useId()
  const title = nameText(tile.title)
  const retry = () => void query.refetch()
  const drag = useTileDrag(first.key, drop)
  const [showsZero, setShowsZero] = useState(false)
  return (
    <section
      ref={drag.tile}
      className={classes.tile}
      style={{ gridRowEnd: `span ${spanOf(tile, showsZero)}`, opacity: drag.isMarked ? 0.5 : 1 }}
      aria-labelledby={id}
    >
      <header ref={drag.handle}>
        <h2 id={id}>{title}</h2>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={24} aria-label={`Arrange: ${title}`}>
              <IconDots size={15} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {!isFirst && <Menu.Item onClick={() => move(-1)}>Move tile earlier</Menu.Item>}
            {!isLast && <Menu.Item onClick={() => move(1)}>Move tile later</Menu.Item>}
            <Menu.Item onClick={hide}>Hide tile</Menu.Item>
            {remove !== null && <Menu.Item onClick={remove}>Remove tile</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      </header>
      <div role="status">
        {query.isError && query.data === undefined ? (
          <Unread reason={sentenceOf(query.error)} retry={retry} isRetrying={query.isFetching} remove={remove} />
        ) : (
          <Content {...{ tile, title, retry, remove, showsZero, setShowsZero }} isRetrying={query.isFetching} />
        )}
      </div>
      <footer>{tile.counts}</footer>
    </section>
  )
}

type Folding = { showsZero: boolean; setShowsZero: (showsZero: boolean) => void }
type ContentProps = Pick<Props, 'remove'> &
  Folding & { tile: Tile; title: string; retry: () => void; isRetrying: boolean }

function Content({ tile, title, showsZero, setShowsZero, ...failed }: ContentProps): ReactNode {
  const { status, reason, link, parts } = tile
  const words = valueWords(tile)
  if (status === 'pending') return <p className={classes.soft}>Counting</p>
  if (status === 'not_allowed') return <p className={classes.soft}>{reason}</p>
  if (status === 'failed' || words === null)
    return <Unread reason={reason ?? 'This number could not be counted.'} {...failed} />
  return (
    <>
      <p className={classes.value}>
        <TileLink link={link} label={`${title}: ${words}. Open the list`}>
          {words}
        </TileLink>
      </p>
      {status === 'stale' && <p className={classes.stale}>{localSentence(reason ?? 'Not up to date.')}</p>}
      {status !== 'stale' && reason !== null && <p className={classes.soft}>{localSentence(reason)}</p>}
      {parts.length > 0 &&
        (parts.some(({ label }) => isDay(label)) ? (
          <Days title={title} parts={parts} />
        ) : (
          <Parts title={title} parts={parts} showsZero={showsZero} setShowsZero={setShowsZero} />
        ))}
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

type Part = Tile['parts'][number]
const isCounted = ({ value, isAtLeast }: Part) => value > 0 || isAtLeast
const isZero = (part: Part) => !isCounted(part)

/** Rows of the grid that a tile takes: each part, the button for those that are folded, and a reason take one. */
function spanOf({ parts, reason }: Tile, showsZero: boolean): number {
  if (parts.some(({ label }) => isDay(label))) return CHART_SPAN
  const shown = showsZero ? parts.length : parts.filter(isCounted).length
  return BARE_SPAN + shown + (parts.some(isZero) ? 1 : 0) + (reason === null ? 0 : 1)
}
const BARE_SPAN = 4
const CHART_SPAN = 9
const mostOf = (parts: readonly Part[]) => Math.max(1, ...parts.map(({ value }) => value))

/** Table of the parts of a tile, with a bar below each number. Parts of which there are none are folded. */
function Parts({ title, parts, showsZero, setShowsZero }: Folding & { title: string; parts: Tile['parts'] }) {
  const most = mostOf(parts)
  const zero = parts.filter(isZero).length
  return (
    <>
      <FixedTable look="bare" className={classes.parts}>
        <caption className="pp-visually-hidden">{title}</caption>
        <tbody>
          {parts
            .filter((part) => showsZero || isCounted(part))
            .map((part) => {
              const label = nameText(part.label)
              return (
                <tr key={part.key}>
                  <th scope="row">{label}</th>
                  <td data-number>
                    <TileLink link={part.link} label={`${label}: ${partWords(part)}. Open the list`}>
                      {partWords(part)}
                    </TileLink>
                  </td>
                  <td aria-hidden className={classes.track}>
                    <span className={classes.bar} style={{ width: `${(part.value / most) * 100}%` }} />
                  </td>
                </tr>
              )
            })}
        </tbody>
      </FixedTable>
      {zero > 0 && <ZeroRowsButton count={zero} isShown={showsZero} setShown={setShowsZero} />}
    </>
  )
}

/** A column for each day, which opens the list of that day. */
function Days({ title, parts }: { title: string; parts: Tile['parts'] }) {
  const columns = parts.map((part) => ({
    key: part.key,
    day: part.label,
    value: part.value,
    words: partWords(part),
    link: part.link,
  }))
  return (
    <DayColumns
      title={title}
      columns={columns}
      wrap={({ link, words }, label, content) => (
        <TileLink link={link} label={`${label}: ${words}. Open the list`}>
          {content}
        </TileLink>
      )}
    />
  )
}
