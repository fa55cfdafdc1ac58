/** Texts about jobs. */
import type { JobEvent, JobSummary } from '@prospect/api-client'
import { progressOf, progressWords } from '../../ui/jobs/job-pace.ts'
import { countWords } from '../../ui/text/count-words.ts'
import { formatNumber } from '../../ui/text/format.ts'

const statusNames: Record<JobSummary['status'], string> = {
  queued: 'Queued',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

export const statusName = (status: JobSummary['status']): string => statusNames[status]

const shortfallNames: Record<NonNullable<JobSummary['shortfall']>['state'], string> = {
  deferred: 'Deferred',
  unavailable: 'Unavailable',
  blocked: 'Blocked',
  incomplete: 'Incomplete',
  unknown: 'Unknown',
  failed: 'No result',
}

/** States what a job that succeeded did not answer, such as “Deferred: budget day”. */
export function shortfallWords({ state, reason }: NonNullable<JobSummary['shortfall']>): string {
  const name = shortfallNames[state]
  return reason === null ? name : `${name}: ${reason.replaceAll('_', ' ')}`
}

/** Formats as 0.4 s, 12 s, 3 min 20 s, 2 h 5 min. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1_000
  if (seconds < 10) return `${formatNumber(seconds)} s`
  if (seconds < 60) return `${Math.floor(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return withRest(minutes, 'min', Math.floor(seconds % 60), 's')
  return withRest(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

function withRest(value: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${value} ${unit}` : `${value} ${unit} ${rest} ${restUnit}`
}

/** Formats remaining time with the limited precision of an estimate. */
export function formatEstimate(ms: number): string {
  if (ms < 10_000) return 'a few seconds left'
  if (ms < 55_000) return `about ${Math.ceil(ms / 10_000) * 10} seconds left`
  const minutes = Math.ceil(ms / 60_000)
  if (minutes < 60) return `about ${countWords(minutes, 'minute', 'minutes')} left`
  const hours = Math.round(minutes / 60)
  return `about ${countWords(hours, 'hour', 'hours')} left`
}

/** Duration of a job so far, or in total; null before it starts. */
export function durationOf(job: Pick<JobSummary, 'startedAt' | 'endedAt'>, now: number): number | null {
  if (job.startedAt === null) return null
  return (job.endedAt === null ? now : Date.parse(job.endedAt)) - Date.parse(job.startedAt)
}

function textIn(data: JobEvent['data'], ...path: string[]): string | undefined {
  let value: unknown = data
  for (const name of path) {
    value = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  }
  return typeof value === 'string' ? value : undefined
}

const eventSentences: Record<JobEvent['type'], (event: JobEvent) => string> = {
  created: ({ data }) => {
    if (data.retryOf === undefined) return 'Queued'
    const because = textIn(data, 'because')
    const attempt = `Queued as attempt ${String(data.attempt)}`
    return because === undefined ? attempt : `${attempt} by the job worker, after ${because.replaceAll('_', ' ')}`
  },
  started: ({ data }) => (Number(data.claim) > 1 ? 'Restarted' : 'Started'),
  progress: (event) => progressIn(event) ?? 'Progress',
  checkpoint: (event) => ['Saved its position', progressIn(event)].filter((word) => word !== undefined).join(': '),
  cancel_requested: () => 'Stop requested',
  handed_back: () => 'Queued again: its worker stopped',
  reclaimed: () => 'Queued again: its worker was lost',
  succeeded: () => 'Succeeded',
  failed: ({ data }) => `Failed: ${textIn(data, 'error', 'message') ?? 'unknown reason'}`,
  cancelled: () => 'Cancelled',
}

function progressIn(event: JobEvent): string | undefined {
  const progress = progressOf(event)
  return progress === null ? undefined : progressWords(progress)
}

export const eventWords = (event: JobEvent): string => eventSentences[event.type](event)

/** A line of the event list. Consecutive progress events share one line, with the newest of them. */
export type EventLine = { event: JobEvent; from: number }

const isSteady = ({ type }: JobEvent) => type === 'progress' || type === 'checkpoint'

export function eventLines(events: readonly JobEvent[]): EventLine[] {
  const lines: EventLine[] = []
  for (const event of events) {
    const last = lines.at(-1)
    if (last !== undefined && isSteady(last.event) && isSteady(event)) last.event = event
    else lines.push({ event, from: event.sequence })
  }
  return lines
}
