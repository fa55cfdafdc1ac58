import { useQuery } from '@tanstack/react-query'
import { ExportsScreen } from '../../rooms/exports/exports-screen.tsx'
import { useSession } from '../../ui/api/session.ts'
import { assigneesQuery } from '../../ui/prospects/assignees.ts'
import { exportSentence } from './export-sentence.ts'

/** The exports, each described like the list that it was created from. */
export function ExportsDesk() {
  const { tenant } = useSession()
  const { data = [] } = useQuery(assigneesQuery)
  return <ExportsScreen sentenceOf={(made) => exportSentence(made, data, tenant.timeZone)} />
}
