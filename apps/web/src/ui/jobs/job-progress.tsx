import { Progress as Bar } from '@mantine/core'
import { type Progress, progressWords } from './job-pace.ts'
import classes from './job-progress.module.css'

type Props = { progress: Progress; isRunning: boolean; title: string }

/** How far it is: a bar where the end is known, words alone where it is not. */
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
