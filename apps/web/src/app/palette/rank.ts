import type { RunnableAction } from '../../ui/actions/actions.ts'

/** Actions that match the typed text, best first: start of the label, start of a word, inside the label, then keywords. */
export function rankActions(actions: readonly RunnableAction[], typed: string): RunnableAction[] {
  const query = typed.trim().toLowerCase()
  const offered = actions.filter((action) => action.inPalette !== false)
  if (query === '') return offered
  return offered
    .map((action) => ({ action, score: score(action, query) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ action }) => action)
}

function score(action: RunnableAction, query: string): number {
  const label = action.label.toLowerCase()
  if (label.startsWith(query)) return 4
  if (label.split(/\s+/).some((word) => word.startsWith(query))) return 3
  if (label.includes(query)) return 2
  return `${action.group} ${action.keywords ?? ''}`.toLowerCase().includes(query) ? 1 : 0
}

/** Groups the actions, in the order in which the groups first appear. */
export function inGroups(actions: readonly RunnableAction[]): [string, RunnableAction[]][] {
  return [...Map.groupBy(actions, ({ group }) => group)]
}
