import type { ExtractionReadiness } from '@prospect/api-client'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi, json } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { ExtractionScreen } from './extraction-screen.tsx'

vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-26T10:00:00Z') })

const item = (key: ExtractionReadiness['checklist'][number]['key'], isOk: boolean, resolvedBy: string) => ({
  key,
  isOk,
  reason: `About ${key}.`,
  since: null,
  resolvedBy,
})
const readiness: ExtractionReadiness = {
  state: 'disabled',
  reason: null,
  at: null,
  validUntil: null,
  extractorVersion: 1,
  policyVersion: 1,
  limits: { pages: 5, candidates: 100, extractionsPerDay: 100, retentionDays: 90 },
  checklist: [item('official_site', true, 'scanning.approve_site'), item('suppression_gate', true, 'server operator')],
  failures: [],
}
const reading = 'GET /extraction/readiness'
const enabling = 'POST /extraction/enablement'
const session = sessionOf({ permissions: ['contacts.read_counts', 'contacts.enable'] })

test('each open item names who can resolve it, and enabling requires it', async () => {
  const checklist = [
    item('official_site', false, 'scanning.approve_site'),
    item('suppression_gate', false, 'server operator'),
    item('versions', true, 'server operator'),
  ]
  const api = fakeApi({
    [reading]: json({
      ...readiness,
      state: 'lapsed',
      reason: 'The do-not-contact list could not be checked.',
      at: '2026-11-20T10:00:00.000Z',
      checklist,
      failures: [{ extractionId: 'e1', at: '2026-11-20T10:00:00.000Z', reason: 'gate_unavailable' }],
    }),
  })
  await renderInApp(<ExtractionScreen />, { session })
  const list = page.getByRole('list', { name: 'Checklist' })
  await expect.element(list).toMatchTextContent('Approved official site · Open')
  await expect.element(list).toMatchTextContent('A manager or an administrator can resolve this.')
  await expect.element(list).toMatchTextContent('The server operator can resolve this.')
  await expect.element(list).toMatchTextContent('Extractor and policy version · Done')
  await expect.element(page.getByText('2 items are open.')).toBeVisible()
  await expect
    .element(page.getByRole('list', { name: 'Failures to investigate' }))
    .toMatchTextContent('Extraction e1 failed')
  const enable = page.getByRole('button', { name: 'Enable extraction…' })
  await expect.element(enable).toHaveAttribute('aria-disabled', 'true')
  await expect.element(enable).toHaveAttribute('title', 'Resolve the open items first.')
  expect(api.sentTo(enabling)).toEqual([])
})

test('an administrator enables extraction with a reason, an end date and limits, by keyboard', async () => {
  const api = fakeApi({ [reading]: json(readiness), [enabling]: json({ ...readiness, state: 'enabled' }, 201) })
  await renderInApp(<ExtractionScreen />, { session })
  await page.getByRole('button', { name: 'Enable extraction…' }).click()
  await expect.element(page.getByRole('textbox', { name: /Reason/ })).toHaveFocus()
  await userEvent.keyboard('The sites are approved.')
  await page.getByRole('textbox', { name: /Ends on/ }).fill('2027-02-01')
  await page.getByRole('textbox', { name: 'Pages per extraction' }).fill('11')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('dialog').getByText('Enter a number from 1 to 10.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Pages per extraction' }).fill('3')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(enabling).map(({ body }) => body))
    .toEqual([
      {
        enabled: true,
        reason: 'The sites are approved.',
        validUntil: '2027-02-01T21:59:59.999Z',
        limits: { pages: 3, candidates: 100, extractionsPerDay: 100, retentionDays: 90 },
      },
    ])
})

test('an administrator disables extraction with a reason', async () => {
  const enabled = { ...readiness, state: 'enabled', validUntil: '2027-02-01T00:00:00.000Z' }
  const api = fakeApi({ [reading]: json(enabled), [enabling]: json(readiness, 201) })
  await renderInApp(<ExtractionScreen />, { session })
  await page.getByRole('button', { name: 'Disable extraction…' }).click()
  await page.getByRole('textbox', { name: /Reason/ }).fill('Under review.')
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect
    .poll(() => api.sentTo(enabling).map(({ body }) => body))
    .toEqual([{ enabled: false, reason: 'Under review.' }])
})

test('a user without the permission reads the checklist and is offered no change', async () => {
  fakeApi({ [reading]: json(readiness) })
  await renderInApp(<ExtractionScreen />, { session: sessionOf({ permissions: ['contacts.read_counts'] }) })
  await expect.element(page.getByRole('list', { name: 'Checklist' })).toBeVisible()
  expect(page.getByRole('button', { name: /extraction/ }).elements()).toEqual([])
})
