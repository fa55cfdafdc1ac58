import type { Command } from '../../ui/commands/commands.ts'

/** The commands that fit what was typed, best first: the beginning of the label, of a word in it, inside it, then keywords. */
export function rankCommands(commands: readonly Command[], typed: string): Command[] {
  const query = typed.trim().toLowerCase()
  const offered = commands.filter((command) => command.inPalette !== false)
  if (query === '') return offered
  return offered
    .map((command) => ({ command, score: score(command, query) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ command }) => command)
}

function score(command: Command, query: string): number {
  const label = command.label.toLowerCase()
  if (label.startsWith(query)) return 4
  if (label.split(/\s+/).some((word) => word.startsWith(query))) return 3
  if (label.includes(query)) return 2
  return `${command.group} ${command.keywords ?? ''}`.toLowerCase().includes(query) ? 1 : 0
}

/** In the order in which the groups first appear. */
export function inGroups(commands: readonly Command[]): [string, Command[]][] {
  const groups = new Map<string, Command[]>()
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  return [...groups]
}
