import { expect, test } from 'vitest'
import type { RunnableAction } from '../../ui/actions/actions.ts'
import { inGroups, rankActions } from './rank.ts'

const command = (label: string, more: Partial<RunnableAction> = {}): RunnableAction => ({
  id: label,
  label,
  group: 'Go to',
  run: () => undefined,
  ...more,
})
const labels = (commands: RunnableAction[]) => commands.map(({ label }) => label)

const commands = [
  command('Dark theme', { group: 'Theme' }),
  command('Prospects', { keywords: 'All businesses that your team works on.' }),
  command('New prospect', { group: 'Create' }),
  command('Move down', { inPalette: false }),
]

test('without text all actions are offered except pure shortcuts', () => {
  expect(labels(rankActions(commands, ' '))).toEqual(['Dark theme', 'Prospects', 'New prospect'])
})

test('matches at the start of the label come before those at the start of a word, and keywords come last', () => {
  expect(labels(rankActions(commands, 'PRO'))).toEqual(['Prospects', 'New prospect'])
  expect(labels(rankActions(commands, 'business'))).toEqual(['Prospects'])
  expect(labels(rankActions(commands, 'create'))).toEqual(['New prospect'])
  expect(rankActions(commands, 'zebra')).toEqual([])
})

test('groups are in the order of their first action', () => {
  expect(inGroups(commands).map(([group, inside]) => [group, inside.length])).toEqual([
    ['Theme', 1],
    ['Go to', 2],
    ['Create', 1],
  ])
})
