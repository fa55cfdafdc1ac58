import type { Business, Pipeline, PipelineState } from '@prospect/api-client'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi, heldAnswer, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { RecordPageContext } from '../../ui/rooms/record-page.ts'
import { moveForm, PipelineTab } from './pipeline-tab.tsx'

const business = {
  id: 'b1',
  name: 'Karoo Solar',
  pipelineState: 'lost',
  stateBeforePause: null,
  status: 'active',
  doNotContact: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: { kind: 'system' as const, name: 'sample data' },
}
const states: PipelineState[] = ['lost', 'negotiation', 'won']
const moving = 'POST /businesses/b1/pipeline-transitions'

function Tab({ shown }: { shown: Partial<Business> }) {
  const [starts, setStarts] = useState<ReadonlyMap<string, unknown>>(new Map([[moveForm.id, 'negotiation']]))
  const setStart = (form: string, start: unknown) => setStarts((before) => new Map(before).set(form, start))
  return (
    <RecordPageContext
      value={{ page: { actions: [], openTab: () => {}, openForm: () => {}, openDialog: () => {} }, starts, setStart }}
    >
      <PipelineTab business={shown as Business} />
      <button type="button" onClick={() => setStart(moveForm.id, 'won')}>
        Mark as won from the header
      </button>
    </RecordPageContext>
  )
}

test('a successful move closes its own form and keeps the form of another move open', async () => {
  const { answer, send } = heldAnswer()
  const pipeline: Pipeline = {
    version: 1,
    states: states.map((state) => ({
      state,
      kind: state === 'negotiation' ? 'open' : 'closed',
      enabled: true,
      count: 0,
    })),
    transitions: [
      { from: 'lost', to: 'negotiation', reasonRequired: true },
      { from: 'lost', to: 'won', reasonRequired: true },
    ],
    configuration: { pausedEnabled: false, disqualifiedEnabled: false },
    asOf: '2026-11-25T10:00:00.000Z',
  }
  fakeApi({
    'GET /pipeline': json(pipeline),
    'GET /businesses/b1/pipeline-transitions': json({
      items: [],
      page: { limit: 50, returned: 0, nextCursor: null, total: null },
    }),
    [moving]: answer,
  })
  await renderInApp(<Tab shown={business as Partial<Business>} />, {
    session: sessionOf({ permissions: ['pipeline.move'] }),
  })
  await page.getByRole('textbox').fill('They came back')
  await page.getByRole('button', { name: /negotiation/i }).click()
  await page.getByRole('button', { name: 'Mark as won from the header' }).click()
  await expect.element(page.getByRole('textbox')).toHaveValue('')
  send(json({ business: { ...business, pipelineState: 'negotiation' }, transition: null }))
  await expect.element(page.getByText(/already/)).toBeVisible()
  await expect.element(page.getByRole('textbox')).not.toHaveAttribute('readonly')
  await expect.element(page.getByRole('textbox')).toBeVisible()
})
