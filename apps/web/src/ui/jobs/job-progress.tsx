import { Progress as Bar } from '@mantine/core'
import { type Progress, progressWords } from './job-pace.ts'
import classes from './job-progress.module.css'

type Props = { progress: Progress; isRunning: boolean; title: string }

/** Progress of a job: a bar if the total is known, text only otherwise. */
export function JobProgress({ progress, isRunning, title }: Props) {
  const { done, total } = progress
  const share = total === null || total === 0 ? null : Math.min(100, (done / total) * 100)
  return (
    <span className={classes.progress}>
      {share !== null && (
        <Bar.Root size={6} className={classes.bar ?? ''}>
          <Bar.Section
            value={share}
            aria-label={`Progress of ${title}`}
            aria-valuetext={progressWords(progress)}
            {...(isRunning ? {} : { color: 'gray' })}
          />
        </Bar.Root>
      )}
      <span className="pp-figures">{progressWords(progress)}</span>
    </span>
  )
}
