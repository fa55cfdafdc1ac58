import { Button } from '@mantine/core'
import { cancelJob, type Scan } from '@prospect/api-client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { isUnderWay, refreshScanning } from './scanning.queries.ts'

/** Button that cancels a queued or running scan through its job. Facts already read are kept. */
export function CancelScan({ scan }: { scan: Scan }) {
  const queryClient = useQueryClient()
  const { jobId } = scan
  const cancel = useMutation({
    meta: { notDone: 'Cancel the scan' },
    mutationFn: (id: string) => dataOf(cancelJob({ path: { jobId: id }, body: {} })),
    onSuccess: () => refreshScanning(queryClient),
  })
  const canCancel = useCan('jobs.cancel')
  if (!canCancel || jobId === null || !isUnderWay(scan)) return null
  if (cancel.isSuccess) return <span role="status">Cancellation is requested.</span>
  return (
    <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(jobId)}>
      Cancel the scan
    </Button>
  )
}
