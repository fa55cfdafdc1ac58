import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, json } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { sessionOf } from '../../../../test/session.ts'
import { JobProgress } from './job-progress.tsx'

const job = {
  id: 'j1',
  progress: { done: 5, total: 40, unit: 'prospects' },
  permitted: { cancel: true },
  cancelRequested: null,
}
const events = {
  items: [
    {
      jobId: 'j1',
      sequence: 1,
      type: 'progress',
      at: '2026-11-26T08:00:00.000Z',
      data: { done: 20, total: 40, unit: 'prospects' },
    },
    { jobId: 'j1', sequence: 2, type: 'succeeded', at: '2026-11-26T08:00:01.000Z', data: {} },
  ],
  nextAfter: 2,
  isOver: true,
  forgotten: null,
}

test('progress follows the events of the job, and a finished job loads the scores again', async () => {
  const { sentTo } = fakeApi({ 'GET /jobs/j1': json(job), 'GET /jobs/j1/events': json(events) })
  await renderInApp(<JobProgress jobId="j1" label="The preview" permission="scoring.write" />, {
    session: sessionOf({ permissions: ['scoring.write'] }),
  })
  await expect
    .element(page.getByText(/^The preview is running/))
    .toMatchTextContent('The preview is running: 20 of 40 prospects.')
  await expect.poll(() => sentTo('GET /jobs/j1').length).toBeGreaterThan(1)
})

test('without the permission for the job, it is not read', async () => {
  const { sentTo } = fakeApi()
  await renderInApp(<JobProgress jobId="j1" label="The preview" permission="scoring.write" />)
  await expect
    .element(page.getByText(/^The preview is running/))
    .toMatchTextContent('The preview is running: waiting to start.')
  expect(sentTo('GET /jobs/j1')).toEqual([])
})
