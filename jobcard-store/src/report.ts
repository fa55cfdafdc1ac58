/**
 * One line of what a command tells. `ok`: as it should be. `stop`: stands in the way of the upgrade. `add`: the upgrade would
 * add it. `missing`, `differs`: not as the appendix has it. `beyond`: there, of no concern to the appendix. `note`: cannot be told, or good to know.
 */
export type Line = { mark: 'ok' | 'stop' | 'add' | 'missing' | 'differs' | 'beyond' | 'note'; text: string }

const markWidth = 9

export function shown({ mark, text }: Line): string {
  return `${mark.padEnd(markWidth)}${text}`
}
