import type { ScoringSample, ScoringSignal, ScoringTrial, ScoringVersion } from '@prospect/api-client'
import { useQuery } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectionLost, fakeApi, json, problem } from '../../../../test/fake-api.ts'
import { renderInApp } from '../../../../test/render.tsx'
import { scoringVersionOf } from '../../../../test/scoring-version.ts'
import { sessionOf } from '../../../../test/session.ts'
import { versionQuery } from '../scoring.queries.ts'
import { RuleEditor } from './rule-editor.tsx'

const session = sessionOf({ permissions: ['scoring.read', 'scoring.write', 'businesses.read'] })
const path = '/scoring/rule-sets/set-1/versions/1'
const at = '2026-11-20T08:00:00.000Z'

const version = scoringVersionOf()

const signal = (key: string, title: string, more: Partial<ScoringSignal> = {}): ScoringSignal => ({
  key,
  title,
  type: 'number',
  operators: ['at_least', 'at_most'],
  choices: null,
  datedBy: null,
  restsOnEvidence: false,
  available: true,
  reason: null,
  ...more,
})
const signals = [
  signal('record.phones', 'Phones', { datedBy: 'the newest evidence', restsOnEvidence: true }),
  signal('record.tags', 'Tags', { type: 'list', operators: ['has_any', 'none_of'] }),
]

const counted = {
  total: 40,
  eligibility: { eligible: 38, unknown: 0, ineligible: 0, blocked: 2, notScored: 0 },
  priority: [
    { id: 'A', name: 'A', count: 7 },
    { id: 'B', name: 'B', count: 31 },
  ],
  reachable: [],
  scores: [],
}
const sample: ScoringSample = { sampled: 40, of: 40, failed: 0, asOf: at, distribution: counted, active: null }
const trial: ScoringTrial = {
  eligibility: 'eligible',
  low: 20,
  high: 30,
  priority: 'B',
  reachable: 'B',
  completeness: 0.5,
  asOf: at,
  rules: [],
  groups: [],
  gates: [],
  next: null,
}

const sampled = `POST ${path}/sample-previews`
const saved = `PATCH ${path}`
const answers = { [sampled]: json(sample) }
const open = (more: Parameters<typeof fakeApi>[0] = {}) => fakeApi({ ...answers, ...more })
const show = () => renderInApp(<RuleEditor version={version} signals={signals} />, { session })
/** The version with another lowest score of its first band. */
const withBand = (from: number, edit: number): ScoringVersion => {
  const [, lowest = { id: 'B', name: 'B', from: 0 }] = version.content.bands
  return { ...version, edit, content: { ...version.content, bands: [{ id: 'A', name: 'A', from }, lowest] } }
}
/** The editor with the version of the cache, as its screen shows it. */
function Loaded() {
  const { data } = useQuery({ ...versionQuery('set-1', 1), initialData: version, staleTime: 60_000 })
  return <RuleEditor version={data} signals={signals} />
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const firstRule = 'Phones: at least 1: +20 points'

test('a rule is edited by keyboard, its sentence follows, and the draft is saved over the loaded version', async () => {
  const [group] = version.content.groups
  const rules = group?.rules.map((rule) => (rule.id === 'phone' ? { ...rule, points: 35 } : rule))
  const stored = { ...version, edit: 5, content: { ...version.content, groups: [{ ...group, rules }] } }
  const { sentTo } = open({ [saved]: json(stored), [`GET ${path}`]: json(stored) })
  await renderInApp(<Loaded />, { session })
  await button(`Edit rule: ${firstRule}`).click()
  await expect.element(page.getByRole('combobox', { name: 'Signal' })).toHaveFocus()
  const points = page.getByRole('textbox', { name: 'Points', exact: true })
  await userEvent.fill(points, '35')
  await expect.element(page.getByText('Phones: at least 1: +35 points')).toBeVisible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('All changes saved.')).toBeVisible()
  const [request] = sentTo(saved)
  expect(request?.headers.get('if-match')).toBe('"4"')
  expect(request?.body).toMatchObject({
    content: { groups: [{ rules: [{ id: 'phone', points: 35 }, { id: 'mine' }] }] },
    rollbackPlan: null,
  })
})

test('sample and trial evaluate the rules as typed, before they are saved', async () => {
  const tried = `POST ${path}/trials`
  const { sentTo } = open({
    [tried]: json(trial),
    'GET /businesses': json({
      items: [{ id: 'biz-1', name: 'Karoo Mining', city: null, doNotContact: false }],
      page: { limit: 8, returned: 1, nextCursor: null, total: null },
    }),
  })
  await show()
  await expect.element(page.getByText('40 of 40 sampled prospects', { exact: false })).toBeVisible()
  await userEvent.fill(page.getByRole('combobox', { name: 'Prospect' }), 'Karoo')
  await page.getByRole('option', { name: 'Karoo Mining' }).click()
  await expect.element(page.getByText('20 to 30', { exact: false })).toBeVisible()
  await page.getByRole('textbox', { name: 'Rollback plan' }).click()
  await userEvent.fill(page.getByRole('textbox', { name: 'Lowest score of band 1' }), '15')
  await expect
    .poll(() => sentTo(tried).map(({ body }) => body))
    .toContainEqual(
      expect.objectContaining({
        content: expect.objectContaining({
          bands: [
            { id: 'A', name: 'A', from: 15 },
            { id: 'B', name: 'B', from: 0 },
          ],
        }),
      }),
    )
  expect(sentTo(saved)).toEqual([])
})

test('errors of the API appear at their fields, also for a rule whose fields are closed', async () => {
  const errors = [
    { path: 'content.groups.0.rules.1.value', code: 'value_not_allowed', message: 'Write one value or more.' },
    { path: 'content.bands.1.from', code: 'lowest_band_not_zero', message: 'The lowest band must begin at 0.' },
  ]
  open({ [sampled]: problem(400, 'invalid_request', { errors }) })
  await show()
  await expect.element(page.getByText('Write one value or more.')).toBeVisible()
  await expect
    .element(page.getByRole('textbox', { name: 'Lowest score of band 2' }))
    .toHaveAccessibleDescription(/The lowest band must begin at 0\./)
  await expect.element(page.getByText('Correct the marked fields to see a result.').first()).toBeVisible()
})

test('blank points show an error beside the field, which gets the focus; nothing is saved', async () => {
  const { sentTo } = open()
  await show()
  await button(`Edit rule: ${firstRule}`).click()
  const points = page.getByRole('textbox', { name: 'Points', exact: true })
  await userEvent.clear(points)
  await button('Done').click()
  await button('Save draft').click()
  await expect.element(points).toHaveFocus()
  await expect.element(points).toHaveAccessibleDescription(/Enter a number with at most 2 decimals, such as 50,25\./)
  expect(sentTo(saved)).toEqual([])
})

test('a failed save loses nothing: the rules are restored when the page is opened again', async () => {
  open({ [saved]: connectionLost })
  const { show: showAgain } = await show()
  await userEvent.fill(page.getByRole('textbox', { name: 'Rollback plan' }), 'Activate the run before.')
  await button('Save draft').click()
  await expect.element(page.getByRole('alert')).toMatchTextContent('Your text is still here.')
  showAgain(<p>Elsewhere</p>)
  await expect.element(page.getByText('Elsewhere')).toBeVisible()
  showAgain(<RuleEditor version={version} signals={signals} />)
  await expect.element(page.getByRole('textbox', { name: 'Rollback plan' })).toHaveValue('Activate the run before.')
  await expect.element(page.getByText('Not saved yet.', { exact: false })).toBeVisible()
})

test('a draft saved by another user meanwhile shows the differences and asks which one to use', async () => {
  const { sentTo } = open({ [saved]: json({ ...version, edit: 6 }) })
  const { show: showAgain } = await show()
  const score = page.getByRole('textbox', { name: 'Lowest score of band 1' })
  await userEvent.fill(score, '70')
  showAgain(<RuleEditor version={withBand(55, 5)} signals={signals} />)
  const choice = page.getByRole('region', { name: 'Changed by someone else' })
  await expect.element(choice).toMatchTextContent('A: 55 to 100')
  await expect.element(choice).toMatchTextContent('A: 70 to 100')
  await expect.element(button('Save draft')).toBeDisabled()
  await choice.getByRole('button', { name: 'Continue with my rules' }).click()
  await expect.element(choice).not.toBeInTheDocument()
  await button('Save draft').click()
  await expect.poll(() => sentTo(saved)[0]?.headers.get('if-match')).toBe('"5"')
  expect(sentTo(saved)[0]?.body).toMatchObject({ content: { bands: [{ from: 70 }, { from: 0 }] } })
})

test('the draft that another user saved replaces the own changes on request, and follows at once without any', async () => {
  open()
  const { show: showAgain } = await show()
  const score = page.getByRole('textbox', { name: 'Lowest score of band 1' })
  showAgain(<RuleEditor version={withBand(55, 5)} signals={signals} />)
  await expect.element(score).toHaveValue('55')
  await userEvent.fill(score, '70')
  showAgain(<RuleEditor version={withBand(60, 6)} signals={signals} />)
  await button('Use the saved draft').click()
  await expect.element(score).toHaveValue('60')
  await expect.element(page.getByText('All changes saved.')).toBeVisible()
})

test('discarded changes are gone, and Undo restores them', async () => {
  open()
  await show()
  const plan = page.getByRole('textbox', { name: 'Rollback plan' })
  await userEvent.fill(plan, 'Activate the run before.')
  await button('Discard changes').click()
  await expect.element(plan).toHaveValue('')
  await button('Undo').click()
  await expect.element(plan).toHaveValue('Activate the run before.')
})

test('parts are added up to their limits, moved and removed', async () => {
  open()
  await show()
  await expect.element(page.getByText('2 of 60 rules in all groups')).toBeVisible()
  await button('Add rule to Fit').click()
  await expect.element(page.getByText('3 of 60 rules in all groups')).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Signal' })).toHaveFocus()
  await button('Done').click()
  await button(`Move down: ${firstRule}`).click()
  const rules = page.getByRole('list', { name: 'Rules of Fit' }).getByRole('listitem')
  await expect.element(rules.nth(1)).toMatchTextContent(firstRule)
  await button(`Remove rule: ${firstRule}`).click()
  await expect.element(button('Add rule to Fit')).toHaveFocus()
  for (let band = 2; band < 6; band += 1) await button('Add band').click()
  await expect.element(button('Add band')).toBeDisabled()
  await expect.element(page.getByText('6 of 6 bands')).toBeVisible()
})
