import type { RecordParts, RecordTab } from '../../ui/rooms/record-parts.ts'
import { rooms } from '../rooms.ts'

/** The record parts of all rooms, in the order of the rooms; tabs of daily work come first, by their position. */
export async function loadRecordParts(): Promise<Required<RecordParts>> {
  const loaded = await Promise.all(
    rooms.flatMap(({ recordParts }) => (recordParts === undefined ? [] : [recordParts()])),
  )
  const parts = loaded.map((one) => one.recordParts)
  return {
    tabs: parts.flatMap(({ tabs = [] }) => tabs).toSorted((a, b) => rank(a) - rank(b)),
    tabParts: parts.flatMap(({ tabParts = [] }) => tabParts),
    modes: parts.flatMap(({ modes = [] }) => modes),
    actions: parts.flatMap(({ actions = [] }) => actions),
    dialogs: parts.flatMap(({ dialogs = [] }) => dialogs),
    notices: parts.flatMap(({ notices = [] }) => notices),
    blockNotices: parts.flatMap(({ blockNotices = [] }) => blockNotices),
  }
}

const rank = ({ position = Number.MAX_SAFE_INTEGER }: RecordTab): number => position
