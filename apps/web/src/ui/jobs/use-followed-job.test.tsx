import type { JobEvent } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { newestProgress } from './job-pace.ts'
import { useFollowedJob } from './use-followed-job.ts'

const event = (sequence: number, type: JobEvent['type'], data: JobEvent['data'] = {}): JobEvent => ({
  jobId: 'job-1',
  sequence,
  type,
  at: '2026-11-21T08:00:00.000Z',
  data,
})
const answer = (items: JobEvent[], isOver: boolean) =>
  json({ items, nextAfter: items.at(-1)?.sequence ?? 0, isOver, forgotten: null })

const reading = 'GET /jobs/job-1/events'

function Follower({ jobId, onNews }: { jobId: string | null; onNews: () => void }) {
  const { events, state } = useFollowedJob(jobId, onNews)
  return <p>{`${state}: ${newestProgress(events)?.done ?? 'nothing'}`}</p>
}

test('a finished job is read once, with its progress, and `onNews` is called', async () => {
  const progress = event(2, 'progress', { done: 7, total: 9, unit: 'rows' })
  const { sentTo } = fakeApi({ [reading]: answer([event(1, 'created'), progress, event(3, 'succeeded')], true) })
  const onNews = vi.fn()
  await renderInApp(<Follower jobId="job-1" onNews={onNews} />)
  await expect.element(page.getByText('over: 7')).toBeVisible()
  expect(onNews).toHaveBeenCalled()
  expect(sentTo(reading)).toHaveLength(1)
})

test('progress alone does not call `onNews`', async () => {
  fakeApi({ [reading]: answer([event(1, 'progress', { done: 3, total: null, unit: 'rows' })], false) })
  const onNews = vi.fn()
  await renderInApp(<Follower jobId="job-1" onNews={onNews} />)
  await expect.element(page.getByText(/: 3$/)).toBeVisible()
  expect(onNews).not.toHaveBeenCalled()
})

test('without a job nothing is read', async () => {
  const { sent } = fakeApi({})
  await renderInApp(<Follower jobId={null} onNews={() => {}} />)
  await expect.element(page.getByText('connecting: nothing')).toBeVisible()
  expect(sent).toEqual([])
})
