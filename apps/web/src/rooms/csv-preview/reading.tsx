import { Alert, Button, Progress } from '@mantine/core'
import type { CsvPreviewReading, CsvPreviewState } from '@prospect/api-client'
import { cancelJob } from '@prospect/api-client'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isProblem, sentenceOf } from '../../ui/api/api-problem.ts'
import { dataOf } from '../../ui/api/data-of.ts'
import { useCan } from '../../ui/api/session.ts'
import { csvPreviewQuery } from './csv.queries.ts'
import classes from './csv-preview.module.css'
import { updatePreview } from './current-preview.ts'
import { readingWords } from './reading-words.ts'

/** Progress of a job that reads a large file. The user may leave the page meanwhile. */
export function Reading({ preview, readAgain }: { preview: CsvPreviewReading; readAgain: () => void }) {
  const canStop = useCan('jobs.cancel')
  const previewQuery = useQuery(csvPreviewQuery(preview.id))
  const stop = useMutation({
    meta: { notDone: 'Stop reading file' },
    mutationFn: (jobId: string) => dataOf(cancelJob({ path: { jobId }, body: {} })),
    onSettled: () => void previewQuery.refetch(),
  })
  const state: CsvPreviewState = previewQuery.data ?? preview
  useEffect(() => {
    if (state.status !== 'reading') updatePreview(state)
  }, [state])

  if (previewQuery.isError && isProblem(previewQuery.error, 'not_found')) {
    return (
      <NotReadable readAgain={readAgain}>
        The uploaded file has expired, or the server restarted. The file is still in your browser, so you can read it
        again.
      </NotReadable>
    )
  }
  if (state.status !== 'reading') return null
  const { jobId } = state
  const { share, words } = readingWords(state)
  return (
    <section aria-label="Reading" className={classes.progress}>
      <Progress value={share * 100} aria-label="Reading progress" transitionDuration={200} />
      <p role="status">{words}</p>
      {previewQuery.isError && (
        <p className="pp-quiet">Could not load the progress: {sentenceOf(previewQuery.error)}</p>
      )}
      <p className="pp-quiet">You can leave this page and come back. Reading continues.</p>
      {canStop && jobId !== null && (
        <Button variant="default" size="xs" loading={stop.isPending} onClick={() => stop.mutate(jobId)}>
          Stop reading
        </Button>
      )}
      {stop.isError && <p role="alert">{sentenceOf(stop.error)}</p>}
    </section>
  )
}

export function NotReadable({
  children,
  readAgain,
}: {
  children: React.ReactNode
  readAgain?: (() => void) | undefined
}) {
  return (
    <Alert color="red" variant="outline" title="Could not read the file" className={classes.alert}>
      {children}
      {readAgain !== undefined && (
        <div>
          <Button variant="default" mt="xs" onClick={readAgain}>
            {' '}
            Read again
          </Button>
        </div>
      )}
    </Alert>
  )
}
