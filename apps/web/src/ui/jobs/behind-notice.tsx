import { listBackgroundWorkOptions } from '@prospect/api-client/query'
import { useQuery } from '@tanstack/react-query'
import { countWords } from '../text/count-words.ts'
import { DateTime } from '../text/date-time.tsx'

const ASK_EVERY_MS = 60_000

type Props = {
  /** Name of the background work in the API. */
  of: 'matching' | 'domains' | 'drafts' | 'review'
}

/** Notice above a list that is derived from changes, while it lacks the newest of them. Renders nothing if it follows them within moments. */
export function BehindNotice({ of }: Props) {
  const { data } = useQuery({ ...listBackgroundWorkOptions(), refetchInterval: ASK_EVERY_MS })
  const behind = data?.items.find(({ name }) => name === of)
  if (behind === undefined) return null
  return (
    <p role="status">
      This list is not up to date. These changes are not included yet: {countWords(behind.changes, 'change', 'changes')}{' '}
      since <DateTime at={behind.since} as="dateTime" />.
    </p>
  )
}
