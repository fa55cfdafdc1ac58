import type { Merge, MergeCounts } from '@prospect/api-client'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fake-api.ts'
import { renderInApp } from '../../../test/render.tsx'
import { sessionOf } from '../../../test/session.ts'
import { Reversal } from './reversal.tsx'

const added = {
  ...{ evidence: 0, notes: 0, transitions: 0, interactions: 0, reviews: 0, sourceRecords: 0, domainCandidates: 2 },
  ...{ domainAssociations: 0, scans: 0, officialSites: 0, extractions: 0, contactCandidates: 0, suggestions: 0 },
  ...{ draftVersions: 0, legalBases: 0, people: 0 },
}
const counts: MergeCounts = { ...added, sources: 0, audit: 1 }

const merge: Merge = {
  id: 'm1',
  status: 'merged',
  suggestionId: 's1',
  snapshotId: 'n1',
  survivor: { id: 'b1', name: 'Karoo Pumps', doNotContact: true },
  loser: { id: 'b2', name: 'Karoo Pumps CC', doNotContact: true },
  mergedAt: '2026-11-20T10:00:00.000Z',
  mergedBy: { kind: 'user', id: 'u1', name: 'Ann' },
  reason: 'One business.',
  readBack: {
    ...{ survivor: counts, loser: counts, throughSurvivor: counts, doNotContact: true },
    leftOut: { identifiers: 0, tags: 0 },
  },
  reversal: null,
  snapshotHash: 'a',
  snapshotAt: '2026-11-20T10:00:00.000Z',
  choices: null,
  reversible: {
    ...{ possible: true, hindrance: null, firstReverse: null },
    outcome: { restored: [], kept: [], conflicts: [], added, doNotContact: ['b2'] },
  },
}

test('before a merge is undone, the screen names the record that stays do not contact', async () => {
  fakeApi({})
  await renderInApp(<Reversal merge={merge} />, { session: sessionOf({ permissions: ['matching.reverse'] }) })
  const part = page.getByRole('region', { name: 'If you undo it' })
  await expect.element(part).toMatchTextContent('Karoo Pumps CC If only one record was marked before the merge')
  await expect.element(part).toMatchTextContent('2 domain candidates with Karoo Pumps')
  await part.getByRole('button', { name: 'Undo merge…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo this merge?' })
  await expect.element(dialog).toMatchTextContent('Only a do-not-contact mark that the merge copied ends.')
  await expect.element(dialog).toMatchTextContent('Karoo Pumps CC If only one record was marked before the merge')
})
