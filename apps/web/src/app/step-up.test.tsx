import type { DraftPolicy, OfficialSite, ScanPolicy, ScoringVersion, SourceIncident } from '@prospect/api-client'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type Answer, fakeApi, json, problem } from '../../test/fake-api.ts'
import { renderInApp } from '../../test/render.tsx'
import { sessionOf } from '../../test/session.ts'
import { sourceOf } from '../../test/source.ts'
import { PoliciesScreen } from '../rooms/drafts/policies-screen.tsx'
import { HoldingDialog } from '../rooms/requests/holding-dialog.tsx'
import { DecideSiteDialog } from '../rooms/scanning/decide-site-dialog.tsx'
import { PolicyScreen } from '../rooms/scanning/policy-screen.tsx'
import { DecideVersionDialog } from '../rooms/scoring/rule-sets/version-dialogs.tsx'
import { DecideSourceDialog } from '../rooms/sources/decide-source-dialog.tsx'
import { DesksDialog } from '../rooms/sources/desks-dialog.tsx'
import { IncidentsScreen } from '../rooms/sources/incidents-screen.tsx'
import { DialogSlot } from '../ui/dialogs/dialog-slot.tsx'
import { SessionInterruptions } from './session-interruptions.tsx'

/* Decisions that require a fresh proof of identity, each in its own dialog: the shared dialog asks for it, and the decision continues. */

const list = (items: unknown[]) =>
  json({ items, page: { limit: 50, returned: items.length, nextCursor: null, total: null } })
const ben = { kind: 'user' as const, id: 'u2', name: 'Ben' }
const closing = { close: () => {}, reopen: () => {} }

const draftPolicy = {
  id: 'p1',
  jurisdiction: 'za',
  channel: 'email',
  version: 1,
  state: 'proposed',
  endsAt: '2027-06-01T00:00:00.000Z',
  legalBases: ['consent'],
  requiredFields: [],
  freshnessDays: { other: 365 },
  acknowledgeable: [],
  contactHours: 'warn',
  caps: { recipient: 2, person: 50, tenant: 200 },
  sources: [],
  reviewBy: null,
  owner: ben,
  proposedAt: '2026-11-20T10:00:00.000Z',
  proposedBy: ben,
  decision: null,
  mayDecide: true,
} as unknown as DraftPolicy
const scanPolicy = {
  id: 'p2',
  version: 2,
  state: 'pending',
  bounds: {},
  retentionDays: 90,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: ben,
  approval: null,
} as unknown as ScanPolicy
const incidentOf = (more: Partial<SourceIncident>) =>
  ({
    id: 'i1',
    source: { id: 's1', slug: 'example-registry', name: 'Example registry' },
    openingId: 'o1',
    isOfCurrentOpening: true,
    kind: 'incident',
    description: 'It was down.',
    createdAt: '2026-11-20T10:00:00.000Z',
    createdBy: ben,
    decision: null,
    decisionReason: null,
    decidedAt: null,
    decidedBy: null,
    usedAt: null,
    usableUntil: '2099-01-01T00:00:00.000Z',
    ...more,
  }) as SourceIncident
const approved = incidentOf({
  decision: 'approve',
  decisionReason: 'Fixed.',
  decidedAt: '2026-11-20T11:00:00.000Z',
  decidedBy: { kind: 'user', id: 'u3', name: 'Lerato' },
})
const site = { id: 's1', host: 'www.karoo.co.za', usedByOthers: 0, fingerprint: 'seen' } as unknown as OfficialSite
const version = { ruleSetId: 'r1', version: 1, contentHash: 'h' } as unknown as ScoringVersion
const desks = { version: 1, product: [], legal: [{ ...ben, isActive: true }], security: [], updatedAt: null }

const collected = { id: 'h1', jobId: 'j1', status: 'expired', file: null }

const press = (name: string | RegExp) => () => userEvent.click(page.getByRole('button', { name }))
const typeReason = () => userEvent.fill(page.getByRole('textbox', { name: 'Reason' }), 'It was read.')
const inSlot = (dialog: ReactNode) => <DialogSlot>{dialog}</DialogSlot>

type Case = {
  what: string
  ui: ReactNode
  answers?: Record<string, Answer>
  /** Request that the API refuses with a stale proof. */
  request: string
  answer: unknown
  /** Steps that open the dialog and complete its form. */
  steps: (() => Promise<unknown>)[]
  submit: string
}

const cases: Case[] = [
  {
    what: 'the approval of a draft policy',
    ui: <PoliciesScreen />,
    answers: { 'GET /draft-policies': list([draftPolicy]), 'GET /draft-policies/proposals': json({ items: [] }) },
    request: 'POST /draft-policies/p1/approvals',
    answer: draftPolicy,
    steps: [press('Approve…'), typeReason],
    submit: 'Approve',
  },
  {
    what: 'the approval of a scan policy',
    ui: <PolicyScreen />,
    answers: { 'GET /scan-policies': list([scanPolicy]) },
    request: 'POST /scan-policies/p2/approval',
    answer: scanPolicy,
    steps: [press('Approve version 2'), typeReason],
    submit: 'Approve the version',
  },
  {
    what: 'the approval of an incident record',
    ui: <IncidentsScreen />,
    answers: { 'GET /source-incidents': list([incidentOf({})]) },
    request: 'POST /sources/s1/incidents/i1/decision',
    answer: approved,
    steps: [press('Approve…'), typeReason],
    submit: 'Approve',
  },
  {
    what: 'the reset of a circuit',
    ui: <IncidentsScreen />,
    answers: { 'GET /source-incidents': list([approved]) },
    request: 'POST /sources/s1/circuit-resets',
    answer: sourceOf(),
    steps: [press('Restart source…'), typeReason],
    submit: 'Restart',
  },
  {
    what: 'the collection of everything held',
    ui: inSlot(<HoldingDialog about={{ businessId: 'b1' }} name="Karoo Solar" close={() => {}} />),
    answers: { 'GET /holdings/h1': json(collected) },
    request: 'POST /holdings',
    answer: collected,
    steps: [],
    submit: 'Collect',
  },
  {
    what: 'the withdrawal of a source',
    ui: inSlot(<DecideSourceDialog source={sourceOf()} decision={{ kind: 'withdraw' }} {...closing} />),
    request: 'POST /sources/s1/withdrawal',
    answer: sourceOf(),
    steps: [typeReason],
    submit: 'Withdraw',
  },
  {
    what: 'the designation of desks',
    ui: inSlot(<DesksDialog close={() => {}} />),
    answers: {
      'GET /source-desks': json(desks),
      'GET /assignees': list([{ id: 'u2', name: 'Ben' }]),
    },
    request: 'PUT /source-desks',
    answer: { ...desks, version: 2 },
    steps: [
      () => userEvent.click(page.getByRole('combobox', { name: 'Product' })),
      () => userEvent.click(page.getByRole('option', { name: 'Ben' })),
      () => userEvent.keyboard('{Escape}'),
    ],
    submit: 'Save desks',
  },
  {
    what: 'the approval of an official site',
    ui: inSlot(<DecideSiteDialog site={site} decision="approve" {...closing} />),
    request: 'POST /official-sites/s1/decision',
    answer: site,
    steps: [typeReason],
    submit: 'Approve',
  },
  ...(['reject', 'retire'] as const).map(
    (decision): Case => ({
      what: `the decision to ${decision} a scoring version`,
      ui: inSlot(<DecideVersionDialog version={version} decision={decision} previewId={null} {...closing} />),
      request: `POST /scoring/rule-sets/r1/versions/1/${decision === 'reject' ? 'rejection' : 'retirement'}`,
      answer: version,
      steps: [typeReason],
      submit: decision === 'reject' ? 'Reject' : 'Retire',
    }),
  ),
]

const session = sessionOf({
  permissions: [
    'drafts.read',
    'drafts.approve',
    'scanning.read',
    'scanning.approve_policy',
    'sources.read',
    'sources.reset_circuit',
  ],
})

test.each(cases)(
  '$what requests fresh proof over its dialog, keeps the form if declined, and then continues',
  async ({ ui, answers, request, answer, steps, submit }) => {
    const api = fakeApi({
      ...answers,
      [request]: [problem(403, 'step_up_required'), problem(403, 'step_up_required'), json(answer)],
      'GET /session': json(session),
      'POST /session/mfa': json({ ...session, csrfToken: 'token-2' }),
    })
    await renderInApp(
      <>
        {ui}
        <SessionInterruptions />
      </>,
      { session },
    )
    for (const step of steps) await step()
    const confirm = page.getByRole('dialog').getByRole('button', { name: submit, exact: true })
    await userEvent.click(confirm)
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await expect.element(proof.getByLabelText('Your password')).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.element(proof).not.toBeInTheDocument()
    await expect.element(page.getByRole('alert')).toMatchTextContent('Nothing was changed')

    await userEvent.click(confirm)
    await userEvent.fill(proof.getByLabelText('Your password'), 'a long password 85')
    await userEvent.keyboard('{Enter}')
    await expect.element(proof).not.toBeInTheDocument()
    await expect.poll(() => api.sentTo(request).length).toBe(3)
    const sent = api.sentTo(request)
    const [first, declined, proven] = sent.map(({ body, headers }) => ({ body, key: headers.get('idempotency-key') }))
    expect(declined?.body).toEqual(first?.body)
    expect(proven).toEqual(declined)
    expect(proven?.key !== null).toBe(request.startsWith('POST '))
    expect(sent.at(-1)?.headers.get('x-csrf-token')).toBe('token-2')
  },
)
