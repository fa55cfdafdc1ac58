import { useQuery } from '@tanstack/react-query'
import { ExportsScreen } from '../../rooms/exports/exports-screen.tsx'
import { useSession } from '../../ui/api/session.ts'
import { useScoreBands } from '../../ui/prospects/active-scoring.ts'
import { assigneesQuery } from '../../ui/prospects/assignees.ts'
import { exportSentence } from './export-sentence.ts'

/** The exports, each described like the list that it was created from. */
export function ExportsDesk() {
  const { timeZone } = useSession().tenant
  const { data: people = [] } = useQuery(assigneesQuery)
  const bands = useScoreBands()
  return <ExportsScreen sentenceOf={(made) => exportSentence(made, { people, bands, timeZone })} />
}
