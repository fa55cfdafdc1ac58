import { useParams } from '@tanstack/react-router'
import { RecordView } from '../record/record-view.tsx'

export function ProspectsScreen() {
  const { businessId } = useParams({ strict: false })
  return businessId === undefined ? <p>Prospects</p> : <RecordView businessId={businessId} variant="page" />
}
