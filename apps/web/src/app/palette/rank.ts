import type { RunnableAction } from '../../ui/actions/actions.ts'

/** The actions that fit what was typed, best first: the beginning of the label, of a word in it, inside it, then keywords. */
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

/** In the order in which the groups first appear. */
export function inGroups(actions: readonly RunnableAction[]): [string, RunnableAction[]][] {
  return [...Map.groupBy(actions, ({ group }) => group)]
}
